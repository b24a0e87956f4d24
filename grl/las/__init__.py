"""A learner of answer set programs that reads ILASP's task files.

`parse` reads a task, `solve` finds the hypothesis of least cost, and `grl.las.explain` says why
there is none. A task that observes its targets in deterministic contexts goes to a fast layer,
which searches rules on bit sets (`grl.las.coverage`); any other to a conflict-driven one
(`grl.las.general`).

Read `grl.las.task` first, then `grl.las.solve`.
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
