"""What goes over the wire, as types: requests are held to them, and the OpenAPI file is made of
them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from grl.limits import MAX_RESERVE

Name = Annotated[str, Meta(max_length=200)]
Spec = Annotated[str, Meta(max_length=200, description="a player: person, random, mtdf:seconds=1")]
TurnText = Annotated[str, Meta(max_length=100_000, description="a turn, in full or short: c3-d4")]
Key = Annotated[str, Meta(max_length=64)]
Square = Annotated[str, Meta(max_length=12)]
Ply = Annotated[int, Meta(ge=0, le=1_000_000)]
Seed = Annotated[int, Meta(ge=0, le=2**53)]
Count = Annotated[int, Meta(ge=0, le=MAX_RESERVE)]


class Asked(Struct, forbid_unknown_fields=True):
    """What a client sends."""


class Setup(Asked):
    """A position from outside; rows from the highest rank down."""

    rows: Annotated[list[Annotated[str, Meta(max_length=10_000)]], Meta(max_length=10_000)]
    to_move: Name
    reserve: dict[Name, dict[Key, Count]] = {}
    history: dict[str, Any] = {}
    """As in a position file, where the game before matters."""


class NewGame(Asked):
    """A game to begin: of a model, from its initial position or another, with who sits where."""

    model: Key
    position: Setup | None = None
    seats: dict[Name, Spec] = {}
    name: Name = ""
    turns: Annotated[list[TurnText], Meta(max_length=5_000)] = []


class Seats(Asked):
    """Who sits where; seats that are left out stay as they are."""

    seats: dict[Name, Spec]


class Play(Asked):
    """A turn to play; with `ply` only if the game stands there."""

    turn: TurnText
    ply: Ply | None = None


class Goto(Asked):
    """A ply to go to: back, or on again along what was played."""

    ply: Ply


class Why(Asked):
    """A turn to explain, or the squares that somebody would like to go by."""

    turn: TurnText = ""
    squares: Annotated[list[Square], Meta(max_length=500)] = []


class Begun(Asked):
    """The beginning of a turn: a square, or a square and letters; nothing for all of them."""

    begun: TurnText = ""


class Think(Asked):
    """Whom to ask for a turn, and whether it is played."""

    player: Spec = ""
    play: bool = False
    ply: Ply | None = None
    seed: Seed | None = None


class Judge(Asked):
    """Whom to ask about all turns, and how many of them are wanted."""

    player: Spec = "swift:seconds=1"
    best: Annotated[int, Meta(ge=1, le=1000)] = 8
    ply: Ply | None = None


class Facts(Asked):
    """Facts of a position or a game, as text."""

    model: Key
    text: Annotated[str, Meta(max_length=1_000_000)]


class Learn(Asked):
    """Files that were uploaded, to learn from; `beside` is a model to compare with, whose board is
    that of moves in coordinates; `game` is what games they are of, where their notation leaves it
    open: a reference game, or a variant."""

    uploads: Annotated[list[Key], Meta(min_length=1, max_length=50)]
    beside: Key = ""
    game: Annotated[str, Meta(max_length=200, pattern="^[a-z0-9_-]*(:[a-z0-9_=,-]*)?$")] = ""


class Ask(Asked):
    """A dialogue on what records leave open: the model and the files that it was learned from."""

    model: Key
    uploads: Annotated[list[Key], Meta(min_length=1, max_length=50)]


class Answered(Asked):
    """The legal turns of the position that was asked about; or `goals`, where the game is over;
    or neither, where it is passed over."""

    turns: Annotated[list[TurnText], Meta(max_length=10_000)] = []
    goals: dict[Name, Annotated[int, Meta(ge=0, le=100)]] | None = None
    skip: bool = False


class Batch(Asked):
    """Games between two players, each opening from both sides."""

    model: Key
    players: Annotated[list[Spec], Meta(min_length=2, max_length=2)]
    games: Annotated[int, Meta(ge=1, le=1000)] = 20
    opening: Annotated[int, Meta(ge=0, le=50)] = 2
    plies: Annotated[int, Meta(ge=1, le=2000)] = 300
    seed: Seed = 0


class Step(Struct):
    """A ply that was played: the turn, by whom, and the squares that it touched."""

    turn: str
    by: str
    squares: list[str]


class GameView(Struct):
    """A game as it stands.

    `cells` has a character a square, ranks from the lowest up. `tree` holds the legal turns letter
    by letter: a node is ``[text, square, ends, nodes]``, where `text` is a square at the beginning
    of a segment and a letter anywhere else, and `ends` says whether a turn may end there.
    """

    id: str
    model: str
    name: str
    ply: int
    plies: int
    cells: str
    to_move: str
    reserve: dict[str, dict[str, int]]
    seats: dict[str, str]
    steps: list[Step]
    over: bool
    said: str
    goals: dict[str, int]
    turns: int
    tree: list[Any]
    may_pass: bool
    started: bool
    """Whether it begins where games of the model begin."""


class GameLine(Struct):
    """A game in a list."""

    id: str
    model: str
    name: str
    plies: int
    changed: float


class StrategyLine(Struct):
    """A strategy that was uploaded: the player that it is, and the name of its file."""

    spec: str
    name: str


class PlayersView(Struct):
    """Who can play, as ``NAME:seconds=1,evaluation=EVALUATION``; `random` takes neither."""

    players: list[str]
    evaluations: list[str]
    strategies: list[StrategyLine]


class JobView(Struct):
    """Long work: `state` is waiting, running, done, stopped or failed; `done` of `total` pieces of
    a stage are done; `best` is what it has so far, `result` what came of it."""

    id: str
    kind: str
    says: str
    state: str
    stage: str
    done: int
    total: int | None
    seconds: float
    best: Any
    result: Any
    error: str
    talk: str = ""
    """The dialogue that it is for."""


class TalkView(Struct):
    """A dialogue: the model that came of it so far, and what is asked, or the job on the way to the
    next question."""

    id: str
    name: str
    model: str
    answered: int
    asked: Any
    job: str


class Problem(Struct):
    """What is wrong with a request, in one line."""

    error: str
