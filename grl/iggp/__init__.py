"""Rules from states alone: the learner for files of the IGGP data set.

`read_task` reads a file, `learn_program` learns a program from it, `score` measures one with
clingo, and `check` holds the learner's own evaluation to clingo's. Nothing here knows of boards or
turns: a target predicate is defined over whatever relations the file has.

Read `grl.iggp.data` first, then `grl.iggp.plan` for the order in which searches are tried.
"""

from grl.iggp.data import Atom, State, Task, parse_task, read_task
from grl.iggp.learn import LearnedProgram, learn_program
from grl.iggp.score import Program, Score, check, score

__all__ = [
    "Atom",
    "LearnedProgram",
    "Program",
    "Score",
    "State",
    "Task",
    "check",
    "learn_program",
    "parse_task",
    "read_task",
    "score",
]
