"""``grl import``: what it writes, what it prints, and its exit status."""

from click.testing import CliRunner
from notation import archive_line, random_games

from grl.cli import main
from grl.commands.importing import FORMATS
from grl.importers.formats import NOTATIONS
from grl.traces import Traces


def run(*args):
    return CliRunner().invoke(main, ["import", *map(str, args)])


def test_the_command_knows_every_format():
    assert list(FORMATS) == sorted(NOTATIONS)


def test_it_writes_a_trace_file_and_counts(tmp_path):
    source, target = tmp_path / "games.txt", tmp_path / "out.jsonl.gz"
    good = "".join(map(archive_line, random_games(3)))
    source.write_text(good + "8-12 0-31\t1-0\n8-12 oops\t1-0\n8-12 0-30\t1-0\n")

    done = run("acf", source, source, "-o", target)

    assert done.exit_code == 0
    assert len(list(Traces.open(target))) == 6
    first, second, *reasons = done.stdout.splitlines()
    assert first.split() == ["read", "written", "quarantined", "plies", "seconds"]
    assert second.split()[:3] == ["12", "6", "6"]
    assert [line.split() for line in reasons[1:]] == [["illegal", "4"], ["unreadable", "2"]]
    assert len(done.stderr.splitlines()) == 6
    assert "games.txt:4, game games.txt:4, ply 2: a move that is not legal" in done.stderr


def test_a_limit_counts_what_is_written(tmp_path):
    source, target = tmp_path / "games.txt", tmp_path / "out.jsonl"
    source.write_text("8-12\t1-0\n8-8\t1-0\n8-12\t1-0\n9-12\t1-0\n")

    done = run("acf", source, "-o", target, "--limit", 2)

    assert [play.id for play in Traces.open(target)] == ["games.txt:1", "games.txt:3"]
    assert done.stdout.splitlines()[1].split()[:3] == ["3", "2", "1"]


def test_nothing_is_written_where_nothing_can_be_imported(tmp_path):
    target = tmp_path / "out.jsonl"
    texts = {"empty": "", "bad": "8-12 0-31\t1-0\n", "other": "1-31\t1-0\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        done = run("acf", tmp_path / name, "-o", target)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith("grl: ")
    assert not target.exists()


def test_strict_stops_and_beginnings_stay(tmp_path):
    source, target = tmp_path / "games.txt", tmp_path / "out.jsonl"
    source.write_text("8-12\t1-0\n8-12 0-31\t1-0\n")

    assert run("acf", source, "-o", target, "--strict").exit_code == 2
    assert not target.exists()
    assert run("acf", source, "-o", target, "--keep-beginnings").exit_code == 0
    assert len(list(Traces.open(target))) == 2


def test_an_unknown_game_or_format_is_refused(tmp_path):
    source = tmp_path / "games.txt"
    source.write_text("8-12\t1-0\n")

    assert run("sfg", source, "-o", tmp_path / "x.jsonl").exit_code == 2
    assert run("acf", source, "-o", tmp_path / "x.jsonl", "--game", "chequers").exit_code == 2


def test_a_format_is_of_the_game_that_claims_it(tmp_path, monkeypatch):
    source, target = tmp_path / "games.txt", tmp_path / "out.jsonl"
    source.write_text("8-12\t1-0\n")
    assert run("acf", source, "-o", target).exit_code == 0
    assert Traces.open(target).header.game == "checkers"

    monkeypatch.setattr("grl.games.available", dict)
    done = run("acf", source, "-o", target)

    assert done.exit_code == 2
    assert "no games claim records of the format acf; expected --game NAME" in done.stderr


def test_the_causes_of_the_first_failures_are_given_where_no_game_fits(tmp_path):
    source = tmp_path / "games.txt"
    source.write_text("1-31\t1-0\noops\t1-0\n" + "0-31\t1-0\n" * 3)

    done = run("acf", source, "-o", tmp_path / "out.jsonl")

    second, third, first = done.stderr.splitlines()
    assert first.startswith(f"grl: {source}:1, game games.txt:1, ply 1: none of the first games")
    assert "begins like checkers: a move that is not legal there; expected one of 10-13 " in first
    assert "found 1-31" in first
    assert second.startswith(f"{source}:2, game games.txt:2, ply 1: text that is not of the notat")
    assert third.startswith(f"{source}:3, game games.txt:3, ply 1: a move that is not legal")
