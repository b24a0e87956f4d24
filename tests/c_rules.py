"""Rules compiled to C, with a driver that takes positions and turns from Python."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from c_terms import walk_of

from grl import logic
from grl.board import Position
from grl.logic.code import Code
from grl.logic.terms import MOST_SEGMENTS
from grl.model import Feature, Rules
from grl.moves.candidate import Candidate
from grl.rules import code as room
from grl.rules.code.history import Packed, packed_past
from grl.rules.code.rules import RuleCode
from grl.rules.features.cases import PositionCase, Setting, TurnCase, TurnList
from grl.rules.play.referee import candidate_of
from grl.turn import PASS, Kind, Letter, Turn, play

COMPILER = shutil.which("cc")
WARNINGS = ("-Wall", "-Wno-unused-function", "-Werror")
BITS = {"e": 1, "w": 2, "p": 4, "n": 8, "d": 16, "a": 32, "r": 64}
FLIGHT = 128
NO_SQUARE = -1
ORIGIN, TARGET = 0x4000, 0x8000

LETTERS = """
#include <string.h>
static u8 letter_bits[2000], letter_piece[2000];
static i16 letter_by[2000];
"""
DRIVER = """
typedef int (*AskStuck)(int turn, int letters, int seat, int level);
typedef void (*AskThreats)(int turn, int letters, int player, int level, int ends, u64 *found);
static AskStuck ask_stuck;
static AskThreats ask_threats;
static State states[%(states)d];
static Turn turns[%(turns)d];
static u8 alive[%(turns)d];
static u32 scratch[%(turns)d * (%(scratch)d + 4)];
static List list;

void set_letter(int number, int bits, int by, int piece) {
  letter_bits[number] = (u8)bits;
  letter_by[number] = (i16)by;
  letter_piece[number] = (u8)piece;
}

static Set given(const u64 *words) {
  Set found = NO_SQUARE;
  for (int s = 0; s < SQUARES; s++)
    if (words[s >> 6] >> (s & 63) & 1) found = set_with(found, s);
  return found;
}

/* The number of the turn that leaves a state, -1 for a position; after how many letters that turn
   breaks off, 0 where it doesn't. */
static int turn_of(const State *s, int *letters) {
  *letters = 0;
  for (int i = 0; i < %(turns)d; i++) {
    if (&turns[i].after == s) return i;
#if MIDWAY
    const Turn *t = &turns[i];
    if (s != &list.midway.turn.after || t->code + t->first != list.midway.end) continue;
    for (u32 k = t->code + 1; k < list.midway.at; k++) *letters += !(list.codes[k] & TARGET);
    return i;
#endif
  }
  return -1;
}

static int is_stuck(Space *p, const State *s, int seat, int level) {
  int letters, turn = turn_of(s, &letters);
  (void)p;
  return ask_stuck(turn, letters, seat, level);
}

static Set asked(Ground *g, int seat, int level, int ends) {
  u64 found[WORDS];
  int letters, turn = turn_of(g->state, &letters);
  ask_threats(turn, letters, (g->me + seat) %% PLAYERS, level, ends, found);
  return given(found);
}

static Set threatened(Ground *g, int seat, int level) { return asked(g, seat, level, 0); }

static Set reachable(Ground *g, int seat, int level) { return asked(g, seat, level, 1); }

static int reaches(Ground *g, int seat, Set wanted) {
  return set_any(set_and(wanted, asked(g, seat, 0, 1)));
}

static void fill(State *s, const u64 *sets, const i16 *hands, const u64 *moved, int to_move) {
  for (int k = 0; k < KEYS; k++) s->pieces[k] = given(sets + k * WORDS);
#if HANDS
  for (int p = 0; p < PLAYERS; p++)
    for (int k = 0; k < KEYS; k++) s->hand[p][k] = hands[p * KEYS + k];
#endif
#if MOVED
  s->moved = given(moved);
#endif
  (void)hands, (void)moved;
  s->to_move = (u8)to_move;
}

void ask(AskStuck stuck, AskThreats squares) {
  ask_stuck = stuck;
  ask_threats = squares;
}

void set_state(int n, const u64 *sets, const i16 *hands, const u64 *moved, int to_move,
               const i16 *last, const u16 *since, int passes, int last_only) {
  State *s = &states[n];
  fill(s, sets, hands, moved, to_move);
#if LASTS
  for (int k = 0; k < LASTS; k++) s->last[k] = last[k];
#endif
#if EVENTS
  for (int k = 0; k < EVENTS; k++) s->since[k] = since[k];
#endif
#if TRAIL
  s->up = n ? &states[n - 1] : 0;
#endif
  (void)last, (void)since;
  s->passes = (u16)passes;
  s->last_only = (u8)last_only;
}

void set_turn(int n, const u64 *sets, const i16 *hands, const u64 *moved, const i16 *squares,
              const u64 *path, const u32 *numbers, const u64 *kinds) {
  Turn *t = &turns[n];
  fill(&t->after, sets, hands, moved, (list.before.ground.me + 1) %% PLAYERS);
  for (int k = 0; k < ROLES; k++)
    t->squares.start[k] = squares[k], t->squares.end[k] = squares[ROLES + k];
  t->squares.drop = squares[2 * ROLES];
  t->squares.taken = squares[2 * ROLES + 1];
  t->squares.captured = squares[2 * ROLES + 2];
  t->squares.path = given(path);
  t->squares.takes = given(path + WORDS);
  t->squares.crossed = given(path + 2 * WORDS);
  t->segments = (u16)numbers[0];
  t->steps = (u16)numbers[1];
  t->letters = (u8)numbers[2];
  t->opens = (u8)numbers[3];
  t->code = numbers[4];
  t->length = numbers[5];
  t->first = numbers[6];
  t->chosen = numbers[7];
  t->appears = kinds[0];
  t->keeps = kinds[1];
}

void begin(int state, int size, const u16 *codes) {
  list.space = 0;
  list.size = size;
  list.turns = turns;
  list.alive = alive;
  list.codes = codes;
  list.scratch = (u8 *)scratch;
  look(&list.before, &states[state], 0);
  for (int i = 0; i <= size; i++) alive[i] = 1;
}

static int (*const of_positions[])(Case *) = {%(positions)s};
static int (*const of_turns[])(List *, int) = {%(of_turns)s};
static void (*const relations[])(List *, u8 *, int) = {%(relations)s};

void positions_hold(u8 *out) {
  afresh(&list);
  for (int f = 0; of_positions[f]; f++) out[f] = (u8)of_positions[f](&list.before);
}

void turns_hold(u8 *out) {
  afresh(&list);
  for (int f = 0; of_turns[f]; f++)
    for (int i = 0; i < list.size; i++) *out++ = (u8)of_turns[f](&list, i);
}

void relations_hold(const u8 *living, u8 *out) {
  for (int i = 0; i < list.size; i++) alive[i] = living[i];
  for (int f = 0; relations[f]; f++, out += list.size) {
    afresh(&list);
    for (int i = 0; i < list.size; i++) out[i] = 1;
    relations[f](&list, out, 1);
  }
}

void restricted(int level, u8 *out) {
  for (int i = 0; i < list.size; i++) alive[i] = 1;
  restrict_turns(&list, level);
  for (int i = 0; i < list.size; i++) out[i] = alive[i];
}

int ended(int stuck) { return ending_of(&list.before, stuck); }
int barred(void) { return pass_barred(&list, none_alive(&list)); }
int following(int i) { return next_seat(&list, i); }

/* What turn i leaves of the past: passes, whether only the last turn is known, last, since. */
void followed(int i, int *out) {
  follow(&states[list.before.state - states], &turns[i].after, &turns[i]);
  *out++ = turns[i].after.passes;
  *out++ = turns[i].after.last_only;
#if LASTS
  for (int k = 0; k < LASTS; k++) *out++ = turns[i].after.last[k];
#endif
#if EVENTS
  for (int k = 0; k < EVENTS; k++) *out++ = turns[i].after.since[k];
#endif
}
"""


class Compiled:
    """Features and lists of rules in C, for games of one setting.

    `positions`, `turns` and `relations` are the features that `hold` and `hold_of_turns` evaluate,
    in this order. `setting` answers what the compiled text asks of other turns.
    """

    def __init__(
        self,
        setting: Setting,
        rules: Rules,
        folder: Path,
        positions: Sequence[Feature] = (),
        turns: Sequence[Feature] = (),
        relations: Sequence[Feature] = (),
        options: Sequence[str] = ("-O0", *WARNINGS),
        most: tuple[int, int] = (400, 3000),
    ) -> None:
        self.setting = setting
        equipment = setting.equipment
        code = Code(equipment, setting.grid)
        self.rules = RuleCode(equipment, rules, code)
        names = {
            "positions": [self.rules.position(f) for f in positions],
            "of_turns": [self.rules.turn(f) for f in turns],
            "relations": [self.rules.relation(f) for f in relations],
        }
        self.features, self.of_turns, self.relations = positions, turns, relations
        self.needs = needs = self.rules.needs
        self._lasts = 2 * (needs.back + needs.own * len(equipment.players))
        self.keys = sorted(equipment.pieces)
        self.hands = int(bool(equipment.stocked))
        text = self.rules.text()
        constants = {
            "SQUARES": setting.size,
            "KEYS": len(self.keys),
            "PLAYERS": len(equipment.players),
            "HANDS": self.hands,
            "BACK": needs.back,
            "OWN": int(needs.own),
            "LASTS": self._lasts,
            "EVENTS": len(needs.events),
            "MOVED": int(needs.moved),
            "TRAIL": int(needs.trail),
            "MIDWAY": int(needs.midway),
            "SEGMENTS": MOST_SEGMENTS,
            "MEMOS": code.memos,
        }
        parts = [f"#define {name} {value}" for name, value in constants.items()]
        parts += [_header(logic, "sets.h"), _header(logic, "rows.h"), _header(room, "cases.h")]
        parts += [LETTERS, code.text(), text]
        parts.append(
            DRIVER
            % {
                "states": most[0],
                "turns": most[1],
                "scratch": needs.scratch,
                **{name: ", ".join([*each, "0"]) for name, each in names.items()},
            }
        )
        self.source = "\n".join(parts)
        (folder / "rules.c").write_text(self.source, encoding="ascii")
        assert COMPILER is not None
        command = [COMPILER, "-std=c99", *options, "-shared", "-fPIC", "rules.c", "-o", "rules.so"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:3000]
        self.library = ctypes.CDLL(str(folder / "rules.so"))
        self._stuck = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_int] * 4)(self._is_stuck)
        self._threats = ctypes.CFUNCTYPE(
            None, *[ctypes.c_int] * 5, ctypes.POINTER(ctypes.c_uint64)
        )(self._threatened)
        self.library.ask(self._stuck, self._threats)
        self.failures: list[BaseException] = []

    def begin(self, position: Position, candidates: Sequence[Candidate]) -> TurnList:
        """Make these the turns of a position, here and in C; the list in Python."""
        self.case = PositionCase.of(self.setting, position)
        self.list = TurnList(self.case, candidates)
        size, equipment = self.setting.size, self.setting.equipment
        trail = list(position.trail or ())
        for number, past in enumerate(trail):
            self._state(number, Position(equipment, past.cells, past.to_move, past.stock))
        self._state(len(trail), position)
        self.codes = np.array([], dtype=np.uint16)
        self._letters: dict[Letter, int] = {}
        codes: list[int] = []
        self.library.begin(len(trail), 0, None)
        for number, case in enumerate(self.list.cases):
            after = play(position, case.turn)
            assert (after.cells, after.stock) == (case.candidate.cells, case.candidate.stock)
            segments = range(1, MOST_SEGMENTS + 1)
            roles = [f"{end}{k}" for end in ("start", "end") for k in segments]
            asked = [case.square(role) for role in (*roles, "drop", "taken", "captured")]
            squares = np.array([NO_SQUARE if s is None else s for s in asked], dtype=np.int16)
            self.library.set_turn(
                number,
                *self._board(after),
                squares.ctypes,
                _words(walk_of(case), size).ctypes,
                self._numbers(case, codes).ctypes,
                self._kinds(case).ctypes,
            )
        self.codes = np.array([*codes, 0], dtype=np.uint16)
        self.library.begin(len(trail), len(self.list.cases), self.codes.ctypes)
        return self.list

    def hold(self) -> list[bool]:
        """Which features hold of the position."""
        found = np.zeros(len(self.features), dtype=np.uint8)
        self.library.positions_hold(found.ctypes)
        return self._done(found)

    def hold_of_turns(self) -> list[list[bool]]:
        """Features of turns × turns."""
        found = np.zeros((len(self.of_turns), len(self.list.cases)), dtype=np.uint8)
        self.library.turns_hold(found.ctypes)
        return self._done(found)

    def hold_of_rivals(self, alive: Sequence[bool]) -> list[list[bool]]:
        """Relations × turns, while some turns are alive."""
        living = np.array(alive, dtype=np.uint8)
        found = np.zeros((len(self.relations), len(living)), dtype=np.uint8)
        self.library.relations_hold(living.ctypes, found.ctypes)
        return self._done(found)

    def restricted(self, level: int = 2) -> list[bool]:
        """Which turns restrictions leave."""
        found = np.zeros(len(self.list.cases), dtype=np.uint8)
        self.library.restricted(level, found.ctypes)
        return self._done(found)

    def followed(self, number: int) -> tuple[object, ...]:
        """What a turn leaves of the past, as `packed_past` has it."""
        lasts, events = self._lasts, len(self.needs.events)
        out = np.zeros(2 + lasts + events, dtype=np.int32)
        self.library.followed(number, out.ctypes)
        passes, last_only, *rest = out.tolist()
        return tuple(rest[lasts:]), passes, tuple(rest[:lasts]), bool(last_only)

    def past(self, position: Position) -> Packed:
        """What is known of the game before a position."""
        needs = self.needs
        return packed_past(self.setting, position, needs.back, needs.events, own=needs.own)

    def _done(self, found: np.ndarray) -> list:
        if self.failures:
            raise self.failures[0]
        assert set(np.unique(found).tolist()) <= {0, 1}
        return found.astype(bool).tolist()

    def _state(self, number: int, position: Position) -> None:
        past = self.past(position)
        last = np.array([*past.last, 0], dtype=np.int16)
        since = np.array([*past.since, 0], dtype=np.uint16)
        to_move = self.setting.equipment.players.index(position.to_move)
        board = self._board(position)
        self.library.set_state(
            number, *board, to_move, last.ctypes, since.ctypes, past.passes, int(past.last_only)
        )

    def _board(self, position: Position) -> list[object]:
        held = [[s for s, c in enumerate(position.cells) if c == key] for key in self.keys]
        players = self.setting.equipment.players
        stock = {(player, key): count for player, key, count in position.stock}
        hands = [[stock.get((player, key), -1) for key in self.keys] for player in players]
        size = self.setting.size
        arrays = [
            _words(held, size),
            np.array(hands, dtype=np.int16),
            _words([position.moved], size),
        ]
        return [array.ctypes for array in arrays]

    def _numbers(self, case: TurnCase, codes: list[int]) -> np.ndarray:
        at, first, chosen, bits = len(codes), 0, 0, 0
        board = self.setting.board
        for number, segment in enumerate(case.turn.segments, 1):
            codes.append(ORIGIN | board.square(segment.origin))
            for letter, target in zip(segment.letters, segment.flights, strict=True):
                codes.append(self._letter(letter))
                codes += [TARGET | board.square(target)] if letter.fly else []
                bits |= _bits(letter)
            first = first or len(codes) - at
            if number <= len(case.candidate.chosen.segments):
                chosen = len(codes) - at
        steps = sum(letter.kind is Kind.STEP for letter in case.letters)
        opens = 0
        if case.letters:
            opens = min(_bits(case.letters[0]), FLIGHT)
        segments = len(case.turn.segments)
        length = len(codes) - at
        numbers = [segments, steps, bits, opens, at, length, first, chosen]
        return np.array(numbers, dtype=np.uint32)

    def _letter(self, letter: Letter) -> int:
        number = self._letters.setdefault(letter, len(self._letters))
        by = letter.dx + letter.dy * self.setting.board.width
        piece = self.keys.index(letter.piece) if letter.piece else 0
        self.library.set_letter(number, _bits(letter), by, piece)
        return number

    def _kinds(self, case: TurnCase) -> np.ndarray:
        masks = []
        for kind in (Kind.APPEAR, Kind.RESERVE):
            named = {letter.piece for letter in case.letters if letter.kind is kind}
            masks.append(sum(1 << self.keys.index(key) for key in named))
        return np.array(masks, dtype=np.uint64)

    def _case(self, turn: int, letters: int) -> PositionCase:
        if letters:
            broken = Turn((self.list.cases[turn].turn.segments[0].prefix(letters),))
            left = play(self.case.position(), broken)
            return PositionCase(
                self.setting, left.cells, left.stock, left.to_move, previous=self.case, turn=broken
            )
        if turn == len(self.list.cases):
            position = self.case.position()
            return TurnCase(self.list, turn, candidate_of(position, PASS, position)).after
        return self.case if turn < 0 else self.list.cases[turn].after

    def _is_stuck(self, turn: int, letters: int, seat: int, level: int) -> int:
        try:
            case = self._case(turn, letters)
            assert level == (2 if case.previous is None else 1)
            assert self.setting.stuck is not None
            return int(self.setting.stuck(case, seat))
        except BaseException as error:
            self.failures.append(error)
            return 0

    def _threatened(
        self, turn: int, letters: int, player: int, level: int, ends: int, found: object
    ) -> None:
        try:
            case = self._case(turn, letters)
            attacker = self.setting.equipment.players[player]
            seat = self.setting.places_after(case.to_move, attacker)
            squares = np.flatnonzero(case.touched(seat, level)[ends]).tolist()
            for number, word in enumerate(_words([squares], self.setting.size)[0].tolist()):
                found[number] = word
        except BaseException as error:
            self.failures.append(error)


def _bits(letter: Letter) -> int:
    return BITS[letter.on] | (FLIGHT if letter.fly else 0)


def _header(package: object, name: str) -> str:
    return Path(package.__file__).with_name(name).read_text(encoding="utf-8")


def _words(sets: Sequence[Sequence[int]], size: int) -> np.ndarray:
    """Sets of squares as words, sets × words."""
    found = np.zeros((len(sets), (size + 63) // 64), dtype=np.uint64)
    for row, squares in zip(found, sets, strict=True):
        for square in squares:
            row[square // 64] |= np.uint64(1 << square % 64)
    return found
