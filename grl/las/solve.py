"""The front of the learner: chooses a layer, watches the clock, and says what was found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from grl.las.analyse import ENUMERATED, FAST, GENERAL, ORDERINGS, Analysis, analyse
from grl.las.bias import permitted
from grl.las.clock import Clock, OutOfTime
from grl.las.cover import Cover
from grl.las.enumerated import EnumeratedSearch
from grl.las.general import Best, Found, General
from grl.las.preferences import Chosen, Preferences, TooMany, only_weak
from grl.las.space import few_rules, sorted_space
from grl.las.task import Task, TaskError
from grl.las.terms import Rule, Weak
from grl.las.tokens import LARGEST
from grl.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search came to. `rules` None: there is no hypothesis, or none was found in time.

    `cost` counts the rules and the penalties of what is `uncovered`; no hypothesis costs less than
    `bound`; `proven` says that the search ended by itself.
    """

    rules: tuple[Rule, ...] | None
    cost: int
    bound: int
    proven: bool
    layer: str
    uncovered: tuple[str, ...] = ()

    def program(self) -> tuple[str, ...]:
        """The rules as text that clingo gives the same meaning.

        Weak constraints count a weight once for equal tuples; where two of them could yield the
        same tuple their numbers are put in front.
        """
        rules = self.rules or ()
        shapes = [_shape(rule) for rule in rules]
        return tuple(
            _numbered(number, rule) if shape is not None and shapes.count(shape) > 1 else str(rule)
            for number, (rule, shape) in enumerate(zip(rules, shapes, strict=True), 1)
        )

    def to_dict(self) -> dict[str, Any]:
        """The outcome as JSON: `status` is optimal, feasible, unsatisfiable or unknown."""
        if self.rules is None:
            status = "unsatisfiable" if self.proven else "unknown"
        else:
            status = "optimal" if self.proven else "feasible"
        return {
            "status": status,
            "rules": None if self.rules is None else list(self.program()),
            "cost": None if self.rules is None else self.cost,
            "bound": self.bound,
            "uncovered": list(self.uncovered),
            "layer": self.layer,
        }

    @property
    def unsatisfiable(self) -> bool:
        """Whether it is proven that no hypothesis covers the examples."""
        return self.rules is None and self.proven


Better = Callable[[Outcome], None]
"""Called with each outcome that is better than those before; none of them is proven."""


def unheard(_: Outcome) -> None:
    """The hook that nobody hears."""


def solve(
    task: Task,
    *,
    time_limit: float | None = None,
    progress: Progress = silent,
    better: Better = unheard,
    layer: str | None = None,
    quick: bool = False,
) -> Outcome:
    """The hypothesis of least cost, or the best one known when the time or the user ends it.

    `layer` names the layer instead of the analysis: only the general one solves every task.
    With `quick` a small space is written out, which spares the import of numpy, and weak
    constraints alone are learned from listed answer sets; of hypotheses of equal cost it may be
    another.
    Grounding can't be interrupted here; `grl.supervise` ends it from outside, and what `better`
    heard of is then the best known. Raises `TaskError` where clingo can't ground the task, or
    can't count as far as its numbers go.
    """
    try:
        return _solve(task, Clock(time_limit), progress, better, layer, quick)
    except OverflowError:
        raise TaskError(
            "costs, weights or penalties are too large for clingo",
            expected=f"at most {LARGEST}, for each rule of the space too",
        ) from None


def _solve(
    task: Task,
    clock: Clock,
    progress: Progress,
    better: Better,
    layer: str | None,
    quick: bool,
) -> Outcome:
    try:
        analysis = analyse(task, clock)
    except (OutOfTime, KeyboardInterrupt):
        return Outcome(None, 0, 0, False, "none")
    if analysis.layer in (FAST, ENUMERATED) and layer in (None, FAST, ENUMERATED):
        few = quick and layer is None and few_rules(task)
        if analysis.layer == FAST and layer != ENUMERATED and not few:
            found = _fast(task, analysis, clock, progress, better)
            if found is not None:
                return found
        return _written(task, analysis, clock, progress, better)
    name = GENERAL if analysis.layer in (FAST, ENUMERATED) else analysis.layer
    return _general(task, clock, progress, better, name, quick and layer is None)


def _fast(
    task: Task, analysis: Analysis, clock: Clock, progress: Progress, better: Better
) -> Outcome | None:
    """None where the tables would be too large."""
    # Its tables need numpy, whose import takes longer than a small task.
    from grl.las.coverage import Coverage
    from grl.las.tables import TooLarge

    search = Coverage(task, analysis.worlds, analysis.targets, clock, progress)
    search.on_better = lambda cover: better(_feasible(cover, search.bound, FAST))
    proven = True
    try:
        found = search.run()
    except (OutOfTime, KeyboardInterrupt):
        found, proven = search.best, False
    except TooLarge:
        return None
    if found is None:
        return Outcome(None, 0, search.bound, proven, FAST)
    outcome = _feasible(found, search.bound, FAST)
    return replace(outcome, bound=found.cost, proven=True) if proven else outcome


def _feasible(cover: Cover, bound: int, layer: str) -> Outcome:
    """An outcome that nobody has proven to be the best."""
    rules = tuple(one.rule for one in cover.chosen)
    return Outcome(_sorted(rules), cover.cost, bound, False, layer, cover.uncovered)


def _written(
    task: Task, analysis: Analysis, clock: Clock, progress: Progress, better: Better
) -> Outcome:
    search = None
    proven = True
    try:
        rules = analysis.rules or permitted(task, sorted_space(task, clock))
        search = EnumeratedSearch(task, rules, analysis.worlds, analysis.targets, clock, progress)
        search.on_better = lambda cover: better(_feasible(cover, 0, ENUMERATED))
        found = search.run()
    except (OutOfTime, KeyboardInterrupt):
        found, proven = None if search is None else search.best, False
    if found is None:
        return Outcome(None, 0, 0, proven, ENUMERATED)
    outcome = _feasible(found, 0, ENUMERATED)
    return replace(outcome, bound=found.cost, proven=True) if proven else outcome


def _general(
    task: Task, clock: Clock, progress: Progress, better: Better, layer: str, listing: bool
) -> Outcome:
    """`listing`: where weak constraints alone are learned, answer sets may be listed."""
    rules: list[Rule] = []

    def made(found: Found, bound: int) -> Outcome:
        chosen = tuple(rules[number] for number in found.rules)
        least = found.cost if found.proven else bound
        return Outcome(_sorted(chosen), found.cost, least, found.proven, layer, found.uncovered)

    best = Best(on_better=lambda found: better(made(found, best.bound)))
    listed: Preferences | None = None
    try:
        rules = permitted(task, sorted_space(task, clock))
        if listing and layer == ORDERINGS and only_weak(rules):
            listed = Preferences(task, rules, clock)
            listed.on_better = lambda one: better(made(_found(one), listed.bound))
            with suppress(TooMany):
                one = listed.run()
                return (
                    Outcome(None, 0, 0, True, layer)
                    if one is None
                    else made(replace(_found(one), proven=True), one.cost)
                )
        found = General(task, rules, clock, progress, best).run()
        if found is None:
            return Outcome(None, 0, 0, True, layer)
    except (OutOfTime, KeyboardInterrupt):
        found = best.found
        if listed is not None and listed.best is not None:
            found = _found(listed.best)
        if found is None:
            return Outcome(None, 0, best.bound, False, layer)
    return made(found, best.bound)


def _found(one: Chosen) -> Found:
    return Found(one.rules, one.cost, False, one.uncovered)


def _sorted(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(sorted(rules, key=lambda rule: (rule.cost, str(rule))))


def _shape(rule: Rule) -> tuple[str, int, int] | None:
    """Weak constraints of equal shape may yield equal tuples."""
    if not isinstance(rule.head, Weak):
        return None
    return str(rule.head.weight), rule.head.level, len(rule.head.terms)


def _numbered(number: int, rule: Rule) -> str:
    assert isinstance(rule.head, Weak)
    body = "; ".join(map(str, rule.body))
    terms = ", ".join(map(str, (number, *rule.head.terms)))
    return f":~ {body}.[{rule.head.weight}@{rule.head.level}, {terms}]"
