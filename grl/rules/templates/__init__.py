"""What rules may ask of positions and turns: every template of features is one object.

A module offers its templates in `OF_POSITIONS`, `OF_TURNS` or `OF_RIVALS`; a further template is a
further entry there. `evaluation` and `columns` ask them of cases, one by one and many at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from grl.rules.templates import (
    history,
    letters,
    moments,
    movers,
    rivals,
    terms,
)
from grl.rules.templates.template import Template


def _by_name(*several: Iterable[Template]) -> Mapping[str, Template]:
    return {template.name: template for some in several for template in some}


POSITIONS: Final = _by_name(
    terms.OF_POSITIONS,
    movers.OF_POSITIONS,
    history.OF_POSITIONS,
)
"""Templates of features of positions."""
TURNS: Final = _by_name(
    letters.OF_TURNS,
    terms.OF_TURNS,
    moments.OF_TURNS,
)
"""Templates of features of turns."""
RELATIONS: Final = _by_name(rivals.OF_RIVALS)
"""Templates of features of turns that compare a turn with its rivals."""
OF_TURNS: Final = {**TURNS, **RELATIONS}
"""All that may be asked of turns."""
