"""Equipment and automata drawn at random: every kind of letter, loops, segments that go on.

An automaton is a few ways of moving joined at their start, as those of real games are, or letters
drawn with no sense at all. Nothing here checks whether the turns are few: `random_models` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from grl.board import EMPTY, Board, Equipment, Piece, Player, Square
from grl.model import AutomatonKey, Dfa, Role, StateId
from grl.turn import Letter

PLAYERS = ("white", "black", "red")
KEYS = ("mkr", "MKR", "123")
TYPES = ("man", "king", "rook")
NEUTRAL = (("x", "stone"), ("y", "wall"))
AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
LEAPS = [(dx, dy) for dx in range(-3, 4) for dy in range(-3, 4) if max(abs(dx), abs(dy)) > 1]
ORTHOGONAL = [way for way in AROUND if 0 in way]
REMOVE = Letter(0, 0, "d")


def random_equipment(chance: Random, *, wide: bool = False) -> Equipment:
    """Boards of 9 to 81 squares, now and then of more, with holes or links; one to three players.

    With `wide` a third of the boards have 65 to 130 squares.

    Everybody has some of three types of pieces, mostly the same; nobody's pieces are of two.
    """
    players = tuple(map(Player, PLAYERS[: chance.choice([1, 2, 2, 2, 2, 2, 2, 2, 3, 3])]))
    kinds = chance.choice([1, 1, 2, 2, 3])
    pieces = {}
    for player, keys in zip(players, KEYS, strict=False):
        own = [n for n in range(kinds) if n == 0 or chance.random() < 0.9]
        pieces |= {keys[n]: Piece(keys[n], player, TYPES[n]) for n in own}
    for key, name in NEUTRAL[: chance.choice([0, 0, 1, 1, 2])]:
        pieces[key] = Piece(key, None, name)
    stocked: set[tuple[Player, str]] = set()
    if chance.random() < 0.4:
        for player in players:
            some = [k for k, piece in pieces.items() if piece.player in (player, None)]
            stocked |= {(player, k) for k in some if chance.random() < 0.6}
    return Equipment(random_board(chance, wide), players, pieces, frozenset(stocked))


def random_board(chance: Random, wide: bool = False) -> Board:
    """A board, its links made of neighbours and a few pairs that lie farther apart."""
    width, height = chance.randint(3, 6), chance.randint(3, 6)
    size = chance.random()
    if size < 0.14:
        width, height = 9, 9
    elif size < 0.22:
        width, height = chance.choice([(8, 8), (1, 9), (9, 7), (13, 10), (10, 10)])
    if wide and size > 0.7:
        width, height = chance.choice([(13, 5), (11, 6), (8, 16), (16, 8), (10, 11), (10, 13)])
    squares = [Square(s) for s in range(width * height)]
    share = chance.choice([0, 0, 0, 0.05, 0.15])
    holes = frozenset(s for s in squares[1:] if chance.random() < share)
    plain = Board(width, height, holes)
    if chance.random() > 0.2:
        return plain
    kept = chance.uniform(0.5, 0.95)
    pairs = {
        (a, b)
        for a in plain.squares
        for dx, dy in AROUND
        if (b := plain.step(a, dx, dy)) is not None and chance.random() < kept
    }
    pairs |= {
        (chance.choice(plain.squares), chance.choice(plain.squares))
        for _ in range(chance.randint(0, 4))
    }
    pairs = {(a, b) for a, b in pairs if a != b}
    if chance.random() < 0.7:
        pairs |= {(b, a) for a, b in pairs}
    return Board(width, height, holes, frozenset(pairs))


@dataclass
class Sketch:
    """An automaton in the making: state 0 is the start, letters ``a`` lead to `sink`."""

    transitions: dict[tuple[int, Letter], int] = field(default_factory=dict)
    size: int = 1
    sink: int | None = None
    ends: set[int] = field(default_factory=set)

    def new(self) -> int:
        """A further state."""
        self.size += 1
        return self.size - 1

    def to(self, state: int, letter: Letter, target: int | None = None) -> int:
        """Where `letter` leads from `state`: `target`, unless it leads somewhere already."""
        if (state, letter) in self.transitions:
            return self.transitions[state, letter]
        if letter.appears:
            if self.sink is None:
                self.sink = self.new()
            target = self.sink
        found = self.new() if target is None else target
        self.transitions[state, letter] = found
        return found

    def word(self, letters: Sequence[Letter]) -> None:
        """A word of its own."""
        state = 0
        for letter in letters:
            state = self.to(state, letter)
            if letter.appears:
                return
        self.ends.add(state)

    def dfa(self, key: AutomatonKey, chance: Random, going_on: float) -> Dfa:
        """The automaton, states numbered breadth first; some ends go on, some do nothing else."""
        number, queue = {0: 0}, [0]
        for state in queue:
            for letter in sorted(x for s, x in self.transitions if s == state):
                target = self.transitions[state, letter]
                if target not in number:
                    number[target] = len(number)
                    queue.append(target)
        accepting, continuing = set(), set()
        for state in sorted(number[s] for s in self.ends if s in number):
            goes_on = chance.random() < going_on
            if goes_on:
                continuing.add(StateId(state))
            if not goes_on or chance.random() < 0.6:
                accepting.add(StateId(state))
        if self.sink in number:
            accepting.add(StateId(number[self.sink]))
        return Dfa(
            key,
            len(number),
            tuple(
                sorted(
                    (StateId(number[s]), x, StateId(number[t]))
                    for (s, x), t in self.transitions.items()
                    if s in number
                )
            ),
            frozenset(accepting),
            frozenset(continuing),
        )


class Drawn:
    """What ways of moving draw on: the player's own pieces, nobody's, and those that appear."""

    def __init__(self, chance: Random, equipment: Equipment, player: Player, plain: bool) -> None:
        self.chance, self.plain = chance, plain
        self.own = [k for k, p in equipment.pieces.items() if p.player == player]
        self.free = [k for k, p in equipment.pieces.items() if p.player is None]
        self.all = list(equipment.pieces)
        stocked = [key for owner, key in sorted(equipment.stocked) if owner == player]
        self.appearing = [*stocked, *stocked, *self.own, *self.free]

    def on(self, contents: str) -> str:
        """One of these contents, of which some may not exist."""
        exist = [on for on in contents if on != "n" or self.free]
        return self.chance.choice(exist or ["e"])

    def step(self, on: str = "eeeppwnn") -> Letter:
        way = self.chance.choice(AROUND if self.chance.random() < 0.75 else LEAPS)
        return Letter(*way, self.on(on))

    def appear(self) -> Letter:
        return Letter(0, 0, "a", self.chance.choice(self.appearing))

    def keep(self) -> Letter:
        return Letter(0, 0, "r", self.chance.choice(self.all))

    def fly(self) -> Letter:
        return Letter(0, 0, self.on("eeeppwnn"), fly=True)

    def some(self, ways: Sequence[tuple[int, int]], most: int) -> list[tuple[int, int]]:
        return self.chance.sample(ways, min(len(ways), self.chance.randint(1, most)))


def steps(sketch: Sketch, draw: Drawn) -> None:
    """To squares that are empty or hold something."""
    for way in draw.some([*AROUND, *draw.some(LEAPS, 6)], 6):
        for on in draw.chance.choice(["e", "ep", "p", "en", "epw", "epn"]):
            sketch.word([Letter(*way, on)])


def slides(sketch: Sketch, draw: Drawn) -> None:
    """Any number of steps in a direction, perhaps with a capture at the end."""
    takes = draw.chance.choice(["", "p", "pn", "w"])
    for way in draw.some(draw.chance.choice([ORTHOGONAL, AROUND]), 4):
        loop = sketch.to(0, Letter(*way, "e"))
        sketch.to(loop, Letter(*way, "e"), loop)
        sketch.ends.add(loop)
        for on in takes:
            for state in (0, loop):
                sketch.ends.add(sketch.to(state, Letter(*way, on)))


def hops(sketch: Sketch, draw: Drawn) -> None:
    """Over pieces, perhaps removing them, and on from there: a circle of states."""
    over, removing = draw.on("pppwnn"), draw.chance.random() < 0.6
    again = draw.chance.random() < 0.7
    landed = sketch.new()
    for way in draw.some(AROUND, 4):
        for state in (0, landed) if again else (0,):
            there = sketch.to(state, Letter(*way, over))
            if removing:
                there = sketch.to(there, REMOVE)
            sketch.to(there, Letter(*way, "e"), landed)
    sketch.ends.add(landed)


def jumps(sketch: Sketch, draw: Drawn) -> None:
    """Over a piece, mostly removing it, to a square behind, perhaps with a further jump."""
    landed, removing = sketch.new(), draw.chance.random() < 0.7
    last = sketch.new() if draw.chance.random() < 0.2 else landed
    over = draw.on("pppwnn")
    for way in draw.some(AROUND, 3):
        for state, end in {0: landed, landed: last}.items() if last != landed else [(0, landed)]:
            there = sketch.to(state, Letter(*way, over))
            if removing:
                there = sketch.to(there, REMOVE)
            sketch.to(there, Letter(*way, "e"), end)
    sketch.ends |= {landed, last}


def flies(sketch: Sketch, draw: Drawn) -> None:
    """To any square that holds this or that, perhaps with a step afterwards."""
    state = sketch.to(0, draw.fly())
    sketch.ends.add(state)
    if draw.chance.random() < 0.25:
        sketch.ends.add(sketch.to(state, draw.step()))


def keeps(sketch: Sketch, draw: Drawn) -> None:
    """A capture after which something joins the reserve."""
    for _ in range(draw.chance.randint(1, 3)):
        sketch.word([draw.step("p"), draw.keep()])


def promotes(sketch: Sketch, draw: Drawn) -> None:
    """A step after which a piece takes the place of the one in hand, or appears beside it."""
    for _ in range(draw.chance.randint(1, 2)):
        word = [draw.step("ep"), draw.appear()]
        if draw.chance.random() < 0.3:
            word.insert(1, REMOVE)
        sketch.word(word)


def drops(sketch: Sketch, draw: Drawn) -> None:
    """A piece appears where the segment begins."""
    for _ in range(draw.chance.randint(1, 2)):
        sketch.to(0, draw.appear())


def removes(sketch: Sketch, draw: Drawn) -> None:
    """What lies there is removed, perhaps kept."""
    state = sketch.to(0, REMOVE)
    sketch.ends.add(state)
    if not draw.plain and draw.chance.random() < 0.3:
        sketch.ends.add(sketch.to(state, draw.keep()))


def shoots(sketch: Sketch, draw: Drawn) -> None:
    """Slides, and where it stops something appears, with words of its own."""
    shot = draw.appear()
    for way in draw.some(AROUND, 3):
        loop = sketch.to(0, Letter(*way, "e"))
        if draw.chance.random() < 0.6:
            sketch.to(loop, Letter(*way, "e"), loop)
        sketch.to(loop, shot)


def wanders(sketch: Sketch, draw: Drawn) -> None:
    """Letters with no sense, in layers with now and then a way back."""
    layers = [0, *(sketch.new() for _ in range(draw.chance.randint(1, 3)))]
    for at, state in enumerate(layers):
        for _ in range(draw.chance.randint(1, 3)):
            kind = draw.chance.random()
            letter = draw.step()
            if kind < 0.12:
                letter = REMOVE
            elif kind < 0.2:
                letter = draw.keep()
            elif kind < 0.28:
                letter = draw.fly()
            elif kind < 0.4:
                letter = draw.appear()
            back = letter.steps and draw.chance.random() < 0.1
            onward = state if back else layers[min(at + 1, len(layers) - 1)]
            if at + 1 < len(layers) or back or letter.appears:
                sketch.to(state, letter, onward)
    sketch.ends |= {s for s in layers[1:] if draw.chance.random() < 0.6} | {layers[-1]}


Way = Callable[[Sketch, Drawn], None]
WITH_PIECE: Sequence[tuple[Way, int]] = (
    *((steps, 5), (slides, 3), (hops, 3), (flies, 2), (keeps, 1)),
    *((promotes, 2), (shoots, 1), (wanders, 3), (removes, 1)),
)
FEW_WORDS: Sequence[tuple[Way, int]] = (
    *((steps, 8), (slides, 2), (jumps, 5), (promotes, 4), (removes, 1), (shoots, 1), (hops, 2)),
    (flies, 1),
)
STEPS: Sequence[tuple[Way, int]] = ((steps, 1),)
DROPS: Sequence[tuple[Way, int]] = ((drops, 1),)
ON_EMPTY: Sequence[tuple[Way, int]] = ((drops, 6), (wanders, 1))
AFTERWARDS: Sequence[tuple[Way, int]] = ((removes, 4), (steps, 2), (drops, 2), (wanders, 1))
ON_APPEARED: Sequence[tuple[Way, int]] = ((steps, 2), (slides, 1), (flies, 1), (wanders, 1))


def random_automata(
    chance: Random, equipment: Equipment, *, plain: bool = False
) -> tuple[Dfa, ...]:
    """Automata for all players, those of the others often like the first one's, sorted.

    With `plain` turns are mostly of one segment: steps, slides, jumps, promotions and drops.
    """
    found: dict[AutomatonKey, Dfa] = {}
    first, *others = equipment.players
    for dfa in _of_player(chance, equipment, first, plain):
        found[dfa.key] = dfa
    for player in others:
        alike = chance.random() < 0.6
        turned = chance.random() < 0.5
        some = (
            [_given_to(dfa, equipment, player, turned) for dfa in list(found.values())]
            if alike
            else _of_player(chance, equipment, player, plain)
        )
        for dfa in some:
            if dfa is not None:
                found.setdefault(dfa.key, dfa)
    return tuple(sorted(found.values(), key=lambda dfa: dfa.key))


def _of_player(chance: Random, equipment: Equipment, player: Player, plain: bool) -> list[Dfa]:
    draw = Drawn(chance, equipment, player, plain)
    going_on = chance.choice([0, 0, 0, 0.15] if plain else [0, 0, 0.3, 0.6])
    with_piece = FEW_WORDS if plain else WITH_PIECE
    on_empty, on_appeared = (DROPS, STEPS) if plain else (ON_EMPTY, ON_APPEARED)
    found = []

    def drawn(
        holds: str, role: Role, ways: Sequence[tuple[Way, int]], most: int, on: float
    ) -> None:
        sketch = Sketch()
        chosen = [way for way, weight in ways for _ in range(weight)]
        for _ in range(chance.randint(1, most)):
            chance.choice(chosen)(sketch, draw)
        if role is Role.APPEARED and chance.random() < 0.8:
            sketch.ends.add(0)
        if role is Role.APPEARED:
            # What appears lets nothing appear, so that turns end.
            sketch.transitions = {k: t for k, t in sketch.transitions.items() if not k[1].appears}
        found.append(sketch.dfa(AutomatonKey(player, holds, role), chance, on))

    for key in draw.own:
        if chance.random() < 0.9:
            drawn(key, Role.FIRST, with_piece, 2, going_on)
    if chance.random() < (0.8 if equipment.stocked else 0.3):
        drawn(EMPTY, Role.FIRST, on_empty, 1, going_on)
    for key in draw.all:
        if key not in draw.own and chance.random() < 0.12:
            drawn(key, Role.FIRST, with_piece, 1, going_on)
        if going_on and chance.random() < 0.5:
            drawn(key, Role.LATER, AFTERWARDS, 1, going_on / 2)
    if going_on and chance.random() < 0.3:
        drawn(EMPTY, Role.LATER, ON_EMPTY, 1, 0)
    for key in sorted({*draw.own, *draw.free}):
        if chance.random() < (0.85 if plain else 0.5):
            ended = frozenset({StateId(0)})
            on = ended if chance.random() < going_on else frozenset()
            found.append(Dfa(AutomatonKey(player, key, Role.APPEARED), 1, (), ended, on))
        elif chance.random() < 0.9:
            drawn(key, Role.APPEARED, on_appeared, 1, going_on)
    return found


def _given_to(dfa: Dfa, equipment: Equipment, player: Player, turned: bool) -> Dfa | None:
    """The automaton of another player's pieces; None where they have no such piece."""
    taken, giver = equipment.pieces, dfa.key.mover

    def key_of(key: str) -> str | None:
        piece = taken.get(key)
        if piece is None or piece.player is None:
            return key
        owner = player if piece.player == giver else giver
        same = (k for k, p in taken.items() if p.player == owner and p.type == piece.type)
        return next(same, None)

    holds = key_of(dfa.key.holds)
    if holds is None:
        return None
    sketch = Sketch(size=dfa.size)
    for source, letter, target in dfa.transitions:
        piece = key_of(letter.piece) if letter.piece else ""
        if piece is None:
            continue
        dy = -letter.dy if turned else letter.dy
        sketch.transitions.setdefault((source, letter._replace(dy=dy, piece=piece)), target)
    key = AutomatonKey(player, holds, dfa.key.role)
    ordered = tuple(sorted((StateId(s), x, StateId(t)) for (s, x), t in sketch.transitions.items()))
    return Dfa(key, dfa.size, ordered, dfa.accepting, dfa.continuing)
