/* What rules go through: how a position is looked at, what a turn leaves, and who rivals whom.

   Defined before this text: empty_of and follow; COLUMNS, so many features of turns are kept;
   LAYERS, so many columns of turns are worked on at once; GROUPED, 1 where rules ask for turns that
   begin alike. */

INLINE void forget(Ground *g) { for (int k = 0; k <= MEMOS / 64; k++) g->known[k] = 0; }

/* The case of a position, and what finds further turns for it. */
INLINE void look(Case *c, const State *s, Space *p) {
  c->state = c->ground.state = s;
  c->before = 0;
  c->space = c->ground.space = p;
  c->ground.pieces = s->pieces;
  c->ground.empty = empty_of(s->pieces);
  c->ground.me = s->to_move;
#if MOVED
  c->ground.moved = s->moved;
#else
  c->ground.moved = NO_SQUARE;
#endif
#if LASTS
  c->ground.last = s->last;
#else
  c->ground.last = 0;
#endif
  forget(&c->ground);
  for (int p = 0; p < PLAYERS; p++) c->stuck[p] = 0;
}

INLINE int same_board(const State *a, const State *b) {
  for (int k = 0; k < KEYS; k++)
    if (!set_same(a->pieces[k], b->pieces[k])) return 0;
  return 1;
}

INLINE int same_position(const State *a, const State *b) {
#if HANDS
  for (int p = 0; p < PLAYERS; p++)
    for (int k = 0; k < KEYS; k++) {
      int one = a->hand[p][k], other = b->hand[p][k];
      if ((one > 0 ? one : 0) != (other > 0 ? other : 0)) return 0;
    }
#endif
  return a->to_move == b->to_move && same_board(a, b);
}

/* What a turn leaves, the next player in turn order looking. */
static UNUSED void look_after(List *l, Turn *turn, Case *c) {
  follow(l->before.state, &turn->after, turn);
  look(c, &turn->after, l->space);
  c->before = l->before.state;
  c->ground.moved = NO_SQUARE;
#if LASTS
  memcpy(l->past, turn->after.last, sizeof l->past);
#if BACK
  l->past[0] = l->past[1] = NONE;
#endif
#if OWN
  const int own = 2 * (BACK + c->before->to_move);
  l->past[own] = l->past[own + 1] = NONE;
#endif
  c->ground.last = l->past;
#endif
}

/* The same of turn i, which is kept. */
static UNUSED Case *left_by(List *l, int i) {
  if (l->left_of != i) {
    l->left_of = i;
    look_after(l, &l->turns[i], &l->left);
  }
  return &l->left;
}

/* The board that turn i leaves, the player looking who played it. */
static UNUSED Ground *seen_after(List *l, int i) {
  Ground *g = &l->after;
  if (l->after_of == i) return g;
  l->after_of = i;
#if ASKS
  g->state = left_by(l, i)->state;
  g->space = l->space;
#endif
  g->pieces = l->turns[i].after.pieces;
  g->empty = empty_of(g->pieces);
  g->me = l->before.ground.me;
  g->moved = l->before.ground.moved;
  g->last = l->before.ground.last;
  forget(g);
  return g;
}

#if MIDWAY
/* Whatever lies on a square, a piece lies there afterwards, or NONE. */
INLINE void lay(State *s, int square, int piece) {
  for (int k = 0; k < KEYS; k++) s->pieces[k] = set_without(s->pieces[k], square);
  if (piece != NONE) s->pieces[piece] = set_with(s->pieces[piece], square);
}

#if MOVED
#define MOVED_BY(m, state, has) \
  (state)->moved = has ? set_with((state)->moved, (m)->square) : set_without((state)->moved, (m)->square);
#else
#define MOVED_BY(m, state, has)
#endif

/* The hand puts down what it holds. */
INLINE void put_down(Midway *m, State *s) {
  if (m->held == NONE) return;
  lay(s, m->square, m->held);
  MOVED_BY(m, s, m->was | m->stepped)
}

/* Turn i is broken off, letter by letter. */
static UNUSED void start_midway(List *l, int i) {
  Midway *m = &l->midway;
  const Turn *t = &l->turns[i];
  m->now = *l->before.state;
  m->at = t->code + 1;
  m->end = t->code + t->first;
  m->held = NONE;
  m->done = m->was = m->stepped = 0;
  if (m->end < m->at) return;
  m->square = m->turn.squares.start[0] = t->squares.start[0];
  m->turn.segments = 1;
  if (letter_bits[l->codes[m->at]] & IS_D) return;
  for (int k = 0; k < KEYS; k++)
    if (set_has(m->now.pieces[k], m->square)) m->held = k;
  if (m->held == NONE) return;
  m->done = 1;
#if MOVED
  m->was = set_has(m->now.moved, m->square);
#endif
  lay(&m->now, m->square, NONE);
  MOVED_BY(m, &m->now, 0)
}

/* What it leaves when it breaks off after one letter more, and not the last; 0 where it can't. */
static UNUSED Case *next_midway(List *l) {
  Midway *m = &l->midway;
  while (m->at < m->end) {
    int code = l->codes[m->at++], bits = letter_bits[code], me = l->before.ground.me;
    if (bits & IS_FLY) m->square = (i16)(l->codes[m->at++] & ~TARGET);
    else if (bits & (IS_E | IS_W | IS_P | IS_N)) m->square = (i16)(m->square + letter_by[code]);
    if (m->at >= m->end) break;
    if (bits & (IS_E | IS_W | IS_P | IS_N)) m->stepped = 1;
    else m->done = 1;
    if (bits & IS_D) {
      lay(&m->now, m->square, NONE);
      MOVED_BY(m, &m->now, 0)
    } else if (bits & IS_A) {
      put_down(m, &m->now);
      m->held = letter_piece[code];
      m->was = m->stepped = 0;
    }
#if HANDS
    i16 *hand = &m->now.hand[me][letter_piece[code]];
    if (bits & IS_A && *hand > 0) --*hand;
    if (bits & IS_R) *hand = (i16)(*hand < 0 ? 1 : *hand + 1);
#endif
    if (!m->done) continue;
    m->turn.after = m->now;
    m->turn.after.to_move = (u8)((me + 1) % PLAYERS);
    m->turn.squares.end[0] = m->square;
    put_down(m, &m->turn.after);
    look_after(l, &m->turn, &m->left);
    return &m->left;
  }
  return 0;
}
#endif

/* What scratch holds: of every turn the first that begins like it, two slots of a table of these,
   a number by group; then layers, columns of turns; then rows of features. */

INLINE u32 *numbers_of(List *l, int row) { return (u32 *)(void *)l->scratch + row * l->size; }
INLINE u8 *layer(List *l, int number) { return l->scratch + (16 * GROUPED + number) * l->size; }
INLINE u8 *kept(List *l, int i) { return layer(l, LAYERS) + i * COLUMNS; }

/* Before rules are asked of a list. */
static UNUSED void afresh(List *l) {
  l->left_of = l->after_of = NONE;
  l->grouped = 0;
#if MIXED
  l->beside = 0;
#endif
  for (int p = 0; p < PLAYERS; p++) l->before.stuck[p] = 0;
  for (u8 *at = kept(l, 0), *end = kept(l, l->size); at < end; at++) *at = 0;
}

/* Whether no turn is left. */
static UNUSED int none_alive(const List *l) {
  int stuck = 1;
  for (int i = 0; i < l->size && stuck; i++) stuck = !l->alive[i];
  return stuck;
}

/* A pass as one turn more, which nobody is a rival of; its number. Who asks takes it off again. */
static UNUSED int with_pass(List *l, int stuck) {
  int i = l->size++;
  Turn *turn = &l->turns[i];
  Squares *squares = &turn->squares;
  l->alive[i] = 0;
  turn->after = *l->before.state;
  turn->after.to_move = (u8)((turn->after.to_move + 1) % PLAYERS);
  for (int k = 0; k < ROLES; k++) squares->start[k] = squares->end[k] = NONE;
  squares->drop = squares->taken = squares->captured = NONE;
  squares->path = squares->crossed = NO_SQUARE;
  turn->segments = turn->steps = 0;
  turn->letters = turn->opens = 0;
  turn->appears = turn->keeps = 0;
  turn->code = turn->length = turn->first = turn->chosen = 0;
  afresh(l);
  l->before.stuck[0] = (u8)(1 + stuck);
  return i;
}

#define LEAST (-2147483647 - 1)
enum { RIVAL_ANY, RIVAL_START, RIVAL_FIRST };

#if TRIE && GROUPED

/* Whether so many first letters of a turn are those of another one. */
INLINE int alike(const List *l, int i, int j, u32 length) {
  const u16 *one = l->codes + l->turns[i].code, *other = l->codes + l->turns[j].code;
  u32 k = 0;
  while (k < length && one[k] == other[k]) k++;
  return k == length;
}

/* Sees to it that scratch has the first turn that begins like each: those stand together. */
static void group_turns(List *l) {
  u32 *leader = numbers_of(l, 0);
  if (l->grouped) return;
  l->grouped = 1;
  for (int i = 0; i < l->size; i++) {
    u32 first = l->turns[i].first, last = i ? leader[i - 1] : 0;
    int same = i && l->turns[last].first == first && alike(l, (int)last, i, first);
    leader[i] = same ? last : (u32)i;
  }
}

/* Of the turns that are found those stay of which it holds, or does not, that a living rival begins
   with all of them and goes on: it comes after them, before any that begins otherwise. */
static UNUSED void keep_prefix(List *l, u8 *found, int holds) {
  u8 *begun = (u8 *)(void *)numbers_of(l, 3);
  u32 *above = numbers_of(l, 1); /* the turns with which the one at hand begins */
  int depth = 0;
  for (int j = 0; j < l->size; j++) {
    begun[j] = 0;
    while (depth) {
      int i = (int)above[depth - 1];
      if (l->turns[i].chosen < l->turns[j].chosen && alike(l, i, j, l->turns[i].chosen)) break;
      depth--;
    }
    if (l->alive[j]) for (int k = 0; k < depth; k++) begun[above[k]] = 1;
    above[depth++] = (u32)j;
  }
  for (int i = 0; i < l->size; i++)
    if (found[i] && (l->turns[i].chosen && begun[i]) != holds) found[i] = 0;
}

#elif GROUPED

INLINE u32 code_hash(u32 hash, u32 code) { return (hash ^ (code + 1)) * 0x9e3779b1u; }

/* Where the table has a turn with these letters, or room for it. */
static u32 *slot_of(List *l, u32 hash, const u16 *codes, u32 length) {
  u32 *slots = numbers_of(l, 1), many = 2 * (u32)l->size, at = (u32)((u64)(hash ^ hash >> 15) * many >> 32);
  for (; slots[at]; at = at + 1 == many ? 0 : at + 1) {
    const Turn *turn = &l->turns[slots[at] - 1];
    u32 k = 0;
    if ((l->grouped == 1 ? turn->first : turn->chosen) != length) continue;
    while (k < length && l->codes[turn->code + k] == codes[k]) k++;
    if (k == length) break;
  }
  return &slots[at];
}

/* Sees to it that scratch has the first turn that begins, or is, like each. */
static void group_by(List *l, int by) {
  u32 *leader = numbers_of(l, 0), *slots = numbers_of(l, 1);
  if (l->grouped == by) return;
  l->grouped = by;
  for (int s = 0; s < 2 * l->size; s++) slots[s] = 0;
  for (int i = 0; i < l->size; i++) {
    const Turn *turn = &l->turns[i];
    u32 hash = 0, length = by == 1 ? turn->first : turn->chosen, *slot;
    for (u32 k = 0; k < length; k++) hash = code_hash(hash, l->codes[turn->code + k]);
    slot = slot_of(l, hash, l->codes + turn->code, length);
    if (!*slot) *slot = (u32)i + 1;
    leader[i] = *slot - 1;
  }
}

static void group_turns(List *l) { group_by(l, 1); }

/* Of the turns that are found those stay of which it holds, or does not, that a living rival begins
   with all of them and goes on. */
static UNUSED void keep_prefix(List *l, u8 *found, int holds) {
  u32 *leader = numbers_of(l, 0);
  int *begun = (int *)numbers_of(l, 3);
  u64 lengths = 0; /* those that turns have, all from 63 on as one */
  group_by(l, 2);
  for (int i = 0; i < l->size; i++) {
    begun[i] = 0;
    lengths |= 1ULL << (l->turns[i].chosen < 63 ? l->turns[i].chosen : 63);
  }
  for (int j = 0; j < l->size; j++) {
    const Turn *turn = &l->turns[j];
    const u16 *codes = l->codes + turn->code;
    u32 hash = 0;
    for (u32 k = 1; l->alive[j] && k < turn->chosen; k++) {
      u32 *slot;
      hash = code_hash(hash, codes[k - 1]);
      if (!(lengths >> (k < 63 ? k : 63) & 1)) continue;
      slot = slot_of(l, hash, codes, k);
      if (*slot) begun[*slot - 1] = 1;
    }
  }
  for (int i = 0; i < l->size; i++)
    if (found[i] && (l->turns[i].chosen && begun[leader[i]]) != holds) found[i] = 0;
}

#endif

#if GROUPED

typedef struct { const u16 *codes; u32 at, end; int square; } Route;

INLINE Route route_of(const List *l, int i) {
  const Turn *t = &l->turns[i];
  Route r = {l->codes + t->code, 0, t->chosen, NONE};
  return r;
}

/* The next square of a route: where the choices begin or come to a piece; NONE at its end. */
INLINE int next_of(Route *r) {
  while (r->at < r->end) {
    int code = r->codes[r->at++], bits;
    if (code & ORIGIN) {
      r->square = code & ~ORIGIN;
      if (r->at == 1) return r->square;
      continue;
    }
    bits = letter_bits[code];
    if (bits & IS_FLY) r->square = r->codes[r->at++] & ~TARGET;
    else if (bits & (IS_W | IS_P | IS_N | IS_E)) r->square += letter_by[code];
    if (bits & (IS_W | IS_P | IS_N)) return r->square;
  }
  return NONE;
}

/* Of the turns that are found those stay of which it holds, or does not, that a living rival comes
   to more pieces, and begins with all of them, or takes their `route`. */
INLINE void keep_further(List *l, u8 *found, int holds, int route) {
  u32 *length = numbers_of(l, 3);
  for (int i = 0; i < l->size; i++) {
    Route r = route_of(l, i);
    for (length[i] = 0; next_of(&r) != NONE;) length[i]++;
  }
  for (int i = 0; i < l->size; i++) {
    int further = 0;
    for (int j = 0; found[i] && length[i] && j < l->size && !further; j++)
      if (l->alive[j] && length[i] < length[j]) {
        Route one = route_of(l, i), other = route_of(l, j);
        int same = 1, square;
        if (route)
          while (same && (square = next_of(&one)) != NONE) same = square == next_of(&other);
        else
          for (u32 k = 0; same && k < one.end; k++) same = k < other.end && one.codes[k] == other.codes[k];
        further = same;
      }
    if (found[i] && further != holds) found[i] = 0;
  }
}

static UNUSED void keep_further_letters(List *l, u8 *found, int holds) {
  keep_further(l, found, holds, 0);
}

static UNUSED void keep_further_pieces(List *l, u8 *found, int holds) {
  keep_further(l, found, holds, 1);
}

#endif

/* The highest value of a living turn, of which `most` is enough; LEAST where there is none. */
INLINE int highest_of(List *l, int most, int (*value)(List *, int)) {
  int highest = LEAST;
  for (int j = 0; j < l->size && highest < most; j++)
    if (l->alive[j]) {
      int v = value(l, j);
      if (v > highest) highest = v;
    }
  return highest;
}

/* What rivals have at most that stand beside the list; they are asked for where MIXED. */
#if MIXED
#define BESIDE_LIST(l, place) ((l)->beside ? (l)->highest[place] : LEAST)
#else
#define BESIDE_LIST(l, place) LEAST
#endif

/* Of the turns that are found those stay of which it holds, or does not, that the value of a living
   rival lies above theirs; it is at most `most`, and `beside` one that stands beside the list. */
INLINE void keep_below(List *l, u8 *found, int holds, int scope, int beside, int most, int (*value)(List *, int)) {
  int n = l->size, begun[SQUARES + 1], *best = begun, groups = SQUARES + 1;
#if GROUPED
  u32 *leader = numbers_of(l, 0);
#endif
  if (scope == RIVAL_ANY) {
    int highest = beside < most ? highest_of(l, most, value) : beside;
    if (beside > highest) highest = beside;
    for (int i = 0; i < n; i++)
      if (found[i]) {
        int v = value(l, i);
        if ((highest > v && v != LEAST) != holds) found[i] = 0;
      }
    return;
  }
#if GROUPED
#define GROUP_OF(i) (scope == RIVAL_FIRST ? (int)leader[i] : l->turns[i].squares.start[0] + 1)
  if (scope == RIVAL_FIRST) {
    group_turns(l);
    best = (int *)numbers_of(l, 3);
    groups = n;
  }
#else
#define GROUP_OF(i) (l->turns[i].squares.start[0] + 1)
#endif
  for (int k = 0; k < groups; k++) best[k] = LEAST;
  for (int j = 0; j < n; j++)
    if (l->alive[j] && best[GROUP_OF(j)] < most) {
      int v = value(l, j), *at = &best[GROUP_OF(j)];
      if (v > *at) *at = v;
    }
  for (int i = 0; i < n; i++)
    if (found[i]) {
      int v = value(l, i);
      if ((best[GROUP_OF(i)] > v && v != LEAST) != holds) found[i] = 0;
    }
}
