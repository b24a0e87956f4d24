"""Active questions: the positions that decide what the records leave open."""

from __future__ import annotations

from grl.ask.answers import Answer, EndOfAnswers, Oracle, Question
from grl.ask.oracle import game_oracle
from grl.ask.session import Session

__all__ = ["Answer", "EndOfAnswers", "Oracle", "Question", "Session", "game_oracle"]
