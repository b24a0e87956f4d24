"""Which edges of a board meet, as far as the records bear it out."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

from grl.board import Board
from grl.model import AutomatonKey
from grl.sgrl.offers import OfferTree
from grl.sgrl.pool import Pool
from grl.sgrl.walk import PooledNode
from grl.sgrl.words import Word
from grl.sgrl.wrapping import NO_EDGE, Wrapping

SILENT_BITS = 15.0
"""How much silence other spellings of one automaton's words may cost."""
SPELLED_BITS = 1.0
"""By so much more for each word that is seen to be another spelling of one."""


def meeting(trees: Mapping[AutomatonKey, OfferTree], board: Board) -> Wrapping:
    """Across which edges steps go: links show it, and else words that are seen by two spellings.

    In either case no other spelling of a word seen was silent for long. Where pieces leap anywhere
    that would hold as well of a board that is one file shorter, which shows nothing. Where words
    lead all the way round, spellings show how far they have come, and are left as they are.
    """
    width, height = board.width, board.height
    pools = [Pool(tree) for tree in trees.values()]
    if board.links is not None:
        files, ranks = board.edges_meet
    else:
        files = _shown(pools, Wrapping(width), Wrapping(width - 1))
        ranks = _shown(pools, Wrapping(0, height), Wrapping(0, height - 1))
    found = Wrapping(width if files else 0, height if ranks else 0)
    if not found or any(leads_round(pool, found) for pool in pools):
        return NO_EDGE
    return found if _borne_out(pools, found) else NO_EDGE


def leads_round(pool: Pool, wrapping: Wrapping) -> bool:
    """Whether some word seen comes as far as its board is wide, or high, where edges meet."""
    for word in pool.words:
        plain = wrapping.word(word)
        for period, by in (
            (wrapping.files, [letter.dx for letter in plain]),
            (wrapping.ranks, [letter.dy for letter in plain]),
        ):
            if period and any(abs(far) >= period for far in accumulate(by)):
                return True
    return False


def _shown(pools: list[Pool], wrapping: Wrapping, shorter: Wrapping) -> bool:
    return (
        any(_spelled_otherwise(pool, wrapping) for pool in pools)
        and _borne_out(pools, wrapping)
        and not _borne_out(pools, shorter)
    )


def _spelled_otherwise(pool: Pool, wrapping: Wrapping) -> int:
    """How many of the words seen are other spellings of further ones."""
    return len(pool.words) - len(set(map(wrapping.word, pool.words)))


def _borne_out(pools: list[Pool], wrapping: Wrapping) -> bool:
    """Whether other spellings of the words seen were not silent for long."""
    for pool in pools:
        left = SILENT_BITS + SPELLED_BITS * _spelled_otherwise(pool, wrapping)
        for node in _spellings(pool, wrapping).values():
            if not node.seen:
                left -= node.surprise(left)
                if left < 0:
                    return False
    return True


def _spellings(pool: Pool, wrapping: Wrapping) -> dict[Word, PooledNode]:
    """The words seen in all spellings that fit anywhere."""
    found: dict[Word, PooledNode] = {}
    for plain in sorted(set(map(wrapping.word, pool.words))):
        nodes: list[tuple[Word, PooledNode]] = [((), pool.root)]
        for letter in plain:
            nodes = [
                ((*word, each), child)
                for word, node in nodes
                for each in wrapping.spellings(letter)
                if (child := node.child(each)).offers
            ]
        found.update(nodes)
    return found
