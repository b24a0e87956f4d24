"""Which of two endings counts where both come about: shown by records, guessed, or said to be open.

The game that writes the records knows which of its endings comes first.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from strange_games import BLACK, WHITE, Strange

import grl
from grl.ask.committee import Committee
from grl.ask.rivals import rivals
from grl.board import Position, make_position
from grl.generate import generate
from grl.logic.perspectives import frames_of
from grl.model import Literal, Rule, Rules
from grl.moves.candidate import Candidate
from grl.moves.compiled import CompiledSearcher
from grl.progress import silent
from grl.rulebook import Rulebook
from grl.rules.endings.outcomes import Outcome, examples
from grl.rules.endings.precedence import ordered
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.play.referee import candidate_of, presiding
from grl.shards import observe
from grl.traces import header_dict, write_traces
from grl.turn import Turn
from grl.turn import play as played


class Either(Strange):
    """A man on the far rank wins, and two of a player's men along a diagonal make a draw."""

    rows = ("b..b", "....", "w..w")

    def __init__(self, *, draw_first: bool) -> None:
        super().__init__()
        self.draw_first = draw_first

    def arrived(self, position: Position) -> bool:
        return super().winner(position) is not None

    def slanted(self, position: Position) -> bool:
        return any(
            man != "." and man == other
            for row, below in pairwise(position.rows)
            for upper, lower in ((row, below[1:]), (row[1:], below))
            for man, other in zip(upper, lower, strict=False)
        )

    def legal(self, position):
        return [] if self.slanted(position) else super().legal(position)

    def goals(self, position):
        arrived, slanted = self.arrived(position), self.slanted(position)
        if slanted and (self.draw_first or not arrived):
            return dict.fromkeys(self.equipment.players, 50)
        return super().goals(position)


def learn(game: Either, path: Path, *, both: bool) -> Rulebook:
    """What random games teach; those that end in both ways only with `both`."""

    def ends_in_both(play: dict) -> bool:
        position = game.initial
        for ply in play["turns"]:
            position = game.play(position, ply["turn"])
        return game.arrived(position) and game.slanted(position)

    plays = list(generate(game, 500, all_moves=True, seed=3))
    assert sum(map(ends_in_both, plays)) > 3
    kept = [play for play in plays if both or not ends_in_both(play)]
    write_traces(path, header_dict(game), kept)
    return grl.learn(path)


@pytest.mark.parametrize("draw_first", [True, False])
def test_what_records_show_of_two_endings_at_once_is_learned(
    tmp_path: Path, *, draw_first: bool
) -> None:
    game = Either(draw_first=draw_first)
    rulebook = learn(game, tmp_path / "games.jsonl", both=True)
    assert rulebook.model.report["endings"]["undecided"] == []
    checked = 0
    for play in generate(game, 1000, all_moves=False, seed=8):
        position = game.initial
        for ply in play["turns"]:
            position = game.play(position, ply["turn"])
        if game.arrived(position) and game.slanted(position):
            here = rulebook.position(**position.to_dict())
            assert rulebook.goals(here) == game.goals(position)
            checked += 1
    assert checked > 5


def test_what_no_record_shows_is_open_and_asked(tmp_path: Path) -> None:
    game, path = Either(draw_first=True), tmp_path / "games.jsonl"
    rulebook = learn(game, path, both=False)
    (pair,) = rulebook.model.report["endings"]["undecided"]
    there = make_position(game.equipment, pair["rows"], pair["to_move"])
    assert game.arrived(there)
    assert game.slanted(there)
    verdict = rulebook.model.report["verdict"]
    first, second = pair["rules"]
    assert not verdict["exact"]
    assert verdict["open"] == ["endings"]
    assert verdict["needs"] == [f"a position in which endings {first} and {second} both hold"]
    records = observe([grl.Traces.open(path)], 1, silent).records
    generator = CompiledSearcher(rulebook.model).spellings
    others = rivals(rulebook.model, generator, records, 1, silent)
    said = Committee(rulebook.model, generator, [rulebook.model.rules, *others]).says(there)
    assert {("over", (50, 50)), ("over", (0, 100))} <= set(said.sayings)


class Marching(Strange):
    """Men step ahead alone; who can't has lost."""

    rows = ("bb.b", "....", "....", "....", "www.")

    def allowed(self, position, steps):
        ahead = 1 if position.to_move == WHITE else -1
        return [step for step in steps if step[1] == (0, ahead)]

    def winner(self, position):  # noqa: ARG002
        return None

    def free(self, position: Position) -> list[bool]:
        """Whether the player to move has a step, and whether the other has."""
        other = next(p for p in self.equipment.players if p != position.to_move)
        return [bool(self.legal(replace(position, to_move=p))) for p in (position.to_move, other)]


@pytest.mark.parametrize("both", [True, False])
def test_who_alone_has_no_turn_is_open_where_no_record_shows_it(
    tmp_path: Path, *, both: bool
) -> None:
    game = Marching()

    def at_its_end(play: dict) -> list[bool]:
        position = game.initial
        for ply in play["turns"]:
            position = game.play(position, ply["turn"])
        return game.free(position)

    plays = list(generate(game, 300, all_moves=True, seed=3))
    kept = [play for play in plays if both or not any(at_its_end(play))]
    assert 20 < len(kept) < 300 + both
    write_traces(tmp_path / "games.jsonl", header_dict(game), kept)
    path = tmp_path / "games.jsonl"
    model = grl.learn(path).model
    alone = model.report["endings"]["alone"]
    need = "a position in which only the player to move has no turn"
    assert (need in model.report["verdict"]["needs"]) == (alone is not None) == (not both)
    if alone:
        there = make_position(game.equipment, alone["rows"], alone["to_move"])
        assert game.free(there) == [False, True]
        records = observe([grl.Traces.open(path)], 1, silent).records
        generator = CompiledSearcher(model).spellings
        others = rivals(model, generator, records, 1, silent)
        said = Committee(model, generator, [model.rules, *others]).says(there)
        assert {("over", (0, 100)), ("over", None)} <= set(said.sayings)


def test_two_endings_at_once_are_looked_for_where_no_end_is_near() -> None:
    game = Either(draw_first=True)

    def turns(position: Position) -> list[Candidate]:
        parsed = map(Turn.parse, game.legal(position))
        return [candidate_of(position, turn, played(position, turn)) for turn in parsed]

    setting = Setting(game.equipment, frames_of(game.initial), turns)
    far_rank = ("both", ("lies", "opposing"), ("line", "rank", 1, "=", 3))
    rules = tuple(
        Rule((Literal(("some", "now", term), True),), goals)
        for term, goals in (
            (far_rank, (0, 100)),
            (("lined", "diagonal", 2, ("lies", "opposing")), (50, 50)),
        )
    )
    referee = presiding(setting, Rules(setting.frames, endings=rules))
    begun = make_position(game.equipment, ["b..b", "w.w.", "...."], BLACK)

    found = ordered(referee, rules, examples(setting, []), referee.survivors(begun))

    (pair,) = found.undecided
    assert (pair.first, pair.second) == (0, 1)
    assert game.arrived(pair.position)
    assert game.slanted(pair.position)


def test_an_ending_that_goes_before_another_is_guessed_to_go_before_a_third() -> None:
    """A player without a turn, next to the last piece of either player, which is one ending."""
    game = Strange()
    setting = Setting(game.equipment, frames_of(game.initial), lambda _: [])
    lone, stuck, prey = (
        Rule((Literal(feature, True),), goals)
        for feature, goals in (
            (("size", "now", ("lies", "own"), "=", 1), (0, 100)),
            (("stuck", 0), (50, 50)),
            (("size", "now", ("lies", "opposing"), "=", 1), (100, 0)),
        )
    )
    rules = (lone, stuck, prey)
    referee = presiding(setting, Rules(setting.frames, endings=rules))

    def outcome(rows: list[str], goals: tuple[int, int]) -> Outcome:
        position = make_position(game.equipment, ["....", *rows, "....", "...."], WHITE)
        return Outcome(PositionCase.of(setting, position), goals)

    shown = outcome(["ww..", "b..."], (50, 50))
    found = ordered(referee, rules, examples(setting, [shown]), [])
    assert [rule.body for rule in found.rules] == [stuck.body, lone.body, prey.body]
    against = outcome(["w...", "bb.."], (0, 100))
    found = ordered(referee, rules, examples(setting, [shown, against]), [])
    assert [rule.body for rule in found.rules] == [rule.body for rule in rules]
