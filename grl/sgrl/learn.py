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

from collections.abc import Iterator
from dataclasses import dataclass

from grl.board import Equipment
from grl.model import AutomatonKey, Dfa
from grl.progress import Progress, silent
from grl.sgrl.automaton import Automaton, k_testable, merged, to_dfa
from grl.sgrl.collect import collect
from grl.sgrl.evidence import Evidence
from grl.sgrl.pool import Pool, pools

MAX_CANDIDATE_STATES = 400
MERGE_BUDGETS = (0.5, 4.0)
"""How many bits of silence a single merge may add."""
RIVAL = 1.5
"""Candidates that cost up to this many times the best one's bits are merged as well."""


@dataclass(frozen=True, slots=True)
class Learned:
    """An automaton with what speaks for it.

    `words` is the number of different words seen of this piece, `sightings` how often they were
    seen, `images` the number of mirror images that share their evidence. `bits` is the cost of
    the automaton and `silence` the part of it that unseen words have.
    """

    dfa: Dfa
    words: int
    sightings: int
    images: int
    bits: float
    silence: float


def learn_automata(
    evidence: Evidence,
    equipment: Equipment,
    *,
    symmetry: bool = True,
    progress: Progress = silent,
) -> list[Learned]:
    """The automata of all pieces that `evidence` shows, sorted by key."""
    progress("movement: offers", 0, None)
    trees = collect(evidence, equipment)
    pooled = pools(trees, equipment, symmetry=symmetry)
    learned = []
    for done, key in enumerate(sorted(pooled)):
        progress(f"movement: {key}", done, len(pooled))
        learned.append(_learn_one(key, pooled[key]))
    progress("movement", len(pooled), len(pooled))
    return learned


def _learn_one(key: AutomatonKey, pool: Pool) -> Learned:
    best, bits = None, float("inf")
    for automaton in _merged_candidates(pool):
        cost = pool.total_bits(automaton, bits)
        if cost < bits:
            best, bits = automaton, cost
    if best is None:
        best = k_testable(pool.words, max(map(len, pool.words)) + 1)
    return Learned(
        dfa=to_dfa(best, key),
        words=len(pool.own.seen),
        sightings=sum(node.count for node in pool.own.seen.values()),
        images=len(pool.members) - 1,
        bits=bits,
        silence=pool.silence_bits(best),
    )


def _merged_candidates(pool: Pool) -> Iterator[Automaton]:
    """The best k-testable candidates, each after merging under each budget.

    The prefix tree comes first: it offers nothing unseen, so its bits bound all that follow.
    """
    candidates: dict[Automaton, float] = {}
    for k in range(max(map(len, pool.words)) + 1, 0, -1):
        candidate = k_testable(pool.words, k)
        if candidate.size <= MAX_CANDIDATE_STATES and candidate not in candidates:
            limit = RIVAL * min(candidates.values(), default=float("inf"))
            candidates[candidate] = pool.total_bits(candidate, limit)
    limit = RIVAL * min(candidates.values(), default=float("inf"))
    for candidate in sorted(candidates, key=lambda a: (candidates[a], a.delta)):
        if candidates[candidate] < limit:
            automaton = candidate
            for budget in MERGE_BUDGETS:
                automaton = merge_states(automaton, pool, budget)
                yield automaton


def merge_states(automaton: Automaton, pool: Pool, budget: float) -> Automaton:
    """Merge pairs of states, earliest first, while the total falls and no merge costs `budget`.

    A pair that was refused stays refused: later merges only make the language larger.
    """
    silence = pool.silence_bits(automaton)
    bits = automaton.bits(len(pool.alphabet)) + silence
    j = 1
    while j < automaton.size:
        for i in range(j):
            candidate = merged(automaton, i, j)
            if candidate is None:
                continue
            description = candidate.bits(len(pool.alphabet))
            limit = min(silence + budget, bits - description)
            candidate_silence = pool.silence_bits(candidate, limit)
            if description + candidate_silence < bits:
                automaton, bits = candidate, description + candidate_silence
                silence = candidate_silence
                break
        else:
            j += 1
    return automaton
