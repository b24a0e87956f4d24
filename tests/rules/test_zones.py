"""Special squares are found as zones, and tables that hold but for turns in a zone."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from lessons import games_of, judged, taught
from ranked_game import RANKS, takes
from strange_games import Balanced, Rationed
from watered_game import TRAPS, WATER, Watered

import grl
from grl.compare import compare_game
from grl.fresh import fresh_positions
from grl.games import Game
from grl.logic.ops import known_term, shapes
from grl.logic.ops.places import lies, square
from grl.logic.ops.sets import together
from grl.logic.ops.shapes import REGION
from grl.logic.ops.tables import MATCHED
from grl.logic.perspectives import fitting_frames
from grl.logic.terms import Places, Term, make
from grl.model import Literal, Rule
from grl.records import Moment
from grl.rules.features.cases import Setting, rows_of
from grl.rules.features.terms import size, sizes, some
from grl.rules.features.vocabulary import Words, words_of
from grl.rules.play.effects import generator_of
from grl.rules.restrictions.dependencies import oppositions
from grl.rules.restrictions.labelled import LEGAL, Labelled, label
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.widening import widened
from grl.rules.search.zones import zone_terms
from grl.traces import header_dict, write_traces

Known = tuple[Setting, Words, list[Labelled]]


@pytest.fixture(scope="module")
def labelled(tmp_path_factory) -> Known:
    """Positions of the game with all pseudo-legal turns, and which of them are legal."""
    records = tmp_path_factory.mktemp("records") / "games.jsonl"
    write_traces(records, header_dict(Watered()), games_of(Watered(), 60, max_plies=80))
    model = grl.learn([records], rules=False).model
    setting = Setting(
        model.equipment, next(iter(fitting_frames(model.initial))), generator_of(model)
    )
    items = [
        label(setting, Moment(position, True, frozenset(legal), frozenset()))
        for position, legal in fresh_positions(Watered(), 1_500, 5, 0)
    ]
    return setting, words_of(model), items


def named(squares: tuple[str, ...]) -> Places:
    """Squares by file and rank, as the first player sees them."""
    return tuple(sorted(("abcdef".index(name[0]) + 1, int(name[1])) for name in squares))


def test_squares_that_a_kind_of_turns_never_ends_on_are_a_zone(labelled: Known) -> None:
    setting, _, items = labelled
    some = items[:150]
    cases = [case for item in some for case in item.cases]
    bad = np.array([mark != LEGAL for item in some for mark in item.labels])
    others = np.array([case.lifted() not in "rR" for case in cases])
    rows, end = rows_of(setting, cases, "before"), square("end1")

    found = dict(zone_terms(rows, [end], bad, [others]))

    water = together(end, make(REGION, 0, named(WATER)))
    assert found[water] == len(WATER)
    assert not any(rows.some(term)[others & ~bad].any() for term in found)


def test_a_table_holds_outside_of_traps(labelled: Known) -> None:
    found: list[Term] = [known_term(priced.feature[2]) for priced in oppositions(*labelled)]

    parts = {part for term in found for part in term.terms()}
    tables = {frozenset(part.arguments[0]) for part in parts if part.operator is MATCHED}
    assert {
        (f"own:{one}", f"opposing:{other}")
        for one, other in product(RANKS, RANKS)
        if not takes(one, other)
    } in tables
    regions = {part.arguments[1] for part in parts if part.operator is REGION}
    assert named(TRAPS["white"]) in regions


def learned_rule(game: Game, number: int) -> Rule:
    """The only restriction learned from so many records of a game, which is exact."""
    learned = taught(game, games_of(game, number, max_plies=60))
    compared = compare_game(learned, game, positions=300, seed=3, endings=20)
    assert compared.same, compared
    rules = learned.model.rules
    assert rules is not None
    (rule,) = rules.restrictions
    return rule


WELLS = shapes.named(named(Rationed.wells), None)


def test_that_a_zone_takes_few_men_is_one_rule() -> None:
    ((feature, holds),) = learned_rule(Rationed(), 25).body

    assert (feature, holds) == (size("after", together(lies("own"), WELLS), "<", 2), False)


def test_that_a_zone_takes_few_more_men_than_the_opponent_has_there_is_one_rule() -> None:
    body = learned_rule(Balanced(), 25).body

    mine, theirs = (together(lies(whose), WELLS) for whose in ("own", "opposing"))
    entered = some("before", together(square("end1"), WELLS))
    assert set(body) == {
        Literal(entered, True),
        Literal(sizes("after", theirs, "<", mine, 1), True),
    }


def test_squares_that_a_crowded_zone_lacks_are_found_in_all_records() -> None:
    learned = taught(Rationed(), games_of(Rationed(), 25, max_plies=60))
    rules = learned.model.rules
    assert rules is not None
    setting = Setting(learned.model.equipment, rules.frames, generator_of(learned.model))

    def entered(wells: tuple[str, ...]) -> Rule:
        zone = shapes.named(named(wells), None)
        ends, few = together(square("end1"), zone), together(lies("own"), zone)
        return Rule(
            (Literal(some("before", ends), True), Literal(size("after", few, "<", 2), False))
        )

    survey = Survey(setting, judged(setting, Rationed(), 400))
    (found,) = widened(survey, [entered(Rationed.wells[1:])])

    assert found.body == entered(Rationed.wells).body
    assert survey.wrong([entered(Rationed.wells[1:])])
    assert not survey.wrong([found])
