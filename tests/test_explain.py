"""Why turns are legal or not: the reason named is the one that decides."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from effect_terms import effect as effect_of
from learned import learned_movements

from grl import games
from grl.board import Position
from grl.cli import main
from grl.errors import GrlError, TurnSyntaxError
from grl.explain import Explainer, Verdict, explain, outlook
from grl.explain.spelling import spelling_of
from grl.logic.perspectives import frames_of
from grl.model import Literal, Rule, Rules
from grl.moves.search import Searcher
from grl.rulebook import Rulebook
from grl.rules.english.effects import effect_sentence
from grl.turn import Letter, Segment, Turn, play

END = ("square", "end1")
BELOW = ("shift", "board", 0, -1, END)
CAPTURES = Rule((Literal(("rival_has", "any", ("takes", "opposing")), True),))
STUCK = Rule((Literal(("stuck", 0), True),), (0, 100))
RULES = {
    "checkers": (
        (
            Rule(
                (
                    Literal(("appears", "own"), True),
                    Literal(("some", "before", ("both", END, ("line", "rank", 0, "=", 8))), False),
                )
            ),
            CAPTURES,
            Rule((Literal(("prefix",), True),)),
        ),
        (STUCK,),
    ),
    "nine-mens-morris": (
        (
            Rule(
                (
                    Literal(("segments", "=", 2), True),
                    Literal(
                        ("some", "after", ("both", END, ("lined", "around", 3, ("lies", "own")))),
                        False,
                    ),
                )
            ),
            Rule((Literal(("rival_has", "any", ("appears", "own")), True),)),
            Rule((Literal(("prefix",), True),), provisional=True),
        ),
        (STUCK,),
    ),
    "connect-four": (
        (Rule((Literal(("some", "before", ("both", BELOW, ("lies", "empty"))), True),)),),
        (
            Rule(
                (Literal(("some", "now", ("lined", "around", 4, ("lies", "opposing"))), True),),
                (0, 100),
            ),
        ),
    ),
}
"""The rules as they are known; what is explained doesn't hang on what a learner makes of them."""


@cache
def rulebook(spec: str) -> Rulebook:
    """Automata and machines as learned, with rules written by hand."""
    model = learned_movements(spec, {"nine-mens-morris": 4}.get(spec)).model
    restrictions, endings = RULES[spec]
    return Rulebook(replace(model, rules=Rules(frames_of(model.initial), restrictions, endings)))


def checkers(*rows: str, to_move: str = "white") -> Position:
    return rulebook("checkers").position(rows, to_move)


FACING = (
    "........",
    "........",
    "........",
    "....M...",
    "...m....",
    "........",
    ".m......",
    "........",
)
"""White's man on d4 must capture that on e5."""


def test_a_compulsory_capture_names_the_capture() -> None:
    found = explain(rulebook("checkers"), checkers(*FACING), "b2 (1 1 e)")
    assert found.verdict is Verdict.FORBIDDEN
    assert found.rule is not None
    assert found.rule.number == 2
    (finding,) = found.rule.findings
    assert finding.rivals == ("d4 (1 1 p) (0 0 d) (1 1 e)",)
    assert finding.rivals[0] in "\n".join(found.lines())
    assert explain(rulebook("checkers"), checkers(*FACING), finding.rivals[0]).legal


def test_a_king_is_crowned_on_the_last_rank_only() -> None:
    quiet = (*["........"] * 2, "M.......", *["........"] * 3, ".m......", "........")
    found = explain(rulebook("checkers"), checkers(*quiet), "b2 (1 1 e) (0 0 a k)")
    assert found.verdict is Verdict.FORBIDDEN
    assert found.rule is not None
    assert found.rule.number == 1
    assert {"end1": "c3"} in [dict(finding.squares) for finding in found.rule.findings]
    last = ("........", ".m......", "M.......", *["........"] * 5)
    assert explain(rulebook("checkers"), checkers(*last), "b7 (1 1 e) (0 0 a k)").legal
    uncrowned = explain(rulebook("checkers"), checkers(*last), "b7 (1 1 e)")
    assert uncrowned.rule is not None
    assert uncrowned.rule.findings[0].rivals == ("b7 (1 1 e) (0 0 a k)",)


def test_a_word_that_no_automaton_spells() -> None:
    found = explain(rulebook("checkers"), rulebook("checkers").initial, "c3 (0 1 e)")
    assert found.verdict is Verdict.LANGUAGE
    assert "no letter (0 1 e)" in found.reason
    assert "white m first" in found.reason
    assert found.spelling is not None
    assert [step.state for step in found.spelling.segments[0].steps] == [None]


def test_a_piece_of_the_other_player_is_not_the_movers() -> None:
    found = explain(rulebook("checkers"), rulebook("checkers").initial, "b6 (1 -1 e)")
    assert found.verdict is Verdict.LANGUAGE
    assert "no turn of white begins on" in found.reason
    assert "(b6)" in found.reason


def test_letters_that_do_not_fit_the_board() -> None:
    book = rulebook("checkers")
    off = explain(book, checkers(*["........"] * 7, "...m...m"), "h1 (1 1 e)")
    assert off.verdict is Verdict.BOARD
    assert "from h1 it leads off the board" in off.reason
    blocked = explain(book, book.initial, "b2 (1 1 e)")
    assert blocked.verdict is Verdict.BOARD
    assert "c3 holds" in blocked.reason
    assert "not an empty square" in blocked.reason
    outside = explain(book, book.initial, "z9 (1 1 e)")
    assert "no square 'z9'" in outside.reason


def test_a_word_that_breaks_off() -> None:
    found = explain(rulebook("checkers"), checkers(*FACING), "d4 (1 1 p) (0 0 d)")
    assert found.verdict is Verdict.LANGUAGE
    assert "a turn doesn't end in state" in found.reason


def test_text_that_is_no_turn_is_an_error() -> None:
    with pytest.raises(TurnSyntaxError):
        explain(rulebook("checkers"), rulebook("checkers").initial, "c3 to d4")


def test_a_disc_must_rest_on_something() -> None:
    book = rulebook("connect-four")
    found = explain(book, book.initial, "d3 (0 0 a x)")
    assert found.verdict is Verdict.FORBIDDEN
    assert found.rule is not None
    assert [dict(finding.squares) for finding in found.rule.findings] == [{"end1": "d3"}]
    assert "the square below its end is empty" in found.rule.sentence
    assert explain(book, book.initial, "d1 (0 0 a x)").legal


def test_after_the_end_the_ending_decides() -> None:
    book = rulebook("connect-four")
    rows = [*["." * 7] * 5, "xxxxooo"]
    won = book.position(rows, "black")
    found = explain(book, won, "a2 (0 0 a o)")
    assert found.verdict is Verdict.OVER
    assert found.ending is not None
    assert found.ending.goals == {"white": 100, "black": 0}
    view = outlook(book, won)
    assert view.terminal
    assert view.goals == {"white": 100, "black": 0}
    assert view.turns == view.forbidden == ()


def test_no_turn_left_without_a_rule_for_it() -> None:
    book = rulebook("connect-four")
    full = book.position(["xxooxxo", "ooxxoox"] * 3, "white")
    view = outlook(book, full)
    assert view.terminal
    assert view.ending is None
    assert "knows no goals" in view.reason


def test_a_mill_takes_and_nothing_else_does() -> None:
    book = rulebook("nine-mens-morris")
    empty = book.initial
    man, other = "m", "M"
    no_mill = play(play(empty, Turn.parse(f"d1 (0 0 a {man})")), Turn.parse(f"f4 (0 0 a {other})"))
    found = explain(book, no_mill, f"g1 (0 0 a {man}); f4 (0 0 d)")
    assert found.verdict is Verdict.FORBIDDEN
    assert found.rule is not None
    assert found.rule.number == 1
    position = empty
    for text in (
        f"a1 (0 0 a {man})",
        f"f4 (0 0 a {other})",
        f"d1 (0 0 a {man})",
        f"e4 (0 0 a {other})",
    ):
        position = play(position, Turn.parse(text))
    assert explain(book, position, f"g1 (0 0 a {man}); f4 (0 0 d)").legal
    without = explain(book, position, f"g1 (0 0 a {man})")
    assert without.rule is not None
    assert without.rule.provisional
    assert without.rule.findings[0].rivals == (
        f"g1 (0 0 a {man}); e4 (0 0 d)",
        f"g1 (0 0 a {man}); f4 (0 0 d)",
    )


def test_a_pass_is_explained_too() -> None:
    book = rulebook("connect-four")
    assert explain(book, book.initial, "pass").verdict is Verdict.PASS
    model = replace(book.model, passes={"white": "free"})
    assert explain(Rulebook(model), book.initial, "pass").legal


def test_what_a_first_segment_brings_about_is_no_choice() -> None:
    stones = rulebook("connect-four").model
    turned = effect_of(("enclosed", "around", "any", "own"), "same")
    book = Rulebook(replace(stones, effects=(turned,)))
    enclosing = book.position([*["......."] * 5, "xoo...."], "white")
    whole = "d1 (0 0 a x); b1 (0 0 a x); c1 (0 0 a x)"
    assert explain(book, enclosing, whole).legal
    assert explain(book, enclosing, "e1 (0 0 a x)").legal
    for text in ("d1 (0 0 a x)", "d1 (0 0 a x); b1 (0 0 a x)"):
        found = explain(book, enclosing, text)
        assert found.verdict is Verdict.EFFECT
        assert "b1 (0 0 a x); c1 (0 0 a x)" in found.reason
        assert f"  effect: {effect_sentence(turned, stones.equipment)}" in list(found.lines())
    floating = explain(book, enclosing, "d2 (0 0 a x)")
    assert floating.verdict is Verdict.FORBIDDEN
    assert not explain(book, enclosing, "d1 (1 0 e)").effects


@pytest.mark.parametrize("spec", sorted(RULES))
def test_explanations_agree_with_what_is_played(spec: str) -> None:
    """On random positions: every legal turn is explained as such, every other one is not."""
    book, game = rulebook(spec), games.load(spec)
    explainer, rng = Explainer(book), random.Random(1)
    position = game.initial
    for _ in range(12):
        here = book.position(position.rows, position.to_move, position.reserve)
        legal = book.legal(here)
        if not legal:
            break
        for turn in rng.sample(legal, min(4, len(legal))):
            assert explainer.turn(here, turn).legal
            for changed in _mutants(turn, here, rng):
                assert explainer.turn(here, changed).legal == _playable(book, here, changed)
        view = explainer.position(here)
        assert view.turns == tuple(map(str, legal))
        bare = {str(t) for t in Searcher(replace(book.model, rules=None)).turns(here)}
        assert sum(group.turns for group in view.forbidden) == len(bare) - len(legal)
        for group in view.forbidden:
            refused = explainer.turn(here, group.example)
            assert refused.verdict is Verdict.FORBIDDEN
            assert refused.rule == group.rule
        position = game.play(position, rng.choice(sorted(game.legal(position))))


@pytest.mark.parametrize("spec", sorted(RULES))
def test_words_are_read_as_the_search_spells_them(spec: str) -> None:
    """A turn fits exactly if the search finds it, or one that leads through the same states."""
    book, game = rulebook(spec), games.load(spec)
    searcher, rng = Searcher(book.model), random.Random(2)
    position = game.initial
    for _ in range(10):
        here = book.position(position.rows, position.to_move, position.reserve)
        found = searcher.spellings(here)
        texts = {str(candidate.turn) for candidate in found}
        effects = {(c.starts[0], c.cells) for c in found}
        for candidate in rng.sample(found, min(6, len(found))):
            assert spelling_of(searcher, here, candidate.turn).fits
            for changed in _mutants(candidate.turn, here, rng):
                fits = spelling_of(searcher, here, changed).fits
                if fits and str(changed) not in texts:
                    start = here.board.square(changed.segments[0].origin)
                    assert (start, play(here, changed).cells) in effects
                elif not fits:
                    assert str(changed) not in texts
        position = game.play(position, rng.choice(sorted(game.legal(position))))


def _mutants(turn: Turn, position: Position, rng: random.Random) -> list[Turn]:
    """Turns that differ a little: a letter more, less or other, another origin, no second part."""
    found = []
    names = position.board.names
    for at, segment in enumerate(turn.segments):
        flown = any(letter.fly for letter in segment.letters)
        for _ in range(0 if flown else 3):
            letters = list(segment.letters)
            step = Letter(rng.choice([-1, 1]), rng.choice([-1, 0, 1]), rng.choice("ewp"))
            place = rng.randrange(len(letters))
            rng.choice(
                [
                    lambda letters=letters, step=step: letters.append(step),
                    lambda letters=letters, place=place, step=step: letters.__setitem__(
                        place, step
                    ),
                    lambda letters=letters: letters.pop() if len(letters) > 1 else None,
                ]
            )()
            parts = list(turn.segments)
            parts[at] = Segment(segment.origin, tuple(letters))
            found.append(Turn(tuple(parts)))
        parts = list(turn.segments)
        parts[at] = Segment(rng.choice(names), segment.letters, segment.targets)
        found.append(Turn(tuple(parts)))
    return [*found, Turn(turn.segments[:1])]


def _playable(book: Rulebook, position: Position, turn: Turn) -> bool:
    try:
        book.play(position, turn)
    except GrlError:
        return False
    return True


def test_the_command_explains_and_its_status_answers(tmp_path: Path) -> None:
    model = tmp_path / "model.grl.json"
    rulebook("checkers").save(model)
    file = tmp_path / "position.json"
    file.write_text(json.dumps({"rows": FACING, "to_move": "white"}))
    asked = [str(model), "--position", str(file)]
    runner = CliRunner()
    refused = runner.invoke(
        main, ["explain", *asked, "--turn", "b2 (1 1 e)"], standalone_mode=False
    )
    assert refused.return_value == 1
    assert "b2 (1 1 e): not legal" in refused.output
    assert "as for d4 (1 1 p) (0 0 d) (1 1 e)" in refused.output
    taken = ["--turn", "d4 (1 1 p) (0 0 d) (1 1 e)", "--json"]
    result = runner.invoke(main, ["explain", *asked, *taken], standalone_mode=False)
    assert result.return_value == 0
    assert json.loads(result.output)["legal"] is True
    whole = runner.invoke(main, ["explain", *asked, "--json"], standalone_mode=False)
    data = json.loads(whole.output)
    assert data["turns"] == ["d4 (1 1 p) (0 0 d) (1 1 e)"]
    assert {group["rule"]["number"] for group in data["forbidden"]} <= {1, 2, 3}
    after = runner.invoke(
        main, ["explain", str(model), "--after", "c3 (1 1 e)"], standalone_mode=False
    )
    assert "black to move, 7 legal turns." in after.output
