"""The phrases of features that terms give, as in `grl.rules.features.terms`."""

from __future__ import annotations

from functools import partial
from typing import Final

from grl.logic.english import Speech, counted
from grl.model import Feature
from grl.rules.english.words import Phrasebook, Phrases, Speaker
from grl.rules.features.terms import SUMS, TERM_TEMPLATES, more_of, terms_in


def _phrases(name: str, e: Speaker, when: str, *arguments: object) -> Phrases:
    feature: Feature = (name, when, *arguments)
    say = Speech(e.equipment, e.view)
    one, *others = terms_in(feature)
    if name == "some":
        holds, fails = say.some(one)
    elif name in SUMS:
        holds, fails = _sums(say, feature)
    elif name == "size":
        number = int(str(arguments[2]))
        things = say.noun(one)
        if arguments[1] == "=":
            exactly = f"exactly {counted(number)}" if number else "no"
            holds, fails = f"there are {exactly} {things}", f"there are not {exactly} {things}"
        else:
            many = counted(number)
            holds = f"there are fewer than {many} {things}"
            fails = f"there are {many} or more {things}"
    else:
        these, those, more = say.noun(one), say.noun(others[0]), more_of(feature)
        if more:
            least = arguments[1] == "<"
            by = counted(more + least)
            these = f"{by} more {those} than {these}"
            holds = f"there are {'at least' if least else 'exactly'} {these}"
            fails = f"there are {'fewer than' if least else 'not exactly'} {these}"
        elif arguments[1] == "=":
            holds = f"there are as many {these} as {those}"
            fails = f"there are not as many {these} as {those}"
        else:
            holds = f"there are fewer {these} than {those}"
            fails = f"there are at least as many {these} as {those}"
    after = " afterwards" if when == "after" else ""
    return f"{holds}{after}", f"{fails}{after}"


def _sums(say: Speech, feature: Feature) -> Phrases:
    """What contents count together, on one set of squares or on two."""
    one, *others = terms_in(feature)
    these, less = f"the contents of {say.noun(one)}", feature[3] == "<"
    if others:
        those = f"those of {say.noun(others[0])}"
        more = f" {more_of(feature)} added," if more_of(feature) else ""
        if less:
            return (
                f"{these}{more} count less than {those}",
                f"{these}{more} count no less than {those}",
            )
        return (
            f"{these}{more} count as much as {those}",
            f"{these}{more} do not count as much as {those}",
        )
    number = feature[4]
    if less:
        return f"{these} count less than {number}", f"{these} count {number} or more"
    return f"{these} count {number}", f"{these} do not count {number}"


TERM_PHRASES: Final[Phrasebook] = {name: partial(_phrases, name) for name in sorted(TERM_TEMPLATES)}
