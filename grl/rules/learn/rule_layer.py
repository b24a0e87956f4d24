"""Everything of the rule layer, learned from records on top of the automata of a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from grl.board import Player
from grl.model import Model, Rules
from grl.progress import Progress, late, within
from grl.records import Moment, Records
from grl.rules.endings.learn import ending_learner, learn_endings
from grl.rules.endings.outcomes import with_doubts
from grl.rules.endings.pool import Pool
from grl.rules.endings.precedence import ordered, where
from grl.rules.endings.recorded import outcomes
from grl.rules.endings.rivals import rivals
from grl.rules.english.sentences import phrase
from grl.rules.features.cases import Generator, Setting
from grl.rules.features.decision_list import FEW
from grl.rules.features.vocabulary import words_of
from grl.rules.learn.control import followed, learn_control
from grl.rules.learn.crossing_rule import with_crossings
from grl.rules.learn.framing import Basis, Framed, framed_by_turns, well_framed
from grl.rules.learn.passing import learn_passing
from grl.rules.play.referee import Referee, presiding
from grl.rules.restrictions.labelled import Labelled, label, legal_turns
from grl.rules.restrictions.learn import SAMPLE, learn_restrictions
from grl.rules.restrictions.silence import Unplayed
from grl.rules.restrictions.strata import reordered
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary

MOST_TURNS = 500_000
"""Generated turns that are looked at for restrictions; further positions only show endings."""
MOST_FURTHER = 10 * MOST_TURNS
"""Where single turns are known so many further ones are looked at for rare kinds of turns."""


@dataclass(frozen=True)
class LearnedRules:
    """The rules and plain data about the learning, for people; what endings were learned from."""

    rules: Rules
    passes: Mapping[Player, str]
    report: dict[str, Any]
    pool: Pool | None = None


def learn_rules(
    model: Model,
    generator: Generator,
    records: Records,
    progress: Progress,
    *,
    beyond: bool = True,
) -> LearnedRules:
    """Restrictions, who moves next, endings, and passes, for each needs some of those before.

    `generator` gives the pseudo-legal turns of a position, every spelling of them. Moments `beyond`
    the sample may be looked at where single turns are known.
    """
    moments = records.sorted_moments()
    frames = framed_by_turns(model, generator, moments, within(progress, "symmetries"))
    setting = Setting(model.equipment, frames, generator)
    labelled: dict[int, Labelled] = {}
    looking = within(progress, "turns of positions")
    turns = 0
    for at in sorted(range(len(moments)), key=lambda number: moments[number].rank):
        labelled[at] = label(setting, moments[at])
        turns += len(labelled[at].cases)
        if late(looking, "turns of positions", len(labelled), len(moments)) or turns > MOST_TURNS:
            break
    # The others come behind, in their order; they show endings and who moves next.
    looked_at = sorted(labelled)
    moments = [
        moments[at] for at in chain(looked_at, sorted(set(range(len(moments))) - labelled.keys()))
    ]
    items = [labelled[at] for at in looked_at]
    words = words_of(model)
    vocabulary = TurnVocabulary.of(setting, words, items[:SAMPLE], items)
    survey = Survey(setting, items)

    def further() -> Iterator[tuple[float, Labelled]]:
        rest = (moment for moment in moments[len(items) :] if not moment.complete)
        turns = 0
        for moment in chain(rest, records.further() if beyond else ()):
            item = label(setting, moment)
            turns += len(item.cases)
            if turns > MOST_FURTHER:
                break
            yield moment.rank, item

    forbidden = learn_restrictions(vocabulary, survey, further, within(progress, "restrictions"))
    ends = records.sorted_ends()
    restrictions = reordered(
        setting,
        forbidden.rules,
        survey,
        [end.position for end in ends],
    )
    restrictions = with_crossings(model, restrictions, survey)
    del survey
    rules = Rules(setting.frames, restrictions)
    referee = presiding(setting, rules)
    passes = _passes(referee, model, moments)
    model = replace(model, passes=passes)
    moving = within(progress, "who moves next")
    played = followed(setting, moments, MOST_TURNS, moving)
    control = learn_control(vocabulary, played, moving)
    rules = replace(rules, control=control.rules)
    data = outcomes(presiding(setting, rules), moments, ends)
    model = replace(model, rules=rules)
    first = Framed(setting, rules, ending_learner(setting, model, data))
    ending = within(progress, "endings")
    framed = well_framed(first, model, Basis(items, played, moments, ends), ending)
    setting, rules, learner = framed
    endings = learn_endings(setting, model, learner, ending)
    if framed is not first and endings.unexplained >= FEW:
        others = learn_endings(first.setting, model, first.learner, ending)
        if others.rank < endings.rank:
            (setting, rules, learner), endings = first, others
    model = replace(model, rules=rules)
    recorded = learner.examples
    legal = [turn for item in items if item.complete for turn in legal_turns(item)]
    placed = ordered(Referee(setting, rules), endings.rules, recorded, legal)
    rules = replace(rules, endings=with_doubts(setting, placed.rules))
    doubted = (
        rivals(Referee(setting, rules), rules.endings, endings.pool, recorded, legal)
        if endings.pool is not None
        else []
    )
    pairs = zip(moments, items, strict=False)
    passing = learn_passing(setting, model, rules, pairs, within(progress, "passes"))
    rules = replace(rules, passing=passing.rules)
    report = {
        "restrictions": {
            "positions": len(items),
            "surplus": sum(item.surplus for item in items),
            "missing": sum(item.missing for item in items),
            "unexplained": forbidden.unexplained,
            **_silence(model, forbidden.unplayed),
        },
        "endings": {
            "terminal": sum(item.goals is not None for item in recorded.items),
            "going on": sum(item.goals is None for item in recorded.items),
            "unexplained": endings.unexplained,
            "early": endings.early,
            "undecided": [pair.to_dict() for pair in placed.undecided],
            "rivals": [rival.to_dict() for rival in doubted],
            "alone": placed.alone and where(placed.alone),
        },
        "control": {"turns": len(played), "wrong": control.wrong},
    }
    if "free" in passes.values():
        report["passes"] = {"positions": passing.positions, "wrong": passing.wrong}
    return LearnedRules(rules, passes, report, endings.pool)


def _silence(model: Model, unplayed: Unplayed | None) -> dict[str, Any]:
    """How odd it is that what rules forbid was never played, and the strongest habits shown."""
    if unplayed is None or model.rules is None:
        return {}
    strongest = [
        {
            "kind": phrase(model.equipment, "restriction", habit.kind),
            "played": habit.played,
            "expected": round(habit.expected, 1),
        }
        for habit in unplayed.habits.strongest
    ]
    strongest += [
        {
            "kind": " and ".join(phrase(model.equipment, "restriction", x) for x in rule.body),
            "played": 0,
            "expected": round(unplayed.expected[rule.body], 1),
        }
        for rule in unplayed.avoided
    ]
    return {"silence": unplayed.figures(model.rules.restrictions), "habits": strongest}


def _passes(referee: Referee, model: Model, moments: Sequence[Moment]) -> Mapping[Player, str]:
    """Who passes, and whether only when no other turn survives, as far as the records show."""
    free = {
        moment.position.to_move
        for moment in moments
        if "pass" in moment.turns and referee.survivors(moment.position)
    }
    return {player: "free" if player in free else "forced" for player in model.passes}
