"""Rules at work: what restrictions leave of the pseudo-legal turns, endings, who moves next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from grl.board import Player, Position
from grl.model import Literal, Rule, Rules
from grl.rules.cases import Generator, PositionCase, Scene, Setting, TurnCase
from grl.rules.features import RELATIONS, compile_position, compile_turn_feature

Test = tuple[Callable[..., bool], bool]


class Body(NamedTuple):
    """The literals of a rule on turns: those that ask only of the position, and the others."""

    position: tuple[Test, ...]
    turn: tuple[Test, ...]


class Restrictor:
    """Drops the turns that an ordered list of restrictions forbids."""

    def __init__(self, setting: Setting, rules: Sequence[Rule]) -> None:
        self._bodies = [turn_body(setting, rule.body) for rule in rules]

    def survivors(self, scene: Scene, cases: list[TurnCase]) -> list[TurnCase]:
        """The turns among `cases` that no rule forbids."""
        scene.survivors = cases
        scene.memo = {}
        for body in self._bodies:
            if not covers(body.position, scene.before):
                continue
            left = [case for case in scene.survivors if not covers(body.turn, case)]
            if len(left) != len(scene.survivors):
                scene.survivors = left
                scene.memo = {}
        return scene.survivors


def turn_body(setting: Setting, body: Sequence[Literal]) -> Body:
    """The evaluators of a rule on turns, relations last."""
    ordered = sorted(body, key=lambda literal: literal.feature[0] in RELATIONS)
    return Body(
        tuple((compile_position(setting, f[1]), h) for f, h in ordered if f[0] == "before"),
        tuple((compile_turn_feature(setting, f), h) for f, h in ordered if f[0] != "before"),
    )


def covers(tests: Sequence[Test], case: object) -> bool:
    """Whether all literals agree with a case."""
    for test, holds in tests:  # noqa: SIM110 - a loop is much faster here
        if test(case) != holds:
            return False
    return True


class Referee:
    """The rules of a model on top of a generator of pseudo-legal turns."""

    def __init__(self, setting: Setting, rules: Rules) -> None:
        self.setting = setting
        self.rules = rules
        self._restrictor = Restrictor(setting, rules.restrictions)
        self._endings = [
            tuple((compile_position(setting, f), holds) for f, holds in rule.body)
            for rule in rules.endings
        ]
        self._control = [turn_body(setting, rule.body) for rule in rules.control]

    @classmethod
    def of(cls, position: Position, rules: Rules, generator: Generator) -> Referee:
        """The referee of a game with the equipment of `position`."""
        return cls(Setting(position.equipment, rules.frames, generator), rules)

    def survivors(self, position: Position) -> list[TurnCase]:
        """The turns that no restriction forbids, whether the game is over or not."""
        scene = Scene(PositionCase.of(self.setting, position), self.setting.generator(position))
        return self._restrictor.survivors(scene, scene.survivors)

    def ending(self, position: Position, turns: Sequence[TurnCase] | None = None) -> Rule | None:
        """The first ending rule that covers a position; `turns` are its survivors, if known."""
        known = {} if turns is None else {0: not turns}

        def stuck(seat: int) -> bool:
            if seat not in known:
                known[seat] = not self.survivors(_at_seat(position, seat))
            return known[seat]

        case = PositionCase.of(self.setting, position, stuck)
        for rule, body in zip(self.rules.endings, self._endings, strict=True):
            if covers(body, case):
                return rule
        return None

    def follower(self, case: TurnCase) -> Player:
        """Who moves after a turn."""
        for rule, body in zip(self.rules.control, self._control, strict=True):
            if covers(body.position, case.before) and covers(body.turn, case):
                return self.setting.seat(case.before.to_move, rule.value[0])
        return self.setting.equipment.next_player(case.before.to_move)


def _at_seat(position: Position, seat: int) -> Position:
    players = position.equipment.players
    mover = players[(players.index(position.to_move) + seat) % len(players)]
    return Position(
        position.equipment, position.cells, mover, position.stock, position.moved, position.last
    )
