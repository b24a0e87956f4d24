"""Part by part what a model is sure of and what its records lack, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from grl.showing import count

if TYPE_CHECKING:
    from grl.model import Model, Rule

MOST_BITS = 40.0
PARTS = ("restrictions", "endings", "control")


class Standing(NamedTuple):
    """A part of a model: what was learned from what, and what it lacks."""

    part: str
    learned: str
    lacks: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """The part on a line, what it lacks below."""
        yield f"{self.part}: {self.learned}"
        yield from (f"  {lack}" for lack in self.lacks)


def standings(model: Model) -> list[Standing]:
    """The parts of the rule layer; [] where none was learned or the model has no report."""
    rules = model.rules
    if rules is None or "restrictions" not in model.report:
        return []
    forbidden, ended, moved = (_figures(model, part) for part in PARTS)
    singles = model.report.get("complete") == 0
    players = len(model.equipment.players)
    found = [
        Standing(
            "restrictions",
            _restrictions(rules.restrictions, forbidden),
            (
                *_restrictions_lack(forbidden, singles),
                *_silence_lacks(model, rules.restrictions),
            ),
        ),
        Standing(
            "endings",
            _endings(rules.endings, ended),
            (*_endings_lack(rules.endings, ended), *_undecided_lack(model)),
        ),
        Standing(
            "who moves next",
            _control(rules.control, moved, players),
            tuple(_control_lacks(rules.control, moved)),
        ),
    ]
    if "passes" in model.report:
        passed = _figures(model, "passes")
        lacks = tuple(_passes_lack(rules.passing, passed))
        found.append(Standing("passes", _passes(rules.passing, passed), lacks))
    return found


def passing(model: Model) -> Iterator[str]:
    """For each player that passes, when."""
    free = " where no rule forbids it" if model.rules and model.rules.passing else ""
    for player, when in model.passes.items():
        yield f"{player} may pass{free if when == 'free' else ' when there is no other turn'}"


def _figures(model: Model, part: str) -> Counter[str]:
    """The numbers that a model's report has on a part; 0 for those that it lacks."""
    report = model.report.get(part)
    items = report.items() if isinstance(report, Mapping) else ()
    return Counter({key: number for key, number in items if type(number) is int})


def automaton_lacks(report: Mapping[str, Any], model: Model) -> Iterator[str]:
    """Why an automaton is not sure, in words, and what would settle it.

    `report` is its entry in the model's report.
    """
    from grl.sgrl.confidence import DOUBT_BITS, FEW, FEW_BY_TRANSITION, FEW_GAMES
    from grl.summary.wanted import wanted

    key, word = report["key"], ""
    said = False
    if report["support"] < FEW:
        yield f"'{report['weakest']}' was seen {count(report['support'], 'time')} only"
        said, word = True, report["weakest"]
    games, least = report.get("games", FEW_GAMES), report.get("least_games", FEW_GAMES)
    if games < FEW_GAMES or least < FEW_BY_TRANSITION:
        said = True
        yield f"its words were seen in {count(games, 'game')}" + (
            f", some in {least} only" if least < games else " only"
        )
    if report["doubt"] > DOUBT_BITS:
        yield f"a word of its language was offered and not seen ({report['doubt']} bits)"
        said = True
    if report["open"]:
        yield "too seldom offered to decide: " + ", ".join(f"'{word}'" for word in report["open"])
        said, word = True, report["open"][0]
    if not said:
        yield "the records hold too many suspicious turns"
        return
    position = wanted(model, key, word) if word else ""
    if position:
        yield f"to settle '{word}' record all legal turns with {position}"
    yield "grl ask MODEL TRACES asks about such positions"


def _restrictions(rules: Sequence[Rule], report: Counter[str]) -> str:
    positions = count(report["positions"], "position")
    if not report["surplus"]:
        return f"none needed: in {positions} all was legal that pieces can do"
    surplus = report["surplus"]
    turns = f"{count(surplus, 'turn')} that {'is' if surplus == 1 else 'are'}"
    return f"{count(len(rules), 'rule')} for {turns} not known to be legal, in {positions}"


def _restrictions_lack(report: Counter[str], singles: bool) -> Iterator[str]:
    if singles:
        yield (
            "no record lists all legal turns: what was never played is forbidden "
            "where that would be a great coincidence, and legal elsewhere"
        )
    if report["missing"]:
        yield f"{count(report['missing'], 'legal turn')} that no automaton allows"
    if report["unexplained"]:
        yield f"{count(report['unexplained'], 'position')} in which the rules leave the wrong turns"


def _silence_lacks(model: Model, rules: Sequence[Rule]) -> Iterator[str]:
    """Why restrictions are provisional: habits may be why turns were not played. Then these."""
    said = dict(habitual(model))
    for number, rule in enumerate(rules, 1):
        if number in said:
            yield (
                f"rule {number} is open: what it forbids was never played, where an even choice "
                f"would have played it {said[number]}"
            )
        else:
            yield from _doubt(number, rule)
    yield from _habits(model)


def _habits(model: Model) -> Iterator[str]:
    """The strongest habits that a report has."""
    part = model.report.get("restrictions")
    habits = part.get("habits") if isinstance(part, Mapping) else None
    for habit in habits if isinstance(habits, list) else ():
        match habit:
            case {
                "kind": str(kind),
                "played": int(played),
                "expected": int() | float() as expected,
            }:
                yield (
                    f"a habit, no rule: '{kind}' is true of {count(played, 'turn')} played, of "
                    f"{round(expected):,} by an even choice"
                )


def habitual(model: Model) -> Iterator[tuple[int, str]]:
    """The numbers of those restrictions that a habit may explain.

    With each comes how often an even choice would have played what it forbids, and which habit may
    be why nobody did.
    """
    part = model.report.get("restrictions")
    figures = part.get("silence") if isinstance(part, Mapping) else None
    rules = model.rules.restrictions if model.rules is not None else ()
    for figure in figures if isinstance(figures, list) else ():
        match figure:
            case {
                "rule": int(number),
                "expected": int() | float() as expected,
                "bits": int() | float() as bits,
                "open": True,
                "preferred": bool(preferred),
            } if 0 < number <= len(rules):
                times = count(round(expected), "time")
                if preferred:
                    yield number, f"{times}; but players may always prefer the other turns there"
                else:
                    kinds = f"one of {round(2.0 ** min(bits, MOST_BITS)):,} legal kinds of turns"
                    yield number, f"{times}; by the habits that the records show {kinds} is as rare"


def _endings(rules: Sequence[Rule], report: Counter[str]) -> str:
    if not report["terminal"]:
        return "none seen"
    ended = count(report["terminal"], "position")
    going = count(report["going on"], "position")
    return (
        f"{count(len(rules), 'rule')} for {ended} in which the game was over, "
        f"against {going} in which it went on"
    )


def _endings_lack(rules: Sequence[Rule], report: Counter[str]) -> Iterator[str]:
    if not report["terminal"]:
        yield (
            "no game of the records was played to its end: "
            "without a turn it is over, and its goals are unknown"
        )
        return
    if report["unexplained"]:
        yield f"{count(report['unexplained'], 'terminal position')} that the rules get wrong"
    if report["early"]:
        yield f"{count(report['early'], 'position')} that a rule calls terminal, yet play went on"
    if not any(_names_stuck(rule) for rule in rules):
        yield (
            "no position without a turn had to be distinguished from others: "
            "where no rule covers it, the game is over and its goals are unknown"
        )
    yield from _doubtful(rules)


def undecided(model: Model) -> Iterator[tuple[int, int, str]]:
    """Pairs of endings, numbered from 1, whose order no record shows, and where both hold."""
    part = model.report.get("endings")
    number = len(model.rules.endings) if model.rules is not None else 0
    pairs = part.get("undecided") if isinstance(part, Mapping) else None
    for pair in pairs if isinstance(pairs, list) else ():
        match pair:
            case {
                "rules": [int(first), int(second)],
                "rows": list(rows),
                "to_move": str(mover),
            } if 0 < first < second <= number:
                yield first, second, _where(rows, mover)


def rivalled(model: Model) -> Iterator[tuple[int, str]]:
    """Endings, numbered from 1, that a rule as simple could replace, and where that matters."""
    part = model.report.get("endings")
    number = len(model.rules.endings) if model.rules is not None else 0
    rivals = part.get("rivals") if isinstance(part, Mapping) else None
    for rival in rivals if isinstance(rivals, list) else ():
        match rival:
            case {"rule": int(ending), "rows": list(rows), "to_move": str(mover)} if (
                0 < ending <= number
            ):
                yield ending, _where(rows, mover)


def alone(model: Model) -> str | None:
    """A position in which only the player to move has no turn, where no record shows such an
    end."""
    part = model.report.get("endings")
    match part.get("alone") if isinstance(part, Mapping) else None:
        case {"rows": list(rows), "to_move": str(mover)}:
            return _where(rows, mover)
    return None


def _where(rows: Sequence[object], mover: str) -> str:
    return f"{'/'.join(map(str, rows))}, {mover} to move"


def _undecided_lack(model: Model) -> Iterator[str]:
    if where := alone(model):
        yield (
            "all ends without a turn that the records show leave nobody one: "
            f"what becomes of a player who alone has none is a guess: {where}"
        )
    for ending, where in rivalled(model):
        yield f"a rule as simple explains all that rule {ending} does, and says otherwise: {where}"
    for first, second, where in undecided(model):
        yield f"no record shows whether rule {first} or {second} counts where both hold: {where}"


def _names_stuck(rule: Rule) -> bool:
    return any(literal.holds and literal.feature == ("stuck", 0) for literal in rule.body)


def _control(rules: Sequence[Rule], report: Counter[str], players: int) -> str:
    if players == 1:
        return "the only player"
    if not rules:
        return "always the next player in turn order"
    turns = count(report["turns"], "turn")
    return f"{count(len(rules), 'rule')} from {turns}; else the next player in turn order"


def _control_lacks(rules: Sequence[Rule], report: Counter[str]) -> Iterator[str]:
    if report["wrong"]:
        wrong = count(report["wrong"], "turn")
        yield f"{wrong} after which another player moved than the rules say"
    yield from _doubtful(rules)


def _passes(rules: Sequence[Rule], report: Counter[str]) -> str:
    if not report["positions"]:
        return "legal at any time, for all that is known"
    positions = count(report["positions"], "position")
    if not rules and not report["wrong"]:
        return f"legal in all {positions} whose player passes freely"
    return f"{count(len(rules), 'rule')} from {positions} whose player passes freely"


def _passes_lack(rules: Sequence[Rule], report: Counter[str]) -> Iterator[str]:
    if not report["positions"]:
        yield "no record lists all legal turns: where a pass is illegal can't be told"
    if report["wrong"]:
        yield f"{count(report['wrong'], 'position')} in which the rules get a pass wrong"
    yield from _doubtful(rules)


def _doubtful(rules: Sequence[Rule]) -> Iterator[str]:
    for number, rule in enumerate(rules, 1):
        yield from _doubt(number, rule)


def _doubt(number: int, rule: Rule) -> Iterator[str]:
    if rule.against:
        speak = "position speaks" if rule.against == 1 else "positions speak"
        yield f"rule {number} is provisional: {rule.against:,} {speak} against it"
    elif rule.provisional:
        yield f"rule {number} is provisional: it rests on {count(rule.support, 'position')}"
