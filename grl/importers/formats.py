"""Which importer reads which notation: the one list that the command line asks.

A maker is given the files, the wishes and the options that all importers have.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, NamedTuple

from grl.errors import GrlError
from grl.games import load, written_in
from grl.importers.carrying import CoordinateImports
from grl.importers.pdn import game_type
from grl.importers.plays import FORMATS, Imports
from grl.importers.positions import PositionImports
from grl.importers.records import FileImports
from grl.importers.refereed import RefereedImports, read_moves
from grl.importers.san import PgnImports
from grl.importers.startfile import read_start
from grl.tracejson import header_dict
from grl.traces import write_traces

Header = Callable[[], Mapping[str, Any]]
Common = Mapping[str, Any]
"""``keep_beginnings``, ``strict`` and ``progress``, as all importers have them."""


class Source(NamedTuple):
    """The plays of some records, and what gives the header once they have been read."""

    imports: FileImports
    header: Header


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for beside the files; what a notation doesn't take stays as it is here."""

    game: str | None = None
    variant: str | None = None
    start: Path | None = None
    ended: bool = False
    one_a_line: bool = False
    all_moves: bool = False
    exact: bool = False
    number: int | None = None
    seed: int = 0
    plies: int | None = None


class Notation(NamedTuple):
    """A notation: who reads it, and which wishes it takes."""

    make: Callable[[Sequence[Path], Wishes, Common], Source]
    takes: frozenset[str]
    needs_files: bool = True


def _numbers(form: str) -> Callable[[Sequence[Path], Wishes, Common], Source]:
    def make(files: Sequence[Path], wishes: Wishes, common: Common) -> Source:
        kind = game_type(os.fspath(files[0])) if form == "pdn" and wishes.game is None else None
        game = load(wishes.game or written_in(form if kind is None else f"{form}-{kind}"))
        imports = Imports(files, FORMATS[form], game, all_moves=wishes.all_moves, **common)
        return Source(imports, lambda: header_dict(game))

    return make


def _coordinates(files: Sequence[Path], wishes: Wishes, common: Common) -> Source:
    if wishes.start is None:
        raise GrlError("coordinates need --start: the rows where games begin")
    header = read_start(wishes.start)
    imports = CoordinateImports(
        files, header, ended=wishes.ended, one_a_line=wishes.one_a_line, **common
    )
    return Source(imports, header.to_dict)


def _positions(files: Sequence[Path], wishes: Wishes, common: Common) -> Source:
    header = None if wishes.start is None else read_start(wishes.start)
    imports = PositionImports(files, header, ended=wishes.ended, **common)

    def found() -> Mapping[str, Any]:
        return imports.header.to_dict()

    return Source(imports, found)


def _refereed(imports: RefereedImports[Any]) -> Source:
    return Source(imports, lambda: imports.header)


def _pgn(files: Sequence[Path], wishes: Wishes, common: Common) -> Source:
    from grl.importers.variants import LibraryVariant, first_variant, reader

    if wishes.game is not None and wishes.variant is not None:
        raise GrlError("--game and --variant both say which game it is", expected="one of them")
    variant = wishes.variant
    if variant is None and wishes.game is None:
        variant = first_variant(os.fspath(files[0]))
    if variant is not None:
        referee = LibraryVariant(variant)
        return _refereed(
            RefereedImports(files, reader(variant), referee, all_moves=wishes.all_moves, **common)
        )
    game = load(wishes.game or written_in("pgn"))
    imports = PgnImports(files, game, all_moves=wishes.all_moves, **common)
    return Source(imports, lambda: header_dict(game))


def _uci(files: Sequence[Path], wishes: Wishes, common: Common) -> Source:
    from grl.importers.fairy import Variant

    if wishes.variant is None:
        raise GrlError("uci needs --variant: the game, by the name that pyffish has for it")
    referee = Variant(wishes.variant, exact=wishes.exact)
    all_moves = wishes.all_moves
    return _refereed(RefereedImports(files, read_moves, referee, all_moves=all_moves, **common))


def _kifu(form: str) -> Callable[[Sequence[Path], Wishes, Common], Source]:
    def make(files: Sequence[Path], wishes: Wishes, common: Common) -> Source:
        from grl.importers.kifu import READERS, Kifu

        all_moves = wishes.all_moves
        return _refereed(
            RefereedImports(files, READERS[form], Kifu(form), all_moves=all_moves, **common)
        )

    return make


def _sgf(files: Sequence[Path], wishes: Wishes, common: Common) -> Source:
    from grl.importers.referee import GameReferee
    from grl.importers.sgf import StoneReferee, first_size, read_for_game, read_sgf

    if wishes.game is not None:
        game = GameReferee(load(wishes.game))
        read = partial(read_for_game, referee=game)
        return _refereed(RefereedImports(files, read, game, all_moves=wishes.all_moves, **common))
    if wishes.all_moves:
        raise GrlError("sgfmill can't list legal moves", hint="--game GAME names one that can")
    stones = StoneReferee(first_size(os.fspath(files[0])))
    return _refereed(RefereedImports(files, partial(read_sgf, referee=stones), stones, **common))


def _wthor(files: Sequence[Path], wishes: Wishes, common: Common) -> Source:
    from grl.importers.wthor import DiscReferee, GameDiscs, read_wthor

    if wishes.game is not None:
        game = GameDiscs(load(wishes.game))
        return _refereed(
            RefereedImports(files, read_wthor, game, all_moves=wishes.all_moves, **common)
        )
    discs = DiscReferee()
    return _refereed(
        RefereedImports(files, read_wthor, discs, all_moves=wishes.all_moves, **common)
    )


def _openspiel(files: Sequence[Path], wishes: Wishes, common: Common) -> Source:
    from grl.importers.spiel import SpielReferee, random_games, read_actions

    if wishes.game is None:
        raise GrlError("openspiel needs --game: the game, by the name that OpenSpiel has for it")
    if (wishes.number is None) == (not files):
        raise GrlError("openspiel plays -n N games, or reads files of recorded actions")
    referee = SpielReferee(wishes.game, wishes.seed)
    number = wishes.number or 0
    made = None if files else partial(random_games, referee, number, wishes.seed, wishes.plies)
    read = partial(read_actions, referee=referee)
    all_moves = wishes.all_moves
    return _refereed(
        RefereedImports(files, read, referee, made=made, all_moves=all_moves, **common)
    )


_LISTING = frozenset({"all_moves"})
NOTATIONS: Final[Mapping[str, Notation]] = {
    "acf": Notation(_numbers("acf"), _LISTING | {"game"}),
    "coordinates": Notation(_coordinates, frozenset({"start", "ended", "one_a_line"})),
    "csa": Notation(_kifu("csa"), _LISTING),
    "kif": Notation(_kifu("kif"), _LISTING),
    "openspiel": Notation(
        _openspiel, _LISTING | {"game", "number", "seed", "plies"}, needs_files=False
    ),
    "pdn": Notation(_numbers("pdn"), _LISTING | {"game"}),
    "pgn": Notation(_pgn, _LISTING | {"game", "variant"}),
    "positions": Notation(_positions, frozenset({"start", "ended"})),
    "sgf": Notation(_sgf, _LISTING | {"game"}),
    "uci": Notation(_uci, _LISTING | {"variant", "exact"}),
    "usi": Notation(_kifu("usi"), _LISTING),
    "wthor": Notation(_wthor, _LISTING | {"game"}),
}
"""By name; `Notation.takes` names the fields of `Wishes` that mean something."""


def written(target: Path, source: Source, limit: int | None = None) -> None:
    """Write at most `limit` plays, kept aside until the header is known.

    Raises `GrlError` where there is none at all.
    """
    with TemporaryFile() as aside:
        for play in _some(source.imports, limit):
            aside.write(json.dumps(play, ensure_ascii=False).encode() + b"\n")
        aside.seek(0)
        write_traces(target, source.header(), map(json.loads, aside))


def _some(imports: FileImports, limit: int | None) -> Iterator[dict[str, Any]]:
    plays: Iterable[dict[str, Any]] = imports
    yield from islice(plays, limit)
    if imports.kept == 0:
        raise (
            imports.quarantine[0]
            if imports.quarantine
            else GrlError("the files hold no game", expected="at least one game")
        )
