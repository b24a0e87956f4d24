"""Games recorded in the notations of players, as plays of the trace format."""

from grl.importers.carrying import CoordinateImports
from grl.importers.plays import FORMATS, Imports
from grl.importers.records import REASONS, RecordError
from grl.importers.startfile import read_start

__all__ = ["FORMATS", "REASONS", "CoordinateImports", "Imports", "RecordError", "read_start"]
