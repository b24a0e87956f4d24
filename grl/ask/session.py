"""Asking and learning on: a few questions, an answer to each, a new model, and so on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random
from typing import Any

from grl.ask.answers import (
    Answer,
    EndOfAnswers,
    Oracle,
    Question,
    effect_of,
    read_plays,
    write_plays,
)
from grl.ask.committee import Committee, Saying, disagreement
from grl.ask.rivals import rivals
from grl.ask.scout import Scout, Sight, unknown_end
from grl.board import Player, Position
from grl.errors import LearnError, Place
from grl.learning import learn
from grl.logic.perspectives import frames_of
from grl.model import Rules
from grl.moves.candidate import Candidate
from grl.moves.search import distinct
from grl.progress import Progress, silent
from grl.records import Records
from grl.rulebook import Rulebook
from grl.rules.play.effects import generator_of
from grl.shards import observe
from grl.traces import Traces

RIVALS = 6
"""Rivals of the restrictions, and as many of the endings."""
BATCH = 4
"""Questions between two lessons."""
NOVEL = 0.2
"""How novel a position has to be for a question that no dispute asks for."""

Source = str | os.PathLike[str]


class Session:
    """One course of questions: what was asked and answered, and the model that came of it.

    `sources` are trace files, and `answers` the file to which answers go; what it holds already
    counts as records. The model is learned from them unless `rulebook` gives it and there are no
    answers yet. After each `BATCH` of answers it is learned anew. Equal seeds and answers make
    equal sessions. Raises as `grl.learn` does.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        answers: Source,
        *,
        rulebook: Rulebook | None = None,
        seed: int = 0,
        progress: Progress = silent,
    ) -> None:
        self._sources = [path for path in sources if not _same(path, answers)]
        self._answers = answers
        self._plays: list[dict[str, Any]] = read_plays(answers)
        self._seed = seed
        self._progress = progress
        self._passed_over: set[object] = set()
        if rulebook is None or self._plays:
            self.rulebook = self._learned()
        else:
            self.rulebook = rulebook
            _check_game(rulebook, self._sources)
        self.answered = 0
        self.over = False

    def round(self, oracle: Oracle, most: int) -> int:
        """Ask up to `most` questions, no more than a batch, and learn from the answers.

        How many were answered. At 0 the session is over: there is nothing left to ask, or nobody
        answers.
        """
        round_ = _Round(self.rulebook, self._records(), self._seed, self._progress)
        answered = 0
        while answered < min(most, BATCH):
            found = round_.choose(self._passed_over)
            if found is None:
                break
            sight, reason = found
            try:
                answer = oracle(round_.question(sight, reason))
            except EndOfAnswers:
                self.over = True
                break
            self._passed_over.add(sight.position.outcome)
            if answer is not None:
                self._note(answer)
                answered += 1
                if not round_.note(sight, answer):
                    break
        if answered:
            self.rulebook = self._learned()
        else:
            self.over = True
        return answered

    def _note(self, answer: Answer) -> None:
        """Write an answer at once: whoever answered should not have to do so again."""
        self._plays.append(answer.play(f"q{len(self._plays) + 1}"))
        write_plays(self._answers, self.rulebook.model, self._plays)
        self.answered += 1

    def _files(self) -> list[Source]:
        return [*self._sources, self._answers] if self._plays else list(self._sources)

    def _learned(self) -> Rulebook:
        return learn(self._files(), progress=self._progress)

    def _records(self) -> Records:
        files = [Traces.open(path) for path in self._files()]
        return observe(files, 1, self._progress).records


class _Round:
    """The theories and the positions from which a batch of questions is taken."""

    def __init__(self, rulebook: Rulebook, records: Records, seed: int, progress: Progress) -> None:
        model = rulebook.model
        generator = generator_of(model)
        chosen = model.rules or Rules(frames_of(model.initial))
        others = rivals(model, generator, records, RIVALS, progress)
        self._committee = Committee(model, generator, [chosen, *others])
        rng = Random(f"{seed} {len(records.moments)} {len(records.ends)}")
        self._scout = Scout(self._committee, records, rng)
        self._sights = self._scout.sights()
        self._alive = list(range(1 + len(others)))
        self._asked_end = False
        self._turn_about = False

    def choose(self, passed_over: set[object]) -> tuple[Sight, str] | None:
        """The position to ask next, and why; None where nothing is worth a question."""
        sights = [s for s in self._sights if s.position.outcome not in passed_over]
        for sight in sights:
            if unknown_end(sight.sayings) and not self._asked_end:
                self._asked_end = True
                return sight, "The model finds no legal turn, and has no goals for that."
        for sight in sights:
            piece = self._scout.new_piece(sight)
            if piece is not None:
                return sight, f"No record shows what {sight.position.to_move} does with {piece}."
        novel_first = self._turn_about
        self._turn_about = not novel_first
        ways = (self._disputed, self._novel)
        for way in reversed(ways) if novel_first else ways:
            found = way(sights)
            if found is not None:
                return found
        return None

    def _disputed(self, sights: Sequence[Sight]) -> tuple[Sight, str] | None:
        """The position on which the theories that are left differ most, the nearest of several."""
        best = max(sights, key=lambda s: (self._dispute(s), -s.plies), default=None)
        if best is None or self._dispute(best) == 0:
            return None
        sayings = {best.sayings[i] for i in self._alive}
        return best, (
            f"{len(self._alive)} theories explain the records as well as one another; "
            f"here they say {len(sayings)} things."
        )

    def _novel(self, sights: Sequence[Sight]) -> tuple[Sight, str] | None:
        """The position most unlike the recorded ones, the nearest of several."""
        best = max(sights, key=lambda s: (self._scout.novelty(s), -s.plies), default=None)
        if best is None or self._scout.novelty(best) < NOVEL:
            return None
        return best, "No recorded position is like this one."

    def _dispute(self, sight: Sight) -> float:
        return disagreement([sight.sayings[i] for i in self._alive]) if self._alive else 0.0

    def note(self, sight: Sight, answer: Answer) -> bool:
        """Drop the theories that an answer refutes; whether more questions make sense."""
        truth = self._committee.saying_of(answer)
        self._alive = [i for i in self._alive if sight.sayings[i] == truth]
        self._scout.note(sight)
        return 0 in self._alive or len(self._alive) > 1

    def question(self, sight: Sight, reason: str) -> Question:
        """A position as it is put to whoever answers."""
        position = sight.position
        (saying, *_), cases = self._committee.says(position)
        kept = distinct(case.candidate for case in cases)
        held = {effect_of(position, c.turn) for c in kept}
        others = [
            c
            for c in distinct(self._committee.candidates(position))
            if effect_of(position, c.turn) not in held
        ]
        said = [sight.sayings[i] for i in self._alive]
        return Question(
            position,
            reason,
            tuple(str(c.turn) for c in (*kept, *others)),
            tuple(str(c.turn) for c in kept),
            frozenset(str(c.turn) for c in (*kept, *others) if _doubtful(position, c, said)),
            saying[0] == "over",
            _goals(position, saying),
        )


def _doubtful(position: Position, candidate: Candidate, said: Sequence[Saying]) -> bool:
    """Whether some of the sayings hold a turn legal and others don't."""
    effect = effect_of(position, candidate.turn)
    votes = {s[0] == "turns" and effect in _effects(s) for s in said}
    return len(votes) > 1


def _effects(saying: Saying) -> frozenset[object]:
    effects = saying[1]
    assert isinstance(effects, frozenset)
    return effects


def _goals(position: Position, saying: Saying) -> dict[Player, int]:
    """The goals by player that a saying gives."""
    if saying[0] != "over" or saying[1] is None:
        return {}
    assert isinstance(saying[1], tuple)
    players = position.equipment.players
    first = players.index(position.to_move)
    by_player = {players[(first + s) % len(players)]: goal for s, goal in enumerate(saying[1])}
    return {player: by_player[player] for player in players}


def _check_game(rulebook: Rulebook, sources: Sequence[Source]) -> None:
    for path in sources:
        if Traces.open(path).header.equipment != rulebook.model.equipment:
            raise LearnError(
                "the records are of another game than the model",
                place=Place(file=os.fspath(path)),
                expected="the records that the model was learned from",
            )


def _same(one: Source, other: Source) -> bool:
    # Not Path.resolve, which raises at links that lead to themselves.
    return os.path.realpath(one) == os.path.realpath(other)
