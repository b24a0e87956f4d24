"""Games recorded in the notations of players, as plays of the trace format.

A reader of a notation gives games as moves, not yet looked at (`grl.importers.records`). `Imports`
matches them with the legal turns of a reference game, as does `PgnImports` with moves in short
notation; `CoordinateImports` carries out moves in coordinates and needs no game. `RefereedImports`
asks a library, a `Referee`, what is legal, and finds turns in the boards that it shows.
`PositionImports` is given boards alone, and finds turns out from all of them. What does
not fit is left out, and listed with its reason. `NOTATIONS` has them all, by name.

Read `grl.importers.plays` first, and `grl.importers.pdn` for how a reader looks; of libraries
`grl.importers.refereed`, and `grl.importers.kifu` for how one is asked.
"""

from grl.importers.carrying import CoordinateImports
from grl.importers.formats import NOTATIONS, Wishes
from grl.importers.plays import FORMATS, Imports
from grl.importers.positions import PositionImports, from_positions
from grl.importers.records import REASONS, RecordError
from grl.importers.referee import Referee
from grl.importers.refereed import RefereedImports
from grl.importers.san import PgnImports
from grl.importers.startfile import read_start

__all__ = [
    "FORMATS",
    "NOTATIONS",
    "REASONS",
    "CoordinateImports",
    "Imports",
    "PgnImports",
    "PositionImports",
    "RecordError",
    "Referee",
    "RefereedImports",
    "Wishes",
    "from_positions",
    "read_start",
]
