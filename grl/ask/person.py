"""A person at a terminal who answers questions, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from grl.ask.answers import Answer, EndOfAnswers, Question, effect_of
from grl.board import Player, Position
from grl.errors import GrlError
from grl.notation import find_turn
from grl.turn import Turn, play

HELP = (
    "Numbers such as 2 5-7 change whether turns are legal, and a turn in full adds one; ? marks "
    "those in doubt. An empty line: it is as shown; over: the game is over here; skip: no answer "
    "to this one; quit ends."
)
_RANGE = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?")


class Person:
    """Answers by what `read` returns to each prompt; `show` prints lines.

    `read` raises `EOFError` when there is nobody any more. The board is drawn by `draw`.
    """

    def __init__(
        self,
        read: Callable[[str], str],
        show: Callable[[str], None],
        draw: Callable[[Position], str],
    ) -> None:
        self._read = read
        self._show = show
        self._draw = draw
        self._helped = False

    def __call__(self, question: Question) -> Answer | None:
        """Put a question, and read lines until it is answered."""
        position = question.position
        self._show(f"\n{self._draw(position)}")
        self._show(question.reason)
        self._show(f"{position.to_move} is to move: which turns are legal?")
        if not self._helped:
            self._show(HELP)
            self._helped = True
        if question.over:
            goals = ", ".join(f"{player} {goal}" for player, goal in question.goals.items())
            self._show("The model takes the game to be over" + (f": {goals}." if goals else "."))
        offered = list(question.offered)
        legal = set(question.turns)
        self._list(offered, legal, question.doubtful)
        while True:
            line = self._line("answer> ")
            if line == "skip":
                return None
            if line == "over" or (not line and question.over and not legal and question.goals):
                chosen = question.goals if not line else self._goals(question)
                return Answer(position, (), dict(chosen))
            if not line:
                if legal:
                    return Answer(position, tuple(turn for turn in offered if turn in legal))
                self._show("With no legal turn at all the game is over: say so, and the goals.")
            elif not self._change(line, position, offered, legal):
                self._show(HELP)
            else:
                self._list(offered, legal, question.doubtful)

    def _line(self, prompt: str) -> str:
        try:
            line = self._read(prompt).strip()
        except EOFError:
            raise EndOfAnswers from None
        if line == "quit":
            raise EndOfAnswers
        return line

    def _list(self, offered: Sequence[str], legal: set[str], doubtful: frozenset[str]) -> None:
        side = len(str(len(offered)))
        for number, turn in enumerate(offered, 1):
            mark = "legal    " if turn in legal else "not legal"
            doubt = "  ?" if turn in doubtful else ""
            self._show(f"{number:>{side}}  {mark}  {turn}{doubt}")

    def _change(self, line: str, position: Position, offered: list[str], legal: set[str]) -> bool:
        """Carry a line out; False where it can't be understood."""
        ranges = [_RANGE.fullmatch(word) for word in line.replace(",", " ").split()]
        if all(ranges):
            numbers = [n for r in ranges if r for n in range(int(r[1]), int(r[2] or r[1]) + 1)]
            if any(not 1 <= n <= len(offered) for n in numbers):
                return False
            for number in numbers:
                legal ^= {offered[number - 1]}
            return True
        try:
            turn = find_turn(position, line, lambda: [Turn.parse(text) for text in offered])
            play(position, turn)
        except GrlError as error:
            self._show(f"{error.message}.")
            return False
        effect = effect_of(position, turn)
        same = [text for text in offered if effect_of(position, Turn.parse(text)) == effect]
        if not same:
            offered.append(str(turn))
        legal.add(same[0] if same else str(turn))
        return True

    def _goals(self, question: Question) -> dict[Player, int]:
        """The goals of the players, asked one by one."""
        goals: dict[Player, int] = {}
        for player in question.position.equipment.players:
            while player not in goals:
                text = self._line(f"goal of {player}, 0 to 100> ")
                if text.isascii() and text.isdigit() and int(text[:4]) <= 100:
                    goals[player] = int(text)
        return goals
