"""A learner of answer set programs that reads ILASP's task files.

`parse` reads a task, `solve` finds the hypothesis of least cost, `explain` says why there is none.
"""

from grl.las.solve import Outcome, solve
from grl.las.syntax import parse, read
from grl.las.task import Example, Limits, Ordering, Task, TaskError

__all__ = [
    "Example",
    "Limits",
    "Ordering",
    "Outcome",
    "Task",
    "TaskError",
    "parse",
    "read",
    "solve",
]
