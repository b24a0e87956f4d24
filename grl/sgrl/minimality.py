"""A proof by clingo that no smaller automaton fits the evidence.

The words seen must be accepted, the words whose silence is too surprising must not. Which words
those are depends on the hypothesis, so they are found as counterexamples: clingo proposes an
automaton with one state less, the walk over the offers finds words of it that were refused, they
become part of the question, and so on, until there is no proposal left (the proof) or one stands.
Words that only do what other words do as well, such as a step forth and back again, are not in the
records and count as refused, too: an automaton that wanders may be smaller, but says less.
A proposal whose words are each only a little surprising, and together too much, lowers the
surprise from which a word counts as refused.
Pairs of prefixes that refused words distinguish fix the states of a proposal beforehand (a clique
of the incompatibility graph, as in exact DFA identification by Heule and Verwer, 2010).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import clingo

from grl.sgrl.automaton import FINAL, START, Automaton, Delta, access_words, canonical
from grl.sgrl.pool import Pool
from grl.sgrl.walk import PooledNode
from grl.sgrl.words import Word

REFUSED_BITS = 5.0
LEAST_BITS = 0.3
MAX_PREFIXES = 5_000
MAX_COUNTEREXAMPLES = 40
MAX_ROUNDS = 400
MAX_CONFLICTS = 300_000

PROGRAM = """
{ at(N,S) : S = 0..k-1 } = 1 :- node(N,positive).
{ at(N,S) : S = 0..k-1 } <= 1 :- node(N,negative).
at(0,0).
at(N,S) :- fixed(N,S).
delta(S,L,T) :- edge(N,L,M), node(M,positive), at(N,S), at(M,T).
:- delta(S,L,T), delta(S,L,U), T < U.
:- edge(N,L,M), node(M,negative), at(N,S), delta(S,L,T), not at(M,T).
:- edge(N,L,M), node(M,negative), at(N,S), at(M,T), not delta(S,L,T).
final(S,L) :- ends(N,L), at(N,S).
:- refused(N,L), at(N,S), final(S,L).
#show delta/3.
#show final/2.
"""


@dataclass(frozen=True, slots=True)
class Minimality:
    """Whether an automaton of `states` states, the final one apart, is as small as can be.

    `proven` is True after a proof, False when a smaller one fits the evidence, and None when the
    search was given up. `refused` is the number of refused words that the proof rests on, each of
    them a surprise of at least `bits` bits.
    """

    states: int
    proven: bool | None
    refused: int
    bits: float


def prove_minimal(automaton: Automaton, pool: Pool) -> Minimality:
    """Try to prove that no automaton with fewer states fits the words in `pool`."""
    if automaton.size == 1:
        return Minimality(1, True, 0, REFUSED_BITS)
    threshold = REFUSED_BITS
    limit = pool.silence_bits(automaton) + REFUSED_BITS
    refused = set(_distinguishing_words(automaton, pool, threshold))
    proven: bool | None = None
    for _ in range(MAX_ROUNDS):
        proposal, given_up = _propose(automaton, automaton.size - 1, pool, refused)
        if given_up:
            break
        if proposal is None:
            proven = True
            break
        found = _refused_words(proposal, pool, refused, threshold)
        if found is None:
            break
        refused |= found
        if not found:
            if pool.silence_bits(canonical(proposal), limit) <= limit:
                proven = False
                break
            threshold /= 4.0
            if threshold < LEAST_BITS:
                break
    return Minimality(automaton.size, proven, len(refused), threshold)


def _suffixes(automaton: Automaton) -> list[set[Word]]:
    """For every state short words that lead from it to the end."""
    suffixes: list[set[Word]] = [set() for _ in automaton.delta]
    for _ in range(4):
        for state, row in enumerate(automaton.delta):
            for letter, target in row:
                longer = {()} if target == FINAL else set(sorted(suffixes[target])[:3])
                suffixes[state] |= {(letter, *rest) for rest in longer}
    return suffixes


def _distinguishing_words(automaton: Automaton, pool: Pool, threshold: float) -> Iterable[Word]:
    """Refused words that distinguish the states of `automaton`."""
    suffixes = sorted({w for words in _suffixes(automaton) for w in words})
    for prefix in access_words(automaton):
        for suffix in suffixes:
            word = (*prefix, *suffix)
            if _is_refused(pool.node(word), threshold):
                yield word


def _is_refused(node: PooledNode, threshold: float) -> bool:
    """Whether a word was offered and refused, or only ever a detour to what others do."""
    return not node.seen and (
        node.surprise(threshold) >= threshold or node.detour_surprise() >= threshold
    )


def _refused_words(
    proposal: Delta, pool: Pool, known: set[Word], threshold: float
) -> set[Word] | None:
    """Words of a proposal, shortest first, that were offered and refused; None when lost."""
    found: set[Word] = set()
    queue: list[tuple[PooledNode, int, Word]] = [(pool.root, START, ())]
    for node, state, word in queue:
        for letter, target in sorted(proposal.get(state, {}).items()):
            child = node.child(letter)
            longer = (*word, letter)
            if target == FINAL:
                if longer not in known and _is_refused(child, threshold):
                    found.add(longer)
            elif child.offers:
                queue.append((child, target, longer))
        if len(found) >= MAX_COUNTEREXAMPLES:
            break
        if len(queue) > MAX_PREFIXES:
            return found or None
    return found


def _propose(
    automaton: Automaton, states: int, pool: Pool, refused: set[Word]
) -> tuple[Delta | None, bool]:
    """An automaton with `states` states that accepts what was seen and nothing refused."""
    alphabet = sorted({x for word in [*pool.words, *refused] for x in word})
    number = {letter: i for i, letter in enumerate(alphabet)}
    nodes: dict[Word, int] = {}
    facts: list[str] = []
    for kind, words in (("positive", pool.words), ("negative", sorted(refused))):
        for word in words:
            for length in range(len(word)):
                prefix = word[:length]
                if prefix not in nodes:
                    nodes[prefix] = len(nodes)
                    facts.append(f"node({nodes[prefix]},{kind}).")
                    if prefix:
                        edge = f"{nodes[prefix[:-1]]},{number[prefix[-1]]},{nodes[prefix]}"
                        facts.append(f"edge({edge}).")
            what = "ends" if kind == "positive" else "refused"
            facts.append(f"{what}({nodes[word[:-1]]},{number[word[-1]]}).")
    clique = _clique(automaton, pool, refused)
    if len(clique) > states:
        return None, False
    facts += [f"fixed({nodes[prefix]},{s})." for s, prefix in enumerate(clique) if prefix in nodes]
    control = clingo.Control(
        ["-c", f"k={states}", f"--solve-limit={MAX_CONFLICTS}"], logger=lambda *_: None
    )
    control.add("base", [], PROGRAM + "\n".join(facts))
    control.ground([("base", [])])
    delta: Delta = {}

    def note(model: clingo.Model) -> None:
        for atom in model.symbols(shown=True):
            state, letter = atom.arguments[0].number, alphabet[atom.arguments[1].number]
            target = atom.arguments[2].number if atom.name == "delta" else FINAL
            delta.setdefault(state, {})[letter] = target

    result = control.solve(on_model=note)
    if result.unknown or (result.interrupted and not result.satisfiable):
        return None, True
    return (delta if result.satisfiable else None), False


def _clique(automaton: Automaton, pool: Pool, refused: set[Word]) -> list[Word]:
    """Prefixes to states no two of which can be one state, the empty prefix first."""
    seen = set(pool.words)
    prefixes = access_words(automaton)
    known = {word[:i] for word in pool.words for i in range(len(word))}

    def apart(one: Word, two: Word) -> bool:
        return any(
            word[: len(a)] == a and (*b, *word[len(a) :]) in refused
            for a, b in ((one, two), (two, one))
            for word in seen
        )

    clique: list[Word] = []
    for prefix in prefixes:
        if prefix in known and all(apart(prefix, other) for other in clique):
            clique.append(prefix)
    return clique
