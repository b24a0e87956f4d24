"""Which of several frames endings are told by best, where the initial position leaves it open.

An empty board, or one row of pieces on either side, fits several symmetries. Restrictions and
control may be the same by all of them, while a region that ends the game is one rule for both
players by one symmetry only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from grl.model import Model, Rules
from grl.progress import Progress
from grl.records import End, Moment
from grl.rules.cases import Setting
from grl.rules.control import Followed, misled
from grl.rules.endings import Outcome, outcomes, promise
from grl.rules.frames import other_frames
from grl.rules.referee import Referee
from grl.rules.restrictions import misjudged
from grl.rules.scenes import Labelled


class Framed(NamedTuple):
    """A setting, the rules so far, which have its frames, and the outcomes as it has them."""

    setting: Setting
    rules: Rules
    data: Sequence[Outcome]


class Evidence(NamedTuple):
    """What restrictions, control and endings were, or will be, learned from."""

    items: Sequence[Labelled]
    played: Sequence[Followed]
    moments: Sequence[Moment]
    ends: Sequence[End]


def well_framed(first: Framed, model: Model, evidence: Evidence, progress: Progress) -> Framed:
    """The frames by which plain features promise most of endings; `first` where none does better.

    Others come into question only where they change nothing of what restrictions and control say of
    the records.
    """
    others = list(other_frames(model.initial)) if evidence.ends else []
    if not others:
        return first
    best, found = promise(first.setting, model, first.data), first
    if best[:2] == (0, 0):
        return first
    said = _said(first, evidence)
    for number, frames in enumerate(others):
        progress("frames", number, len(others))
        setting = Setting(first.setting.equipment, frames, first.setting.generator)
        rules = replace(first.rules, frames=frames)
        if _said(Framed(setting, rules, ()), evidence) == said:
            data = outcomes(Referee(setting, rules), evidence.moments, evidence.ends)
            value = promise(setting, model, data)
            if value < best:
                best, found = value, Framed(setting, rules, data)
    return found


def _said(framed: Framed, evidence: Evidence) -> tuple[int, int]:
    """In how many positions restrictions are wrong, and after how many turns control is."""
    setting, rules, _ = framed
    return (
        misjudged(setting, rules.restrictions, evidence.items),
        misled(setting, rules.control, evidence.played),
    )
