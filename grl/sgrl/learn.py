"""SGRL+: a minimal DFA for every piece, from the words that were and were not played.

The GRL paper (sections 2.2 and 3.2) merges states of a prefix tree while no word is generated
that the records refuse. A refusal at one position proves little, though: a word may belong to
the piece and be forbidden there by a rule about positions. So candidates are weighed: a
candidate costs the bits of its description and, for every word that it offers and that was never
seen, the bits of that silence (see `grl.sgrl.silence`). Candidates are the k-testable languages of
the words seen, from k = 1 to the prefix tree itself; the best are then merged state by state, blue
fringe order, as long as the total falls.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

from grl.board import Equipment
from grl.model import AutomatonKey, Dfa, Role
from grl.progress import Progress, always, late, silent, within
from grl.sgrl.automaton import FINAL, START, Automaton, canonical, k_testable, merged, to_dfa
from grl.sgrl.collect import OFFERED, collect
from grl.sgrl.confidence import Confidence, confidence
from grl.sgrl.edges import meeting
from grl.sgrl.evidence import Evidence
from grl.sgrl.minimality import Minimality, prove_minimal
from grl.sgrl.offers import prune
from grl.sgrl.pool import Pool, pools
from grl.sgrl.symmetry import Symmetry
from grl.sgrl.unmoved import with_unmoved
from grl.sgrl.words import NEXT, Word

MERGING = "movement: merging"
SMALL_CONTEXT = 4
"""k-testable candidates up to this k are always tried."""
MERGE_BUDGETS = (0.5, 4.0, 16.0)
"""How many bits of silence a single merge may add."""
SLACK = 1e-6
"""By how much sums of bits may differ with the order in which they are added."""
REVISIONS = 8
"""How often an automaton is learned from words of one length, with more of those that it lacks."""
MAX_ROUNDS = 4
"""Where single moves are known, how often one was to be expected depends on the language."""
MOST_PAIRS = 10_000
RIVAL = 1.5
"""Candidates that cost up to this many times the best one's bits are merged as well."""
RIVAL_SIZE = 3
"""But those with more than so many times its states are not: pairs to merge are too many."""


@dataclass(frozen=True, slots=True)
class Learned:
    """An automaton with what speaks for it; `automaton` is its form with marks, spelled plainly.

    `words` is the number of different words seen of this piece, `images` the number of mirror
    images that share their evidence. `bits` is the cost of the automaton and `silence` the part
    of it that unseen words have.
    """

    dfa: Dfa
    automaton: Automaton
    words: int
    images: int
    bits: float
    silence: float
    confidence: Confidence
    minimality: Minimality | None = None


def learn_automata(
    evidence: Evidence,
    equipment: Equipment,
    *,
    symmetry: bool = True,
    prove: bool = False,
    progress: Progress = silent,
) -> list[Learned]:
    """The automata of all pieces that `evidence` shows, sorted by key.

    With `prove` clingo tries to prove for each that no smaller one fits the evidence.
    """
    further = within(progress, "later segments")
    progress(OFFERED, 0, None)
    trees = collect(evidence, equipment, progress=further)
    wrapping = meeting(trees, equipment.board)
    if wrapping:
        trees = collect(evidence, equipment, wrapping, further)
    if symmetry:
        trees = with_unmoved(trees, equipment)
    learned: dict[AutomatonKey, Learned] = {}
    moving = within(progress, "movement")
    for _ in range(MAX_ROUNDS):
        pooled = pools(trees, equipment, symmetry=symmetry)
        before, learned = learned, {}
        known: dict[AutomatonKey, Cheapest] = {}
        for done, key in enumerate(sorted(pooled)):
            hook = always(moving, f"movement: {key}", done, len(pooled))
            known[key] = _mirrored(key, pooled, known) or cheapest(pooled[key], hook)
            learned[key] = _learned(key, pooled, known[key])
        known.clear()
        scenes = {id(tree.scene): tree.scene for tree in trees.values()}
        if all(scene.complete.all() for scene in scenes.values()) or _same(before, learned):
            break
        if late(moving, "movement", 0, None):
            break
        language = {
            tree: list(pooled[key].language(learned[key].automaton)) if key in pooled else []
            for key, tree in trees.items()
        }
        for scene in scenes.values():
            scene.calibrate(language)
    if prove:
        for done, key in enumerate(sorted(learned)):
            if late(moving, f"minimality: {key}", done, len(learned)):
                break
            minimality = prove_minimal(learned[key].automaton, pooled[key])
            learned[key] = replace(learned[key], minimality=minimality)
    progress("movement", len(trees), len(trees))
    return [learned[key] for key in sorted(learned)]


def _same(one: Mapping[AutomatonKey, Learned], two: Mapping[AutomatonKey, Learned]) -> bool:
    return one.keys() == two.keys() and all(one[k].automaton == two[k].automaton for k in one)


def _mirrored(
    key: AutomatonKey, pooled: Mapping[AutomatonKey, Pool], known: Mapping[AutomatonKey, Cheapest]
) -> Cheapest | None:
    """The mirror image of one that is known, where both pools have the same evidence."""
    for other, found in known.items():
        symmetry = pooled[other].reflected(pooled[key])
        if symmetry is not None:
            return found.mirrored(symmetry, pooled[key])
    return None


def _learned(key: AutomatonKey, pooled: Mapping[AutomatonKey, Pool], found: Cheapest) -> Learned:
    pool = pooled[key]
    best = found.automaton
    learned = Learned(
        dfa=to_dfa(best.spelled(pool.wrapping), key),
        automaton=best,
        words=len(pool.own.seen),
        images=len(pool.members) - 1,
        bits=found.bits,
        silence=found.silence,
        confidence=confidence(
            best,
            found.pool,
            found.margin,
            _kin(key, pooled),
            _onto(key, pooled),
            _continued(key, pooled),
        ),
    )
    for each in {pool, found.pool}:
        prune(each.root, each.words)
    return learned


def _kin(key: AutomatonKey, pooled: Mapping[AutomatonKey, Pool]) -> set[Word]:
    """The words of the same piece where it gets control otherwise."""
    same = (k for k in pooled if k != key and (k.mover, k.holds) == (key.mover, key.holds))
    return {word for other in same for word in pooled[other].words}


def _onto(key: AutomatonKey, pooled: Mapping[AutomatonKey, Pool]) -> set[str]:
    """What any piece of the mover steps onto."""
    alphabets = (pool.alphabet for other, pool in pooled.items() if other.mover == key.mover)
    return {x.on for alphabet in alphabets for x in alphabet if x.steps}


def _continued(key: AutomatonKey, pooled: Mapping[AutomatonKey, Pool]) -> float:
    """The share of words after which another segment follows, where others have such words.

    Later segments are judged by others of their kind, and by first ones where those have none: a
    turn that went on may go on again.
    """
    marks = {k: pool.own.marks for k, pool in pooled.items() if k != key and NEXT in pool.own.marks}
    later = key.role is Role.LATER
    alike = {k: each for k, each in marks.items() if (k.role is Role.LATER) == later}
    counted = (alike or marks if later else alike).values()
    followed = sum(each[NEXT] for each in counted)
    return followed / sum(sum(each.values()) for each in counted) if counted else 0.0


class Cheapest(NamedTuple):
    """The automaton of fewest bits, those bits, and by how many the runner-up is worse.

    `silence` is the part of the bits that unseen words have. `pool` has the words that these are
    bits of: all, or where there are very many the shortest ones.
    """

    automaton: Automaton
    bits: float
    silence: float
    margin: float
    pool: Pool

    def mirrored(self, symmetry: Symmetry, pool: Pool) -> Cheapest:
        """The same for another pool with the same evidence, to which `symmetry` leads."""
        automaton = self.automaton.renamed(symmetry.images)
        return self._replace(automaton=automaton, pool=pool.like(self.pool, symmetry))


def cheapest(pool: Pool, progress: Progress = silent) -> Cheapest:
    """The automaton of fewest bits; where words are very many, for the shortest of them.

    It has to hold for all the same: it is learned again with words that it lacks, or with longer
    ones if the silence of these costs more than all that it was learned for. Where longer ones have
    changed nothing, though, and the longest are rare, restrictions have to explain that silence.
    Once the time is over it is the best of those for all words made without merging.
    """
    others: set[Word] = set()
    before: Automaton | None = None
    for longest in pool.lengths():
        for _ in range(REVISIONS):
            gc.collect()  # The prefixes of the last such pool, which know one another.
            found = _cheapest(pool.within(longest, others), progress)
            if late(progress, MERGING, 0, None):
                return _cheapest(pool, progress)
            refused = pool.refused(found.automaton)
            if not refused:
                break
            others.update(refused)
        settled = found.automaton == before and pool.trails_off()
        if not refused and (
            settled or not pool.silent(found.automaton, found.silence + found.bits)
        ):
            return found
        before = None if refused else found.automaton
    return _cheapest(pool, progress)


def _cheapest(pool: Pool, progress: Progress) -> Cheapest:
    costs: dict[Automaton, float] = {}
    for automaton in _merged_candidates(pool, progress):
        costs[automaton] = pool.total_bits(automaton)
    ranked = sorted(costs, key=lambda a: (costs[a], a.delta))
    best = ranked[0]
    margin = costs[ranked[1]] - costs[best] if len(ranked) > 1 else float("inf")
    return Cheapest(best, costs[best], pool.silence_bits(best), margin, pool)


def _merged_candidates(pool: Pool, progress: Progress) -> Iterator[Automaton]:
    """The best k-testable candidates, each after merging under each budget.

    The prefix tree comes first: it offers nothing unseen, so its bits bound all that follow; then
    small contexts, and larger ones only while they are worth their states. The candidates
    themselves are yielded, too: one of them is the runner-up. Where all get out of hand it is the
    prefix tree alone. Nothing is merged once the time is over.
    """
    longest = max(map(len, pool.words)) + 1
    candidates: dict[Automaton, float] = {}
    small = range(min(SMALL_CONTEXT, longest - 1), 0, -1)
    for k, runs in (
        (longest, False),
        *((k, runs) for k in small for runs in (True, False) if k > 2 or not runs),
        *((k, False) for k in range(SMALL_CONTEXT + 1, longest)),
    ):
        candidate = k_testable(pool.words, k, runs=runs)
        limit = RIVAL * min(candidates.values(), default=float("inf"))
        if candidate not in candidates:
            candidates[candidate] = pool.total_bits(candidate, limit)
        if k > SMALL_CONTEXT and len(candidates) > 1 and candidates[candidate] > limit:
            break
    ranked = sorted(candidates, key=lambda a: (candidates[a], a.delta))
    limit = RIVAL * candidates[ranked[0]]
    if limit == float("inf"):
        yield k_testable(pool.words, longest)
    for candidate in ranked:
        if candidates[candidate] < limit and candidate.size <= RIVAL_SIZE * ranked[0].size:
            automaton = candidate
            yield automaton
            if late(progress, MERGING, 0, None):
                continue
            again = repeating(automaton)
            if again != automaton and pool.total_bits(again, pool.total_bits(automaton)) < inf:
                automaton = again
                yield automaton
            for budget in MERGE_BUDGETS:
                automaton = merge_states(automaton, pool, budget, progress)
                yield automaton
            again = repeating(automaton)
            if again != automaton and pool.total_bits(again, pool.total_bits(automaton)) < inf:
                yield again
                yield merge_states(again, pool, MERGE_BUDGETS[-1], progress)


def repeating(automaton: Automaton) -> Automaton:
    """The states in which a word may end or go on, as one: what follows is what may follow again.

    Pair by pair they differ by the way back, which is a detour wherever it is taken, and each pair
    would seem to add ways that none else has.
    """
    while True:
        targets = [{target for _, target in row} for row in automaton.delta]
        alike = [s for s, row in enumerate(targets) if s != START and FINAL in row and len(row) > 1]
        delta = merged(automaton, *alike[:2]) if len(alike) > 1 else None
        if delta is None:
            return automaton
        automaton = canonical(delta)


def merge_states(automaton: Automaton, pool: Pool, budget: float, progress: Progress) -> Automaton:
    """Merge pairs of states, earliest first, while the total falls and no merge costs `budget`.

    A pair that was refused stays refused: later merges only make the language larger. No more than
    `MOST_PAIRS` are tried, and none once the time is over.
    """
    merging = pool.merging(automaton)
    bits = automaton.bits(len(pool.alphabet)) + merging.bits
    j = 1
    tried = 0
    while j < automaton.size and tried < MOST_PAIRS and not late(progress, MERGING, 0, None):
        for i in range(j):
            tried += 1
            delta = merged(automaton, i, j)
            if delta is None:
                continue
            candidate = canonical(delta)
            description = candidate.bits(len(pool.alphabet))
            limit = min(merging.bits + budget, bits - description)
            if merging.silence(delta, limit + SLACK) > limit + SLACK:
                continue
            further = pool.merging(candidate, limit)
            if description + further.bits < bits:
                automaton, merging, bits = candidate, further, description + further.bits
                break
        else:
            j += 1
    return automaton
