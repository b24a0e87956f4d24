"""A model at work: legal turns, play, endings, perft, on top of the frozen data of `grl.model`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from random import Random
from typing import Any

from grl.board import Player, Position, make_position
from grl.engine.asked import MOST_PLIES
from grl.engine.engine import Engine, compiled
from grl.engine.native import Native, TooLarge
from grl.errors import BoardError, GrlError, IllegalTurn, Place
from grl.limits import MAX_PERFT_DEPTH
from grl.model import Model, Rule, Status
from grl.modelfile import read_model, write_model
from grl.moves.candidate import Candidate
from grl.moves.search import distinct
from grl.progress import Progress, silent
from grl.rules.play.effects import generator_of
from grl.rules.play.referee import Referee, referee_of
from grl.rules.templates import scores
from grl.rules.templates.evaluation import looks_back
from grl.showing import svg_of
from grl.summary.text import rules_text
from grl.turn import PASS, Turn, compile_turn, play

WORTH_COMPILING = 600
"""So many positions are asked about in Python before a model is compiled, which takes a second."""


@dataclass(frozen=True)
class PlayedGame:
    """A game as it was played: a position before each turn, and the one after the last.

    `goals` is None where the game was broken off, and empty where it is over and the model doesn't
    know for whom.
    """

    positions: tuple[Position, ...]
    turns: tuple[Turn, ...]
    goals: Mapping[Player, int] | None


class Rulebook:
    """What `grl.learn` and `grl.load` return: a learned model that plays.

    With `compiled` off the reference implementation answers alone. With `locm` off turns are
    generated from the movement automata alone. `knows_terminal` and `knows_goals` say whether the
    model says when a game is over, and for whom.
    """

    def __init__(self, model: Model, *, locm: bool = True, compiled: bool = True) -> None:
        self.model = model
        self._locm, self._compiled = locm, compiled
        self._asked = 0
        self._last: tuple[Position, list[Turn]] | None = None
        """The position asked about last, with its legal turns, for whoever then plays them."""
        self._generate = generator_of(model, locm=locm)
        self._referee = (
            None if model.rules is None else referee_of(model.initial, model.rules, self._generate)
        )
        self._referees: dict[frozenset[Status], Referee] = {}
        self.knows_terminal = model.rules is not None
        self.knows_goals = model.rules is not None and bool(model.rules.endings)

    @property
    def looks_back(self) -> bool:
        """Whether rules ask for the game before a position, beyond its last turn."""
        rules = self.model.rules
        return rules is not None and any(
            looks_back(literal.feature)
            for rule in chain(rules.restrictions, rules.endings, rules.control, rules.passing)
            for literal in rule.body
        )

    def __repr__(self) -> str:
        model = self.model
        parts = {"automata": model.automata, "machines": model.machines, "effects": model.effects}
        if model.rules is not None:
            parts |= {"restrictions": model.rules.restrictions, "endings": model.rules.endings}
        sizes = ", ".join(f"{name}: {len(part)}" for name, part in parts.items())
        return f"<Rulebook of {model.game}, {sizes}>"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the board where games begin, and the automata."""
        return svg_of(self.model)

    def describe(self) -> str:
        """What was learned, in English, with the positions that speak for each rule.

        The text that ``grl rules`` prints.
        """
        return rules_text(self.model)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the model alone: what was computed from it is computed again."""
        return partial(Rulebook, locm=self._locm, compiled=self._compiled), (self.model,)

    @cached_property
    def _made(self) -> Native | str:
        """The model compiled, or why it isn't; made when it is first asked for."""
        return compiled(self.model, locm=self._locm) if self._compiled else "not asked for"

    def engine(self) -> Engine:
        """The fast interface: states, turns by number, playouts, perft."""
        made = self._made
        if isinstance(made, str):
            return Engine(self, None, made)
        return Engine(self, made)

    def _native(self, position: Position) -> Native | None:
        """What answers for a position: the compiled model once so many were asked that compiling
        pays, None for the reference implementation."""
        self._asked += 1
        if not self._compiled or self._asked < WORTH_COMPILING:
            return None
        made = self._made
        return None if isinstance(made, str) or not made.takes(position.stock) else made

    @property
    def initial(self) -> Position:
        """The position in which a game begins."""
        return self.model.initial

    def position(
        self,
        rows: Sequence[str],
        to_move: str,
        reserve: Mapping[str, Mapping[str, int]] | None = None,
        history: Mapping[str, Any] | None = None,
    ) -> Position:
        """A position from outside; `rows` from the highest rank down.

        Raises `BoardError`, and what a last turn that is none raises.
        """
        position = make_position(self.model.equipment, rows, to_move, reserve, history)
        if position.last is not None:
            try:
                compile_turn(Turn.parse(position.last), position.board)
            except GrlError as error:
                raise error.at(field="history.last") from None
        return position

    def _own(self, position: Position) -> None:
        """Raises `BoardError` for a position of another game."""
        equipment = self.model.equipment
        if position.equipment is not equipment and position.equipment != equipment:
            raise BoardError(
                "a position of another game",
                found=f"{position.board.width} x {position.board.height} squares, pieces "
                + " ".join(position.equipment.pieces),
                expected=f"a position of {self.model.game}, as model.position() makes it",
            )

    def legal(self, position: Position, *, without: Collection[str] = ()) -> list[Turn]:
        """The legal turns, as far as the model knows; no two with the same origin and effect.

        A terminal position has none. `without` names kinds of rules that are left out of account,
        ``provisional`` or ``refuted`` ones (`grl.model.Status`); raises `GrlError` for other names,
        and `BoardError` for a position of another game.
        """
        self._own(position)
        if without:
            return self._legal(position, without)
        last = self._last
        if last is None or last[0] is not position:
            last = self._last = position, self._legal(position)
        return [*last[1]]

    def _legal(self, position: Position, without: Collection[str] = ()) -> list[Turn]:
        native = None if without else self._native(position)
        if native is not None:
            with suppress(TooLarge):
                return native.legal(position)
        when = self.model.passes.get(position.to_move)
        referee = self._referee_without(without) if without else self._referee
        if referee is None:
            turns = _turns(self._generate(position))
            passes = when == "free" or (when == "forced" and not turns)
        else:
            cases = referee.survivors(position)
            if referee.ending(position, cases) is not None:
                return []
            turns = _turns(case.candidate for case in cases)
            passes = referee.may_pass(position, when, cases)
        return [*turns, PASS] if passes else turns

    def _referee_without(self, kinds: Collection[str]) -> Referee | None:
        """The referee without rules of these kinds, made once."""
        names = {status.value: status for status in Status}
        if not names.keys() >= set(kinds):
            raise GrlError(
                "no such kind of rules",
                found=", ".join(sorted(set(kinds) - names.keys())),
                expected=f"some of {', '.join(names)}",
            )
        left_out = frozenset(names[kind] for kind in kinds)
        rules = self.model.rules
        if rules is None or not left_out & rules.statuses:
            return self._referee
        if left_out not in self._referees:
            fewer = rules.without(left_out)
            self._referees[left_out] = referee_of(self.initial, fewer, self._generate)
        return self._referees[left_out]

    def play(self, position: Position, turn: Turn | str) -> Position:
        """The position after a legal turn.

        Any spelling of a legal turn may be played: the same first origin square and the same
        effect. Raises `IllegalTurn` for any other turn, `TurnSyntaxError` for text that is none.
        """
        self._own(position)
        parsed = Turn.parse(turn) if isinstance(turn, str) else turn
        after = play(position, parsed)
        native = self._native(position)
        if native is not None:
            with suppress(TooLarge):
                follower = native.follower(position, parsed.start(position.board), after)
                if follower is not None:
                    return after if follower == after.to_move else replace(after, to_move=follower)
        legal = self.legal(position)
        if parsed not in legal and parsed.effect(position) not in {
            other.effect(position) for other in legal
        }:
            raise IllegalTurn(
                f"turn '{parsed}' is not legal for {position.to_move}",
                expected=f"one of the {len(legal)} legal turns",
                place=Place(rows=tuple(position.rows)),
            )
        return self._followed(position, parsed, after)

    def after(self, position: Position, turn: Turn) -> Position:
        """The position after a turn that is known to be legal: nothing is asked again."""
        return self._followed(position, turn, play(position, turn))

    def _followed(self, position: Position, turn: Turn, after: Position) -> Position:
        """`after`, the position that `turn` leaves, with the player who moves next."""
        if self._referee is None or not self._referee.rules.control:
            return after
        follower = self._referee.follower(position, turn, after)
        return after if follower == after.to_move else replace(after, to_move=follower)

    def is_terminal(self, position: Position) -> bool:
        """Whether the game is over: by a rule of the model, or for want of a legal turn."""
        self._own(position)
        native = self._native(position)
        if native is not None:
            with suppress(TooLarge):
                return native.count(position) == 0
        return not self.legal(position)

    def is_legal(self, position: Position, turn: Turn | str) -> bool:
        """Whether a turn, in any of its spellings, may be played; raises as `play` for no text."""
        try:
            self.play(position, turn)
        except IllegalTurn:
            return False
        return True

    def random_game(self, seed: int = 0, *, most: int = MOST_PLIES) -> PlayedGame:
        """A game of random legal turns, the same for the same seed; broken off after `most`."""
        chance = Random(seed)
        positions, turns = [self.initial], list[Turn]()
        while len(turns) < most:
            legal = self.legal(positions[-1])
            if not legal:
                goals = self.goals(positions[-1])
                return PlayedGame(tuple(positions), tuple(turns), goals)
            turns.append(chance.choice(legal))
            positions.append(self.after(positions[-1], turns[-1]))
        return PlayedGame(tuple(positions), tuple(turns), None)

    def returns(self, position: Position) -> list[float]:
        """The goals of a terminal position as numbers from -1 to 1 in turn order.

        0 for a player of whom the model knows nothing, and for all while the game goes on.
        """
        goals = self.goals(position) if self.is_terminal(position) else {}
        return [utility(goals.get(player)) for player in self.model.equipment.players]

    def goals(self, position: Position) -> dict[Player, int]:
        """0..100 for each player of a terminal position; empty where the model knows nothing."""
        self._own(position)
        ending = self._ending(position)
        if ending is None:
            return {}
        assert self._referee is not None
        return scores.goals_at(self._referee.setting, position, ending)

    def _ending(self, position: Position) -> Rule | None:
        """The first rule of endings that covers a position."""
        native = self._native(position)
        if native is not None:
            with suppress(TooLarge):
                return native.ending(position)
        return None if self._referee is None else self._referee.ending(position)

    def perft(self, position: Position, depth: int, *, progress: Progress = silent) -> int:
        """The number of legal turn sequences of length `depth`.

        Raises `GrlError` for a depth that is no whole number from 0 to `MAX_PERFT_DEPTH`.
        `progress` hears of the first turns done.
        """
        if type(depth) is not int or not 0 <= depth <= MAX_PERFT_DEPTH:
            raise GrlError(
                "wrong depth of perft",
                found=repr(depth)[:40],
                expected=f"a whole number from 0 to {MAX_PERFT_DEPTH}",
            )
        self._own(position)
        if depth == 0:
            return 1
        if depth > 1:
            self._asked += WORTH_COMPILING
        turns = self.legal(position)
        if depth == 1:
            return len(turns)
        total = 0
        for done, turn in enumerate(turns):
            progress("first turns", done, len(turns))
            total += self._count(self.after(position, turn), depth - 1)
        return total

    def _count(self, position: Position, depth: int) -> int:
        native = self._native(position)
        if native is not None:
            with suppress(TooLarge):
                return native.perft_of(position, depth)
        turns = self.legal(position)
        if depth == 1:
            return len(turns)
        total = 0
        for turn in turns:
            total += self._count(self.after(position, turn), depth - 1)
        return total

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, whole or not at all."""
        write_model(self.model, path)


def utility(goal: int | None) -> float:
    """A goal, 0 to 100, on the scale from -1 to 1; 0 for one that is not known."""
    return 0.0 if goal is None else goal / 50 - 1


def _turns(candidates: Iterable[Candidate]) -> list[Turn]:
    """The turns that differ in origin or effect."""
    return [candidate.turn for candidate in distinct(candidates)]


def load(path: str | os.PathLike[str]) -> Rulebook:
    """The rulebook in a model file; raises `ModelError` when it is none."""
    return Rulebook(read_model(path))
