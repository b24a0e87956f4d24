"""Active questions: the positions that decide what the records leave open.

Where several rules explain the records equally well one answer is worth many random games. A
`Session` keeps rival theories side by side, looks for positions on which they differ or which no
record resembles, asks an `Oracle`, a person or a reference game, and learns on from each `Answer`.

Read `grl.ask.session` first, then `grl.ask.scout` for where questions come from.
"""

from __future__ import annotations

from grl.ask.answers import Answer, EndOfAnswers, Oracle, Question
from grl.ask.oracle import game_oracle
from grl.ask.session import Session

__all__ = ["Answer", "EndOfAnswers", "Oracle", "Question", "Session", "game_oracle"]
