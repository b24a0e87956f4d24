"""Records broken in ten ways: exactly those are quarantined, each with its reason and place."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_records import break_some, ways
from library_records import imported, needs
from random_records import KINDS, Kind, Pdn

MODULES = {
    "pgn": ("chess",),
    "uci": ("chess", "pyffish"),
    "usi": ("cshogi",),
    "csa": ("cshogi",),
    "kif": ("cshogi",),
    "sgf": ("sgfmill",),
    "wthor": ("pyspiel",),
    "openspiel": ("pyspiel",),
}
SHORT = 24


@pytest.mark.parametrize("make", [kind for kind in KINDS if kind is not Pdn], ids=lambda k: k.name)
def test_exactly_the_broken_games_are_left_out(make: type[Kind], tmp_path: Path) -> None:
    needs(*MODULES[make.form])
    kind = make()
    if kind.most > 80 and kind.form in ("uci", "usi", "csa", "kif"):
        kind.most = SHORT  # type: ignore[misc]
    records, broken = break_some(kind, kind.games(12), 0)
    assert len(ways(kind)) == 10
    path = tmp_path / f"games{kind.ending}"
    path.write_bytes(kind.file(records))

    _, imports = imported(kind.form, path, **kind.wishes)

    found = {flaw.place.game: flaw for flaw in imports.quarantine}
    expected = {f"{path.name}:{kind.line(records, i)}": flaw for i, (_, flaw) in broken.items()}
    assert found.keys() == expected.keys()
    assert (imports.read, imports.kept) == (len(records), len(records) - len(broken))
    for game, flaw in found.items():
        assert flaw.reason in expected[game].reasons, (game, str(flaw))
        assert flaw.place.file == str(path)
        assert flaw.place.ply is not None or flaw.reason in ("no moves", "position", "another game")
