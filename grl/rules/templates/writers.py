"""What templates write with: it is handed to them, for its rooms rest on this one.

So only its types are named here, and nothing is imported at work.
"""

from typing import TYPE_CHECKING, Any

__all__ = ["Definitions", "English", "Relations", "Source"]

if TYPE_CHECKING:
    from grl.rules.asp.definitions import Definitions
    from grl.rules.code.rivals import Relations
    from grl.rules.code.source import Source
    from grl.rules.english.sentences import English
else:
    Definitions = English = Relations = Source = Any
