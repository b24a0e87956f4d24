"""Other spellings of legal turns: rules may forbid them, and then they are nobody's rivals."""

from __future__ import annotations

import numpy as np

from grl.model import Literal
from grl.rules.restrictions.labelled import ALIAS, ILLEGAL, LEGAL
from grl.rules.restrictions.theory import Draft
from grl.rules.search.conjunctions import Found

BODY = (Literal(("takes", "opposing"), True),)


def test_what_a_rule_covers_is_gone_and_illegal_turns_alone_speak_for_it() -> None:
    labels = np.array([ILLEGAL, ALIAS, LEGAL, ALIAS, ILLEGAL])
    draft = Draft(labels, np.array([0, 0, 0, 1, 1]))

    draft.add(Found(BODY, np.array([0]), 1.0), np.array([1, 3]))

    assert draft.alive.tolist() == [False, False, True, False, True]
    assert draft.bad.tolist() == [4]
    assert draft.rules[0].support == 1

    draft.add(Found(BODY, np.array([3, 4]), 1.0))
    assert draft.rules[1].support == 1
    assert draft.theory().unexplained == 0
