"""Questions: rivals explain the records, disputes are real, answers are records and teach."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from learned import record

import grl
from grl import games
from grl.ask import Answer, EndOfAnswers, Question, Session, game_oracle, scout
from grl.ask.answers import read_plays
from grl.ask.committee import Committee
from grl.ask.person import Person
from grl.ask.rivals import rivals
from grl.ask.scout import Scout
from grl.board import Position
from grl.cli import main
from grl.compare import compare_game
from grl.errors import LearnError
from grl.logic.perspectives import frames_of
from grl.model import Literal, Rule, Rules
from grl.moves.compiled import CompiledSearcher
from grl.progress import silent
from grl.records import Records
from grl.rulebook import Rulebook
from grl.shards import observe

SMALL = "connect-four:width=3,height=3,line=3"
LINES = "tic-tac-toe"


@pytest.fixture(autouse=True)
def short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look round plays a few games only, which is enough on boards as small as these."""
    monkeypatch.setattr(scout, "GAMES", 25)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("asking")


@pytest.fixture(scope="module")
def one_game(folder: Path) -> Path:
    return record(SMALL, folder / "one.jsonl", 1)


@pytest.fixture(scope="module")
def rulebook(one_game: Path) -> Rulebook:
    return grl.learn([one_game])


@pytest.fixture(scope="module")
def records(one_game: Path) -> Records:
    return observe([grl.Traces.open(one_game)], 1, silent).records


@pytest.fixture(scope="module")
def others(rulebook: Rulebook, records: Records) -> list[Rules]:
    return rivals(rulebook.model, CompiledSearcher(rulebook.model).spellings, records, 6, silent)


def test_rivals_explain_the_records_and_say_something_else(
    rulebook: Rulebook, records: Records, others: list[Rules]
) -> None:
    assert others
    model = rulebook.model
    committee = Committee(model, CompiledSearcher(model).spellings, [model.rules, *others])
    for moment in records.sorted_moments():
        answer = Answer(moment.position, tuple(sorted(moment.turns)))
        truth = committee.saying_of(answer)
        assert set(committee.says(moment.position).sayings) == {truth}
    for end in records.sorted_ends():
        truth = committee.saying_of(Answer(end.position, (), dict(end.goals)))
        assert set(committee.says(end.position).sayings) == {truth}
    bodies = [tuple(rule.body for rule in (*t.restrictions, *t.endings)) for t in others]
    assert len(set(bodies)) == len(bodies)


def test_scouts_stop_at_disputes(rulebook: Rulebook, records: Records) -> None:
    model = rulebook.model
    known = model.rules or Rules(frames_of(model.initial))
    early = Rule((Literal(("size", "now", ("lies", "own"), "=", 2), True),), (50, 50))
    other = replace(known, endings=(early, *known.endings))
    committee = Committee(model, CompiledSearcher(model).spellings, [known, other])
    looking = Scout(committee, records, Random(3))
    sights = looking.sights()
    assert len({sight.position.outcome for sight in sights}) == len(sights)
    assert not {sight.position.outcome for sight in sights} & looking.known
    pieces = {"white": "x", "black": "o"}
    for sight in sights:
        position = sight.position
        assert position.to_move in pieces
        assert (position.cells.count(pieces[position.to_move]) == 2) == (sight.dispute > 0)
        assert sight.dispute in (0.0, 1.0)
    assert any(sight.dispute for sight in sights)
    longest = max(len(p.cells) - p.cells.count(".") for p in (s.position for s in sights))
    assert longest > 5, "games that begin beyond the dispute go on"


def test_asking_makes_a_model_exact_and_learning_from_the_answers_gives_it_again(
    folder: Path,
) -> None:
    game = games.load(LINES)
    source = record(LINES, folder / "line.jsonl", 1)
    answers = folder / "line-answers.jsonl"
    session = Session([source], answers, seed=1)
    oracle = game_oracle(game, session.rulebook.initial)
    assert not compare_game(session.rulebook, game, 60, endings=10).same
    while not session.over and session.answered < 24:
        session.round(oracle, 24 - session.answered)
        if compare_game(session.rulebook, game, 60, endings=10).same:
            break
    assert compare_game(session.rulebook, game, 500, endings=50).same
    again = grl.learn([source, answers])
    assert again.model == session.rulebook.model
    plays = list(grl.Traces.open(answers))
    assert len(plays) == session.answered
    for play in plays:
        assert play.end == ("stopped" if play.plies else "terminal")


def test_equal_seeds_ask_the_same(folder: Path, one_game: Path, rulebook: Rulebook) -> None:
    files = []
    for name in ("first", "second"):
        answers = folder / f"{name}.jsonl"
        session = Session([one_game], answers, rulebook=rulebook, seed=7)
        session.round(game_oracle(games.load(SMALL), rulebook.initial), 3)
        files.append(answers.read_bytes())
    assert files[0] == files[1]
    assert files[0].count(b"\n") > 1


def test_a_session_goes_on_with_the_answers_of_an_earlier_one(
    folder: Path, one_game: Path, rulebook: Rulebook
) -> None:
    answers = folder / "going-on.jsonl"
    oracle = game_oracle(games.load(SMALL), rulebook.initial)
    first = Session([one_game], answers, rulebook=rulebook)
    first.round(oracle, 2)
    second = Session([one_game, answers], answers, rulebook=rulebook)
    assert second.rulebook.model == first.rulebook.model
    second.round(oracle, 1)
    asked = [json.dumps(play["initial"]) for play in read_plays(answers)]
    assert len(asked) == len(set(asked)) == first.answered + second.answered > 1
    assert [play["id"] for play in read_plays(answers)] == [f"q{i + 1}" for i in range(len(asked))]


def test_nobody_answers(folder: Path, one_game: Path, rulebook: Rulebook) -> None:
    answers = folder / "none.jsonl"
    session = Session([one_game], answers, rulebook=rulebook)

    def gone(_: Question) -> Answer | None:
        raise EndOfAnswers

    assert session.round(gone, 5) == 0
    assert session.over
    assert session.rulebook is rulebook
    assert not answers.exists()


def test_records_of_another_game_are_refused(folder: Path, rulebook: Rulebook) -> None:
    other = record(LINES, folder / "other.jsonl", 1)
    with pytest.raises(LearnError, match="another game"):
        Session([other], folder / "x.jsonl", rulebook=rulebook)


def asked(question: Question, *lines: str) -> tuple[Answer | None, str]:
    """What a person who types `lines` answers, and what they see."""
    typed, shown = iter(lines), []

    def read(prompt: str) -> str:
        shown.append(prompt)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    person = Person(read, shown.append, lambda position: "/".join(position.rows))
    return person(question), "\n".join(shown)


@cache
def question() -> Question:
    position: Position = games.load(LINES).initial
    offered = tuple(f"{square} (0 0 a x)" for square in ("a1", "b1", "c1"))
    doubtful = frozenset(offered[1:2])
    return Question(position, "Why not?", offered, offered[:1], doubtful, False, {})


def test_a_person_takes_what_is_shown_or_changes_it() -> None:
    a1, b1, c1 = question().offered
    answer, shown = asked(question(), "")
    assert answer == Answer(question().position, (a1,))
    assert f"2  not legal  {b1}  ?" in shown
    assert asked(question(), "1-2 3", "")[0] == Answer(question().position, (b1, c1))
    added = asked(question(), "c3 (0 0 a x)", "")[0]
    assert added == Answer(question().position, (a1, "c3 (0 0 a x)"))
    assert asked(question(), "skip")[0] is None


def test_a_person_ends_the_game_with_goals() -> None:
    answer, _ = asked(question(), "over", "much", "100", "0")
    assert answer == Answer(question().position, (), {"x": 100, "o": 0})


def test_a_person_hears_what_can_not_be_understood() -> None:
    answer, shown = asked(question(), "9", "a1 (0 1 q)", "1", "", "1", "")
    assert answer == Answer(question().position, question().turns)
    assert "can't be read" in shown
    assert "say so, and the goals" in shown
    with pytest.raises(EndOfAnswers):
        asked(question(), "quit")
    with pytest.raises(EndOfAnswers):
        asked(question())


def test_the_command_asks_a_game_and_writes_model_and_answers(
    folder: Path, one_game: Path, rulebook: Rulebook
) -> None:
    model, answers, better = (folder / name for name in ("m.json", "cli.jsonl", "better.json"))
    rulebook.save(model)
    common = ["ask", str(model), str(one_game), "--answers", str(answers), "-o", str(better)]
    result = CliRunner().invoke(main, [*common, "--game", SMALL, "--questions", "2"])
    assert result.exit_code == 0, result.output
    assert "2 answers in" in result.output
    assert grl.load(better).model == grl.learn([one_game, answers]).model
    typed = CliRunner().invoke(main, [*common, "--questions", "1"], input="quit\n")
    assert typed.exit_code == 0
    assert "no question was answered" in typed.output


def test_a_link_that_leads_to_itself_is_no_file_of_answers_yet(
    folder: Path, one_game: Path, rulebook: Rulebook
) -> None:
    link = folder / "link.jsonl"
    link.symlink_to(link.name)
    session = Session([one_game], link, rulebook=rulebook)
    assert session.answered == 0


def test_a_game_answers_as_it_is_played() -> None:
    game = games.load(LINES)
    here = question()
    answer = game_oracle(game, game.initial)(here)
    assert answer is not None
    assert sorted(answer.turns) == sorted(game.legal(game.initial))
    assert not answer.agrees(here.turns)
    assert answer.agrees(reversed(answer.turns))


def test_a_piece_that_nobody_saw_is_put_where_it_could_stand(folder: Path) -> None:
    source = record("checkers", folder / "men.jsonl", 1)
    model = grl.learn([source], rules=False).model
    everything = observe([grl.Traces.open(source)], 1, silent).records
    records = everything.without(lambda position: bool(set("kK") & set(position.cells)))
    bare = Rules(frames_of(model.initial))
    looking = Scout(Committee(model, CompiledSearcher(model).spellings, [bare]), records, Random(1))
    planted = [sight for sight in looking.planted() if looking.new_piece(sight) is not None]
    assert {sight.position.to_move for sight in planted} == {"white", "black"}
    for sight in planted:
        king = "k" if sight.position.to_move == "white" else "K"
        assert sight.position.cells.count(king) == 1
        man = sight.position.cells.replace(king, king.replace("k", "m").replace("K", "M"))
        assert any(m.position.cells == man for m in records.sorted_moments())
    looking.note(planted[0])
    assert looking.new_piece(planted[0]) is None
