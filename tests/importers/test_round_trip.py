"""Games written in square numbers come back as they were played."""

from itertools import islice
from pathlib import Path

import pytest
from notation import (
    ARCHIVE,
    CHECKERS,
    ENGLISH,
    archive_line,
    imported,
    portable,
    random_games,
    turns_of,
    written,
)

from grl.importers import FORMATS, Imports
from grl.traces import Traces, header_dict, write_traces


def without_names(plays):
    return [{key: play[key] for key in play if key != "id"} for play in plays]


def test_lines_of_the_archives_come_back_turn_by_turn(tmp_path):
    games = random_games(12)
    path = tmp_path / "games.acf"
    path.write_text("".join(map(archive_line, games)))

    plays, imports = imported(path)

    assert without_names(plays) == without_names(games)
    assert {play["end"] for play in plays} == {"terminal", "stopped"}
    assert [play["id"] for play in plays] == [f"games.acf:{n}" for n in range(1, 13)]
    assert (imports.read, imports.kept, imports.quarantine) == (12, 12, [])
    assert imports.plies == sum(len(play["turns"]) for play in games)


@pytest.mark.parametrize("short", [False, True])
def test_portable_games_come_back_turn_by_turn(tmp_path, short):
    games = random_games(12, seed=2)
    path = tmp_path / "games.pdn"
    path.write_text(
        "".join(
            portable([written(turn, ENGLISH, short=short) for turn in turns_of(play)], Event=str(i))
            for i, play in enumerate(games)
        )
    )

    plays, imports = imported(path)

    assert imports.quarantine == []
    assert without_names(plays) == without_names(games)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("names", [ENGLISH, ARCHIVE], ids=["right", "left"])
def test_the_corner_from_which_squares_are_counted_is_found(tmp_path, names, turned):
    order = list(names.values())
    names = dict(enumerate(reversed(order) if turned else order, 1))
    games = random_games(4)
    path = tmp_path / "games.pdn"
    path.write_text("".join(portable(written(t, names) for t in turns_of(play)) for play in games))

    plays, _ = imported(path)

    assert without_names(plays) == without_names(games)


def test_what_is_imported_is_a_sound_trace_file(tmp_path):
    path = tmp_path / "games.acf"
    path.write_text("".join(map(archive_line, random_games(6))))
    target = tmp_path / "games.jsonl"

    write_traces(target, header_dict(CHECKERS), imported(path)[0])

    assert [play.end for play in Traces.open(target)] == ["stopped", "terminal"] * 3


@pytest.mark.parametrize(
    ("name", "form", "read", "reasons"),
    [
        ("tinsley.pdn", "pdn", 724, {"unreadable": 2, "illegal": 1}),
        ("ACF.txt", "acf", 1000, {}),
    ],
)
def test_the_records_of_people_replay(name, form, read, reasons):
    path = Path(__file__).parents[3] / "shared" / "data" / "checkers" / name
    if not path.exists():
        pytest.skip(f"no file {path}: it lies outside the repository")
    imports = Imports([path], FORMATS[form], CHECKERS)

    kept = sum(1 for _ in islice(imports, 1000))

    assert imports.read == read
    assert kept == read - sum(reasons.values())
    assert imports.reasons == reasons
