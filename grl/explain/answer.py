"""Why a turn is legal or not, and what rules say of a position: as values, text and plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from grl.board import Player, Position
from grl.errors import GrlError
from grl.explain.doubts import doubts
from grl.explain.rulings import (
    Ruling,
    Trial,
    barring,
    controlling,
    ending_of,
    forbidding,
    trial,
)
from grl.explain.spelling import Spelling, spelling_of
from grl.explain.witnesses import needed
from grl.model import Status
from grl.moves.search import Searcher, distinct
from grl.rulebook import Rulebook
from grl.rules.english.effects import effect_sentences
from grl.rules.play.effects import generator_of, parted
from grl.rules.play.referee import Referee, candidate_of, referee_of
from grl.turn import PASS, Turn, play


class Verdict(StrEnum):
    """What decides about a turn."""

    LEGAL = "legal"
    OVER = "over"
    """The game is over."""
    LANGUAGE = "language"
    """The word is in no language of an automaton: the piece doesn't move so, or isn't his."""
    BOARD = "board"
    """The letters are words of the language, but what they say of the board is not so."""
    ORDER = "order"
    """The machines of whole turns refuse an action."""
    EFFECT = "effect"
    """The choices of the turn bring about other segments than it says."""
    FORBIDDEN = "forbidden"
    """A restriction forbids the turn."""
    PASS = "pass"
    """A pass that may not be."""


@dataclass(frozen=True)
class Explanation:
    """Why a turn is legal or not.

    `spelling` is None for a pass and after the end; `rule` is the restriction that forbids the
    turn as it is spelled, or the rule that forbids a pass; `instead` another spelling of the same
    effect that is legal; `ending` the rule by which the game is over. `effects` says what turns
    bring about, in English, where its choices are as they may be. `status` is how far the rules
    are to be trusted by which the turn is legal, or is not.
    """

    rows: tuple[str, ...]
    to_move: Player
    turn: str
    verdict: Verdict
    reason: str
    spelling: Spelling | None = None
    rule: Ruling | None = None
    instead: str = ""
    ending: Ruling | None = None
    effects: tuple[str, ...] = ()
    status: str = Status.CERTAIN.value

    @property
    def legal(self) -> bool:
        """Whether the turn may be played."""
        return self.verdict is Verdict.LEGAL

    def lines(self) -> Iterator[str]:
        """The explanation for people, the verdict first."""
        yield f"{self.turn}: {'legal' if self.legal else 'not legal'}"
        yield self.reason
        if self.status != Status.CERTAIN:
            yield f"Only {self.status} rules make it {'legal' if self.legal else 'illegal'}."
        if self.ending is not None:
            yield from _ruling(self.ending)
        if self.spelling is not None:
            yield from _spelled(self.spelling)
        yield from (f"  effect: {sentence}" for sentence in self.effects)
        if self.rule is not None:
            yield from _ruling(self.rule)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with `legal`."""
        return {"legal": self.legal, **asdict(self), "verdict": self.verdict.value}


@dataclass(frozen=True)
class Forbidden:
    """The pseudo-legal turns of a position that one rule forbids: how many, and one."""

    turns: int
    example: str
    rule: Ruling


@dataclass(frozen=True)
class Outlook:
    """What the rules say of a position: whether the game is over and why, and of its turns.

    `forbidden` groups the pseudo-legal turns that no spelling saves by the rule that drops the
    last of their spellings; a pass of a player who passes freely comes last. `doubtful` has the
    turns, legal or not, that would be judged otherwise without rules that are not certain, with
    the status of these.
    """

    rows: tuple[str, ...]
    to_move: Player
    terminal: bool
    reason: str
    ending: Ruling | None
    goals: Mapping[Player, int]
    turns: tuple[str, ...]
    forbidden: tuple[Forbidden, ...]
    doubtful: Mapping[str, str] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The same for people."""
        yield self.reason
        if self.ending is not None:
            yield from _ruling(self.ending)
        for turn in self.turns:
            status = self.doubtful.get(turn)
            yield f"  {turn}" + (f"  (by a {status} rule)" if status else "")
        for group in self.forbidden:
            also = "" if group.turns == 1 else f", and {group.turns - 1:,} more so"
            yield f"not legal: {group.example}{also}"
            yield from _ruling(group.rule)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


class Explainer:
    """The rules of one model, ready to be asked again and again."""

    def __init__(self, rulebook: Rulebook) -> None:
        model = rulebook.model
        self.rulebook = rulebook
        self._searcher = Searcher(model)
        self._generator = generator_of(model)
        self._referee: Referee | None = (
            None if model.rules is None else referee_of(model.initial, model.rules, self._generator)
        )

    def candidates(self, position: Position) -> list[Turn]:
        """The turns that pieces can do, whatever rules say."""
        return [candidate.turn for candidate in distinct(self._generator(position))]

    def control(self, position: Position, turn: Turn) -> Ruling | None:
        """The rule that says who moves after a turn; None where turn order does."""
        if self._referee is None or not self._referee.rules.control:
            return None
        return controlling(self._referee, position, turn)

    def turn(self, position: Position, turn: Turn | str) -> Explanation:
        """Why a turn is legal or not; raises `TurnSyntaxError` for text that is none."""
        parsed = Turn.parse(turn) if isinstance(turn, str) else turn
        answer = self._turn(position, parsed)
        found = doubts(self.rulebook, position)
        judged = Turn.parse(answer.instead) if answer.instead else parsed
        status = {**found.allowed, **found.forbidden}.get(judged, found.over or Status.CERTAIN)
        return replace(answer, status=status.value)

    def _turn(self, position: Position, parsed: Turn) -> Explanation:
        rows, mover, text = tuple(position.rows), position.to_move, str(parsed)
        legal = self.rulebook.legal(position)
        ending = None if self._referee is None else ending_of(self._referee, position)
        if ending is not None:
            reason = f"The game is over, by ending {ending.number}."
            return Explanation(rows, mover, text, Verdict.OVER, reason, ending=ending)
        if not parsed.segments:
            verdict = Verdict.LEGAL if parsed in legal else Verdict.PASS
            rule = self._barring(position)
            reason = self._passing(position, legal, rule)
            return Explanation(rows, mover, text, verdict, reason, rule=rule)
        effects = self.rulebook.model.effects
        chosen = parted(parsed)[0] if effects else parsed
        spelling = spelling_of(self._searcher, position, chosen)
        whole = self._whole(position, parsed) if effects and spelling.fits else parsed
        instead = _same_effect(position, parsed, legal)
        said = effect_sentences(self.rulebook.model) if spelling.fits else ()
        fits = spelling.fits and whole == parsed
        rule = self._forbidding(position, parsed) if fits else None
        if instead == text or (instead and fits and rule is None):
            reason = "The automata spell it, and no restriction forbids it."
            return Explanation(rows, mover, text, Verdict.LEGAL, reason, spelling, effects=said)
        verdict, reason = _fault(spelling, rule, None if whole == parsed else whole)
        if instead:
            verdict = Verdict.LEGAL
            reason = f"It has the effect of {instead}, which is legal. As it is spelled: {reason}"
        return Explanation(
            rows, mover, text, verdict, reason, spelling, rule, instead, effects=said
        )

    def position(self, position: Position) -> Outlook:
        """Whether the game is over and why; the legal turns; which rule forbids which others."""
        legal = tuple(map(str, self.rulebook.legal(position)))
        ending = None if self._referee is None else ending_of(self._referee, position)
        goals = {} if ending is None else dict(ending.goals)
        found = doubts(self.rulebook, position)
        doubted = {**found.allowed, **found.forbidden}
        forbidden = () if ending is not None else tuple(self._groups(position))
        if ending is not None:
            reason = f"The game is over, by ending {ending.number}: " + ", ".join(
                f"{player} {goal}" for player, goal in goals.items()
            )
        elif not legal:
            reason = (
                f"The game is over: {position.to_move} has no legal turn. "
                "The model knows no goals for that."
            )
        else:
            some = "one legal turn" if len(legal) == 1 else f"{len(legal)} legal turns"
            reason = f"{position.to_move} to move, {some}."
        return Outlook(
            tuple(position.rows),
            position.to_move,
            not legal,
            reason,
            ending,
            goals,
            legal,
            forbidden,
            {str(turn): status.value for turn, status in doubted.items()},
        )

    def _barring(self, position: Position) -> Ruling | None:
        """The rule that forbids a pass of a player who passes freely."""
        free = self.rulebook.model.passes.get(position.to_move) == "free"
        return barring(self._referee, position) if free and self._referee is not None else None

    def _passing(self, position: Position, legal: Sequence[Turn], rule: Ruling | None) -> str:
        mover = position.to_move
        when = self.rulebook.model.passes.get(mover)
        if when is None:
            return f"{mover} was never seen to pass."
        if rule is not None:
            return f"{mover} passes freely, but rule {rule.number} for passes forbids it here."
        if when == "free":
            some = self.rulebook.model.rules is not None and self.rulebook.model.rules.passing
            return f"{mover} may pass{', for no rule forbids it here' if some else ' at any time'}."
        if any(turn.segments for turn in legal):
            return f"{mover} may pass only with no other turn left, and has {len(legal)}."
        return f"{mover} has no other turn left, so a pass is due."

    def _whole(self, position: Position, turn: Turn) -> Turn:
        """The generated turn with the same choices; `turn` itself where there is none."""
        chosen = parted(turn)[0]
        found = (c.turn for c in self._generator(position) if parted(c.turn)[0] == chosen)
        return next(found, turn)

    def _forbidding(self, position: Position, turn: Turn) -> Ruling | None:
        if self._referee is None:
            return None
        tried = trial(self._referee, position)
        at = next((i for i, c in enumerate(tried.candidates) if c.turn == turn), None)
        if at is None:
            extra = candidate_of(position, turn, play(position, turn))
            tried = trial(self._referee, position, (extra,))
            at = len(tried.candidates) - 1
        return forbidding(self._referee, position, tried, at)

    def forbidden(self, position: Position) -> dict[int, list[Turn]]:
        """The turns that each restriction forbids, by its number, as in an `Outlook`."""
        if self._referee is None:
            return {}
        tried = trial(self._referee, position)
        return {
            number + 1: [tried.candidates[at].turn for at in lost]
            for number, lost in _by_rule(tried)
        }

    def ended_by(self, position: Position) -> tuple[str, ...]:
        """The squares whose pieces make the ending true by which the game is over, if any."""
        rule = None if self._referee is None else self._referee.ending(position)
        if self._referee is None or rule is None:
            return ()
        return needed(self._referee, position, rule)

    def _groups(self, position: Position) -> Iterator[Forbidden]:
        if self._referee is None:
            return
        tried = trial(self._referee, position)
        for _, lost in _by_rule(tried):
            rule = forbidding(self._referee, position, tried, lost[0])
            assert rule is not None
            yield Forbidden(len(lost), str(tried.candidates[lost[0]].turn), rule)
        against_passing = self._barring(position)
        if against_passing is not None:
            yield Forbidden(1, str(PASS), against_passing)


def explain(rulebook: Rulebook, position: Position, turn: Turn | str) -> Explanation:
    """Why a turn is legal or not in a position, by the automata, machines and rules that decide.

    Raises `TurnSyntaxError` for a text that is no turn.
    """
    return Explainer(rulebook).turn(position, turn)


def outlook(rulebook: Rulebook, position: Position) -> Outlook:
    """What a model says of a position: over or not and why, the turns, and what forbids others."""
    return Explainer(rulebook).position(position)


def _by_rule(tried: Trial) -> list[tuple[int, list[int]]]:
    """The places of rules, and of the candidates that each of them forbids."""
    found: dict[int, list[int]] = {}
    for at in _lost(tried):
        found.setdefault(tried.dropped[at][0], []).append(at)
    return sorted(found.items())


def _lost(tried: Trial) -> list[int]:
    """For each effect without a surviving spelling the candidate that was dropped last."""
    alive = {candidate.effect for candidate in distinct(tried.survivors)}
    last: dict[object, int] = {}
    for at, (number, _) in tried.dropped.items():
        effect = tried.candidates[at].effect
        if effect not in alive and (effect not in last or number > tried.dropped[last[effect]][0]):
            last[effect] = at
    return sorted(last.values())


def _same_effect(position: Position, turn: Turn, legal: Sequence[Turn]) -> str:
    """A legal turn with the first origin and the effect of `turn`, itself first; or ``""``."""
    if turn in legal:
        return str(turn)
    try:
        effect = turn.effect(position)
    except GrlError:
        return ""
    return next((str(other) for other in legal if other.effect(position) == effect), "")


def _fault(spelling: Spelling, rule: Ruling | None, whole: Turn | None) -> tuple[Verdict, str]:
    """What is wrong with a turn that is not legal as it is spelled.

    `whole` is the turn with what its choices bring about, where that is another turn.
    """
    if spelling.language:
        also = f" Nor does it fit the board: {spelling.board}." if spelling.board else ""
        return Verdict.LANGUAGE, f"Not in the language: {spelling.language}.{also}"
    if spelling.board:
        return Verdict.BOARD, f"It doesn't fit the board: {spelling.board}."
    if spelling.order:
        return Verdict.ORDER, f"The order of the turn: {spelling.order}."
    if whole is not None:
        brought = "; ".join(map(str, parted(whole)[1])) or "nothing else"
        return Verdict.EFFECT, f"Its choices bring about {brought}."
    if rule is not None:
        return (
            Verdict.FORBIDDEN,
            f"The automata spell it, but restriction {rule.number} forbids it.",
        )
    return Verdict.LANGUAGE, "The automata spell it, but the search doesn't find it."


def _spelled(spelling: Spelling) -> Iterator[str]:
    for stretch in spelling.segments:
        holds = "nothing" if stretch.holds == "." else stretch.holds
        automaton = stretch.automaton or "no automaton"
        yield f"  {stretch.origin} holds {holds}: {automaton}"
        for step in stretch.steps:
            where = f"to {step.square}" if step.square else "leads nowhere"
            state = "no state" if step.state is None else f"state {step.state}"
            yield f"    {step.letter} {where}: {state}"
    if spelling.actions:
        yield f"  as actions: {', '.join(spelling.actions)}"


def _ruling(rule: Ruling) -> Iterator[str]:
    doubt = "" if rule.status == Status.CERTAIN else f" ({rule.status})"
    yield f"  rule {rule.number}{doubt}: {rule.sentence}"
    for finding in rule.findings:
        said = [f"{role} is {square}" for role, square in finding.squares.items()]
        if finding.rivals:
            more = f" and {finding.others:,} more" if finding.others else ""
            said.append("as for " + ", ".join(finding.rivals) + more)
        if said:
            yield f"    {finding.clause}: {'; '.join(said)}"
