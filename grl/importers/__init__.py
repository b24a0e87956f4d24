"""Games recorded in the notations of players, as plays of the trace format."""

from grl.importers.plays import FORMATS, Imports
from grl.importers.records import REASONS, RecordError

__all__ = ["FORMATS", "REASONS", "Imports", "RecordError"]
