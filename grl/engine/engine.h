/* The engine: walks that generate turns, what rules leave of them, counting and playing.

   Before this text stand the constants of the model, sets.h, rows.h and cases.h; after it the terms,
   the rules and the graphs of the model. A content is 0 for an empty square, k + 1 for piece k and
   HOLE for no square. A turn's codes are numbers: ORIGIN and a square where a segment begins, then
   its letters, a flight followed by TARGET and the square where it lands. */

#define PLAIN static UNUSED __attribute__((noinline))
#if DEVICE /* for graphics processors (gpu.h): what plays sets of origins, and no walk */
#define EXPORT static UNUSED
#else
#define DEVICE 0
#define EXPORT __attribute__((visibility("default")))
#endif
#define HOLE (KEYS + 1)
#define ORIGIN 0x4000
#define TARGET 0x8000
#define LONGEST 400      /* codes of a turn */
#define MOST_STATES 50000 /* search states from one origin */
#define MOST_FRAMES 700  /* lists of turns in use at a time */

#if DEVICE
struct Space { int depth, failed; };
#else
struct Frame { /* a list of turns, and which of them are legal */
  List list;
  Turn *turns;
  u16 *codes;
  u8 *alive, *scratch;
  u32 *legal; /* the numbers of the legal turns, in order */
  int room, count; /* of turns; of legal ones, a pass apart */
  u32 code_room, code_count;
  int passes;  /* whether a pass is legal; it is the turn after the others */
  int ending;  /* the rule that ended the game, or NONE */
};

struct Space {
  Frame frames[MOST_FRAMES];
  int depth;
  int failed; /* a walk grew too large, or memory was lacking */
  u64 *seen;
  u32 *stamp, *number;
  u32 room, used, now;
  u32 *code_at;
  u16 *code_out;
  u32 out_room, code_out_room;
#if COUNTED
  u32 upto[SQUARES]; /* so many turns have the origins up to each, where they were counted last */
#endif
};

typedef struct {
  Space *space;
  Frame *frame;
  const State *from;
  Set lies[KEYS + 1]; /* by content */
#if MOVED
  Set moved;
  int was, stepped; /* whether what is held had moved before, and whether it has stepped now */
#endif
#if HANDS
  i16 hand[KEYS];
#endif
#if KEYED
  Set touched;
  u64 mark, took; /* numbers for what has changed, and for what was removed in which order */
#endif
#if TIES
  i16 tie[TIES];
#endif
  i16 came; /* whence the hand stepped onto the piece whose action is pending */
  u32 states, length, first;
#if COUNTED
  int counts;          /* turns are counted, and none is listed but the one with a number; 1: in any */
                       /* order, 2: one after the other */
  u32 counted, wanted;
#endif
  int segments, over;
  u8 cells[SQUARES];
  i16 start[SEGMENTS], end[SEGMENTS];
  u16 code[LONGEST + 4];
  i16 at[LONGEST + 4]; /* where the hand is after each code */
} Walk;
#endif

INLINE u64 mixed(u64 h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  return h ^ (h >> 31);
}

#if !DEVICE
/* Tables of numbers that were met, emptied by raising `now`. Returns the place of `key`; its `number`
   is NONE where it is new. */
static void seen_clear(Space *p) { p->now++; p->used = 0; }

static void seen_grow(Space *p) {
  u32 old = p->room, room = old ? 2 * old : 1024;
  u64 *seen = malloc(room * sizeof *seen);
  u32 *stamp = malloc(room * sizeof *stamp), *number = malloc(room * sizeof *number);
  if (!seen || !stamp || !number) { free(seen); free(stamp); free(number); p->failed = 1; return; }
  memset(stamp, 0, room * sizeof *stamp);
  for (u32 i = 0; i < old; i++)
    if (p->stamp[i] == p->now) {
      u32 j = (u32)p->seen[i] & (room - 1);
      while (stamp[j]) j = (j + 1) & (room - 1);
      seen[j] = p->seen[i]; stamp[j] = 1; number[j] = p->number[i];
    }
  free(p->seen); free(p->stamp); free(p->number);
  p->seen = seen; p->stamp = stamp; p->number = number; p->room = room; p->now = 1;
}

/* Whether a key was met since `from` in the probing order; if not it is noted with a number. */
static int seen_before(Space *p, u64 key, u32 number) {
  if (2 * p->used >= p->room) seen_grow(p);
  if (p->failed) return 1;
  u32 i = (u32)key & (p->room - 1);
  for (; p->stamp[i] == p->now; i = (i + 1) & (p->room - 1))
    if (p->seen[i] == key) return 1;
  p->seen[i] = key; p->stamp[i] = p->now; p->number[i] = number; p->used++;
  return 0;
}

static Frame *frame_open(Space *p) {
  if (p->depth >= MOST_FRAMES) { p->failed = 1; return &p->frames[MOST_FRAMES - 1]; }
  Frame *f = &p->frames[p->depth++];
  f->list.size = 0; f->code_count = 0; f->count = 0; f->passes = 0; f->ending = NONE;
  return f;
}

static void frame_close(Space *p) { if (p->depth) p->depth--; }

/* Room for one turn more. */
static int turn_room(Space *p, Frame *f) {
  if (f->list.size >= f->room) {
    int room = f->room ? 2 * f->room : 64;
    Turn *turns = realloc(f->turns, room * sizeof *turns);
    if (turns) f->turns = turns;
    u8 *alive = realloc(f->alive, room);
    if (alive) f->alive = alive;
    u32 *legal = realloc(f->legal, room * sizeof *legal);
    if (legal) f->legal = legal;
    u8 *scratch = realloc(f->scratch, (unsigned long)room * SCRATCH + 64);
    if (scratch) f->scratch = scratch;
    if (!turns || !alive || !legal || !scratch) { p->failed = 1; return 0; }
    f->room = room;
  }
  return 1;
}

static Turn *turn_add(Space *p, Frame *f) {
  if (!turn_room(p, f)) return 0;
  f->alive[f->list.size] = 1;
  return &f->turns[f->list.size++];
}

static u16 *codes_add(Space *p, Frame *f, u32 more) {
  if (f->code_count + more > f->code_room) {
    u32 room = 2 * (f->code_count + more) + 256;
    u16 *codes = realloc(f->codes, room * sizeof *codes);
    if (!codes) { p->failed = 1; return 0; }
    f->codes = codes; f->code_room = room;
  }
  u16 *here = f->codes + f->code_count;
  f->code_count += more;
  return here;
}

PLAIN void walk_set(Walk *w, int s, int content) {
  int before = w->cells[s];
#if KEYED
  if (set_has(w->touched, s)) w->mark ^= mixed(s * 256 + before + 1); /* never that of 0, which is 0 */
  w->touched = set_with(w->touched, s);
  w->mark ^= mixed(s * 256 + content + 1);
#endif
  w->lies[before] = set_without(w->lies[before], s);
  w->lies[content] = set_with(w->lies[content], s);
  w->cells[s] = (u8)content;
}

PLAIN void walk_back(Walk *w, int s, int content) {
  int now = w->cells[s];
  w->lies[now] = set_without(w->lies[now], s);
  w->lies[content] = set_with(w->lies[content], s);
  w->cells[s] = (u8)content;
}

#if KEYED
#define SAVE_MARK Set touched = w->touched; u64 mark = w->mark;
#define LOAD_MARK w->touched = touched; w->mark = mark;
#else
#define SAVE_MARK
#define LOAD_MARK
#endif
#if MOVED
#define SAVE_MOVED Set moved = w->moved; int was = w->was, stepped = w->stepped;
#define LOAD_MOVED w->moved = moved; w->was = was; w->stepped = stepped;
#define LIFT_MOVED w->was = set_has(w->moved, s); w->moved = set_without(w->moved, s); w->stepped = 0;
#define FRESH_MOVED w->was = w->stepped = 0;
#define STEP_MOVED w->stepped = 1;
#define DROP_MOVED w->moved = set_without(w->moved, s);
#define PUT_MOVED \
  w->moved = w->was | w->stepped ? set_with(w->moved, s) : set_without(w->moved, s);
#else
#define SAVE_MOVED
#define LOAD_MOVED
#define LIFT_MOVED
#define FRESH_MOVED
#define STEP_MOVED
#define DROP_MOVED
#define PUT_MOVED
#endif

INLINE void walk_push(Walk *w, int code, int s) {
  w->code[w->length] = (u16)code; w->at[w->length++] = (i16)s;
}

#if KEYED
#define STATES PLAIN
#else
#define STATES INLINE
#endif

/* Whether the walk goes on from a search state: it is not one too many, and not met before. */
STATES int walk_enters(Walk *w, int key, int s, int pending) {
  if (++w->states > MOST_STATES || w->length > LONGEST - 2) { w->space->failed = 1; return 0; }
#if COUNTED
  if (w->counts && w->counted > w->wanted) return 0;
#endif
#if KEYED
  u64 h = (u64)key * SQUARES + s;
  if (pending) h = mixed(h + 0x9e3779b97f4a7c15ULL) + w->came + 1;
#if TIES
  for (int i = 0; i < TIES; i++) h = mixed(h) + w->tie[i] + 1;
#endif
#if HANDS
  for (int i = 0; i < KEYS; i++) h = mixed(h) + w->hand[i] + 1;
#endif
  if (seen_before(w->space, mixed(mixed(h ^ w->mark) + w->took), 0)) return 0;
#endif
  (void)key; (void)s; (void)pending;
  return !w->space->failed;
}

#if EFFECTS
static int walk_effects(Walk *w, Turn *t, State *after);
#endif
INLINE void ground_of(Ground *g, const Set *pieces, Set empty, int me) {
  g->pieces = pieces; g->empty = empty; g->me = me; g->moved = NO_SQUARE; g->last = 0;
  forget(g);
}

/* What rules ask of the squares of a turn, and of its letters. */
static void describe_squares(Walk *w, Turn *t) {
  Squares *q = &t->squares;
  for (int i = 0; i < ROLES; i++) {
    q->start[i] = i < w->segments ? w->start[i] : NONE;
    q->end[i] = i < w->segments ? w->end[i] : NONE;
  }
  q->drop = q->taken = q->captured = NONE;
  q->path = NO_SQUARE;
  int flies = 0, onto = 0;
  for (u32 i = 1; i < w->first; i++) {
    if (w->code[i] & TARGET) continue;
    int bits = letter_bits[w->code[i]];
    if (bits & IS_FLY) flies = 1;
    if (bits & (IS_E | IS_W | IS_P | IS_N)) {
      onto = !(bits & IS_E);
      q->path = set_with(q->path, w->at[i]);
    } else if (bits & IS_A) {
      if (q->drop == NONE) q->drop = w->at[i];
    } else if (bits & IS_D) {
      if (q->taken == NONE) q->taken = w->at[i];
    }
  }
  if (flies) q->path = NO_SQUARE;
  if (onto) q->captured = w->end[0];
}

static void describe_letters(Frame *f, Turn *t) {
  t->letters = t->opens = 0; t->steps = 0; t->appears = t->keeps = 0;
  for (u32 i = 1; i < t->length; i++) {
    int code = f->codes[t->code + i];
    if (code & (TARGET | ORIGIN)) continue;
    int bits = letter_bits[code];
    t->letters |= (u8)bits;
    if (i == 1) t->opens = (u8)(bits & IS_FLY ? IS_FLY : bits);
    if (bits & (IS_E | IS_W | IS_P | IS_N)) t->steps++;
    if (bits & IS_A) t->appears |= 1ULL << (letter_piece[code] & 63);
    if (bits & IS_R) t->keeps |= 1ULL << (letter_piece[code] & 63);
  }
}

#if EFFECTS
/* What lay where the first segment ends, on a piece; 255 where it lands on none. */
INLINE int landed_on(Walk *w, Turn *t) {
  if (t->squares.captured == NONE) return 255;
  for (int k = 0; k < KEYS; k++)
    if (set_has(w->from->pieces[k], t->squares.captured)) return k + 1;
  return 255;
}

/* A square changes after the choices of a turn: a further segment. 0 where no such piece is left. */
static int effect_at(Walk *w, Turn *t, State *after, int s, int content, int now, int letters) {
  u16 *codes = codes_add(w->space, w->frame, 2);
  if (!codes) return 0;
  codes[0] = (u16)(ORIGIN | s);
  codes[1] = (u16)(letters + now); /* the first of them removes */
  t->length += 2;
  if (t->segments < ROLES) t->squares.start[t->segments] = t->squares.end[t->segments] = (i16)s;
  t->segments++;
  if (content) after->pieces[content - 1] = set_without(after->pieces[content - 1], s);
#if MOVED
  after->moved = set_without(after->moved, s);
#endif
  if (!now) return content != 0;
  after->pieces[now - 1] = set_with(after->pieces[now - 1], s);
#if HANDS
  i16 *hand = &after->hand[w->from->to_move][now - 1];
  if (*hand == 0) return 0;
  if (*hand > 0) --*hand;
#endif
  return 1;
}
#endif

/* A turn ends: it joins the list. */
PLAIN void walk_emit(Walk *w) {
#if COUNTED
  if (w->counts && w->counted++ != w->wanted) return;
#endif
  Turn *t = turn_add(w->space, w->frame);
  if (!t) return;
  State *after = &t->after;
  *after = *w->from;
  for (int k = 0; k < KEYS; k++) after->pieces[k] = w->lies[k + 1];
#if HANDS
  for (int k = 0; k < KEYS; k++) after->hand[w->from->to_move][k] = w->hand[k];
#endif
#if MOVED
  after->moved = w->moved;
#endif
  after->to_move = (u8)((w->from->to_move + 1) % PLAYERS);
  t->segments = (u16)w->segments;
  t->target = w->end[0];
  t->first = w->first;
#if TURNS || EFFECTS || BACK || EVENTS
  describe_squares(w, t);
#endif
  t->code = w->frame->code_count;
  t->length = w->length;
  u16 *codes = codes_add(w->space, w->frame, w->length);
  if (!codes) return;
  memcpy(codes, w->code, w->length * sizeof *codes);
#if EFFECTS
  if (!walk_effects(w, t, after)) {
    w->frame->list.size--;
    w->frame->code_count = t->code;
    return;
  }
#endif
#if TURNS
  describe_letters(w->frame, t);
#endif
}

/* What a walk does at a node, a line each: `s` is the square of the hand, `t` the one after a letter;
   `go` goes on with GO(next node), between what ties remember and forget. All is undone afterwards. */
#if MOVED
#define STEP_IN int stepped = w->stepped; w->stepped = 1;
#define STEP_OUT w->stepped = stepped;
#else
#define STEP_IN
#define STEP_OUT
#endif
#if KEYED
#define TAKE_IN u64 took = w->took; w->took = mixed(took + s + 1);
#define FRESH_IN u64 took = w->took; w->took = 0;
#define TAKE_OUT w->took = took;
#else
#define TAKE_IN
#define FRESH_IN
#define TAKE_OUT
#endif
#define GO(next) next(w, t);
#define TIE(number, square) i16 tie_##number = w->tie[number]; w->tie[number] = (i16)(square);
#define UNTIE(number) w->tie[number] = tie_##number;
#define HOPS(letter, go) STEP_IN walk_push(w, letter, t); go w->length--; STEP_OUT
#define FLIES(letter, go) \
  STEP_IN walk_push(w, letter, t); walk_push(w, TARGET | t, t); go w->length -= 2; STEP_OUT
#define HOP(table, fits, letter, go) { int t = table[s]; if (t >= 0 && (fits)) { HOPS(letter, go) } }
#define HOP_ONTO(table, fits, letter, go) \
  { int t = table[s]; if (t >= 0 && (fits)) { \
      i16 came = w->came; HOPS(letter, w->came = (i16)s; go) w->came = came; } }
#define FLY(squares, fits, letter, go) SET_EACH(t, squares) if (fits) { FLIES(letter, go) }
#define FLY_ONTO(squares, fits, letter, go) \
  SET_EACH(t, squares) if (fits) { \
    i16 came = w->came; FLIES(letter, w->came = (i16)s; go) w->came = came; }
#define REMOVAL(fits, letter, go) \
  if (fits) { \
    const int under = w->cells[s], t = s; SAVE_MOVED SAVE_MARK TAKE_IN \
    walk_set(w, s, 0); DROP_MOVED walk_push(w, letter, s); go w->length--; \
    walk_back(w, s, under); LOAD_MOVED LOAD_MARK TAKE_OUT }
#define KEEPING(fits, piece, letter, go) \
  if (fits) { \
    const int t = s; i16 held = w->hand[piece]; w->hand[piece] = (i16)(held < 0 ? 1 : held + 1); \
    walk_push(w, letter, s); go w->length--; w->hand[piece] = held; }
#if HANDS
#define HAND_IN(piece) i16 had = w->hand[piece]; if (had > 0) w->hand[piece]--;
#define HAND_OUT(piece) w->hand[piece] = had;
#else
#define HAND_IN(piece)
#define HAND_OUT(piece)
#endif
#define DROP(fits, piece, letter, go) \
  if (fits) { \
    const int t = s; SAVE_MOVED FRESH_MOVED HAND_IN(piece) walk_push(w, letter, s); \
    go w->length--; HAND_OUT(piece) LOAD_MOVED }
#define LAY_AND_DROP(fits, piece, held, letter, go) \
  if (fits) { \
    const int under = w->cells[s], t = s; SAVE_MOVED SAVE_MARK walk_set(w, s, held); PUT_MOVED \
    FRESH_MOVED HAND_IN(piece) walk_push(w, letter, s); go w->length--; HAND_OUT(piece) \
    walk_back(w, s, under); LOAD_MOVED LOAD_MARK }
#define SEGMENT_IN \
  SAVE_MOVED SAVE_MARK FRESH_IN w->start[w->segments++] = (i16)s; walk_push(w, ORIGIN | s, s); \
  FRESH_MOVED
#define SEGMENT_OUT w->length--; w->segments--; TAKE_OUT LOAD_MOVED LOAD_MARK
#define PUT_IN(held) const int under = w->cells[s]; SAVE_MOVED SAVE_MARK walk_set(w, s, held); PUT_MOVED
#define PUT_OUT walk_back(w, s, under); LOAD_MOVED LOAD_MARK
#define STOP(is_first) w->end[w->segments - 1] = (i16)s; if (is_first) w->first = w->length;

#if LEAVES
/* Steps in one direction over empty squares: the squares from which each may be reached, by `ray`. */
INLINE Set ray_up(const Set *ray, Set empty, int s) {
  Set met = set_less(ray[s], empty);
  if (!set_any(met)) return ray[s];
  int t = set_first(met);
  return set_less(set_without(ray[s], t), ray[t]);
}
INLINE Set ray_down(const Set *ray, Set empty, int s) {
  Set met = set_less(ray[s], empty);
  if (!set_any(met)) return ray[s];
  int t = set_last(met);
  return set_less(set_without(ray[s], t), ray[t]);
}

/* Turns that differ by the square alone where they put down what is held are counted at once; 0 where
   one of them is wanted by its place among the listed ones. */
PLAIN int walk_leaves(Walk *w, Set leaves, int held, int is_first) {
  u32 before = w->counted, number = (u32)set_count(leaves);
  if (w->wanted - before < number) {
    if (w->counts == 2) return 0;
    int s = set_nth(leaves, (int)(w->wanted - before));
    PUT_IN(held) STOP(is_first)
    w->counted = w->wanted;
    walk_emit(w);
    PUT_OUT
  }
  w->counted = before + number;
  return 1;
}
#endif

#if LEAVES
#define LEAVES_OF(leaves, held, is_first) \
  if (w->counts && walk_leaves(w, leaves, held, is_first)) return;
#else
#define LEAVES_OF(leaves, held, is_first)
#endif

static void walk_from(Walk *w, int origin);
static Set starting_squares(const Walk *w);

#define NO_TURN 0xffffffffu

/* The contents of all squares. */
static void cells_of(const State *s, u8 *cells) {
  memset(cells, 0, SQUARES); /* some compilers copy large constant arrays wrongly */
  SET_EACH(q, board_holes) cells[q] = HOLE;
  for (int k = 0; k < KEYS; k++) SET_EACH(q, s->pieces[k]) cells[q] = (u8)(k + 1);
}

/* Walks from origins of the player to move, as far as they are among `origins`. With `counts` turns
   are only counted, up to the one wanted, which is listed. */
static u32 walk_all(Space *p, Frame *f, const State *from, Set origins, int counts, u32 wanted) {
  Walk w;
#if COUNTED
  w.counts = counts; w.counted = 0; w.wanted = wanted;
#endif
  (void)counts; (void)wanted;
  w.space = p; w.frame = f; w.from = from;
  Set full = NO_SQUARE;
  cells_of(from, w.cells);
  for (int k = 0; k < KEYS; k++) {
    w.lies[k + 1] = from->pieces[k];
    full = set_or(full, from->pieces[k]);
  }
  w.lies[0] = set_less(board_squares, full);
#if HANDS
  for (int k = 0; k < KEYS; k++) w.hand[k] = from->hand[from->to_move][k];
#endif
#if MOVED
  w.moved = from->moved; w.was = w.stepped = 0;
#endif
#if KEYED
  w.touched = NO_SQUARE; w.mark = w.took = 0;
#endif
#if TIES
  for (int i = 0; i < TIES; i++) w.tie[i] = NONE;
#endif
  w.came = NONE; w.length = w.first = 0; w.segments = 0;
  SET_EACH(s, set_and(starting_squares(&w), origins)) {
    w.states = 0;
#if COUNTED
    if (counts && wanted != NO_TURN) { /* the turns from each origin were counted before */
      if (p->upto[s] <= wanted) { w.counted = p->upto[s]; continue; }
      if (w.counted > wanted) break;
    }
#endif
#if KEYED
    seen_clear(p);
#endif
    walk_from(&w, s);
#if COUNTED
    if (counts && wanted == NO_TURN) p->upto[s] = w.counted;
#endif
  }
#if COUNTED
  return w.counted;
#else
  return 0;
#endif
}

/* The pseudo-legal turns of the player to move from some origins, in every spelling; a pass is none. */
static void generate(Space *p, Frame *f, const State *from, Set origins) {
  walk_all(p, f, from, origins, 0, NO_TURN);
  turn_room(p, f);
  f->list.turns = f->turns; f->list.alive = f->alive; f->list.codes = f->codes;
  f->list.scratch = f->scratch;
  look(&f->list.before, from);
  f->list.before.space = f->list.space = p;
}

#if ASKED
INLINE i16 square_by(int origin, int by) { return (i16)(by == SKIPPED ? NONE : origin + by); }

/* A word's turn from a square, as rules look at turns. */
static void as_turn(const Case *c, int word, int origin, Turn *t) {
  const Spelled *p = spelled_of(c->state->to_move, word);
  Squares *q = &t->squares;
  for (int i = 0; i < ROLES; i++) q->start[i] = q->end[i] = NONE;
  q->start[0] = (i16)origin;
  q->end[0] = t->target = (i16)(origin + p->end);
  q->drop = square_by(origin, p->drop);
  q->taken = square_by(origin, p->taken);
  q->captured = square_by(origin, p->captured);
  q->path = NO_SQUARE;
  for (int i = 0; i < PATH && p->path[i] != SKIPPED; i++)
    q->path = set_with(q->path, origin + p->path[i]);
  t->segments = 1;
  t->steps = (u16)p->steps; t->letters = p->letters; t->opens = p->opens;
  t->appears = p->appears; t->keeps = 0;
  t->code = t->length = t->first = 0;
  play_word(c->state, word, origin, &t->after);
}

/* A list with room for one turn, for features that look at one. */
static UNUSED List *lone_list(const Case *c, Origins *x) {
  if (!x->lone) {
    Frame *f = x->lone = frame_open(c->space);
    turn_room(c->space, f);
    f->list.turns = f->turns; f->list.alive = f->alive; f->list.codes = f->codes;
    f->list.scratch = f->scratch;
    f->list.before = *c;
    f->list.space = c->space;
  }
  x->lone->list.left_of = x->lone->list.after_of = NONE;
  return &x->lone->list;
}

/* Of some origins of a word those from which a feature holds of its turn. */
static UNUSED Set set_where(Case *c, Origins *x, int word, Set some, int (*feature)(List *, int)) {
  Set found = NO_SQUARE;
  SET_EACH(o, some) {
    List *l = lone_list(c, x);
    if (c->space->failed) return found;
    as_turn(c, word, o, l->turns);
    if (feature(l, 0)) found = set_with(found, o);
  }
  return found;
}
#endif

#if MIXED
/* Walks the turns from some origins, beside those that are found as sets. */
static void walk_some(Case *c, Origins *x, Set origins) {
  Frame *f = x->walked = frame_open(c->space);
  generate(c->space, f, c->state, origins);
  afresh(&f->list);
  f->list.beside = 1;
}

INLINE int origin_of(const Frame *f, int number) {
  return f->codes[f->turns[f->legal[number]].code] & ~ORIGIN;
}
#endif

#endif

static UNUSED int is_stuck(Space *p, const State *s, int seat, int level) {
  State there = *s;
  there.to_move = (u8)((s->to_move + seat) % PLAYERS);
#if SETWISE
  Case c;
  Origins x;
  look(&c, &there);
  c.space = p;
  int depth = p->depth;
  find_origins(&c, &x, level);
  level = origins_count(&x);
#if MIXED
  for (int i = 0; x.walked && i < x.walked->list.size; i++) level |= x.walked->alive[i];
#endif
  p->depth = depth;
  return !level;
#else
  Frame *f = frame_open(p);
  int alive = 0;
  if (!p->failed) {
    generate(p, f, &there, board_squares);
    restrict_turns(&f->list, level);
    for (int i = 0; i < f->list.size; i++) alive |= f->list.alive[i];
  }
  frame_close(p);
  return !alive;
#endif
}

#if !DEVICE
static Set threats(Space *p, const State *s, int seat) {
  State there = *s;
  Set changed = NO_SQUARE;
  Frame *f;
  int depth = p->depth;
  there.to_move = (u8)((s->to_move + seat) % PLAYERS);
#if SETWISE
  Case c;
  Origins x;
  look(&c, &there);
  c.space = p;
  find_origins(&c, &x, 0);
  WORDS_EACH(w, &x) {
    const Leaves *l = leaves_of(there.to_move, w);
    for (int i = 0; i < WRITES; i++) {
      const Set same = l->what[i] ? there.pieces[l->what[i] - 1] : c.ground.empty;
      changed = set_or(changed, set_less(set_by(x.of[w], -l->by[i]), same));
    }
  }
#if MIXED
  f = x.walked;
#else
  f = 0;
#endif
#else
  f = frame_open(p);
  if (!p->failed) generate(p, f, &there, board_squares);
#endif
  for (int i = 0; f && !p->failed && i < f->list.size; i++)
    for (int k = 0; k < KEYS; k++) {
      Set one = s->pieces[k], other = f->turns[i].after.pieces[k];
      changed = set_or(changed, set_or(set_less(one, other), set_less(other, one)));
    }
  p->depth = depth;
  return changed;
}

/* The first of the turns with one origin and one effect; others are taken from the legal ones. */
static int same_effect(const State *a, const State *b, int me) {
  int same = 1;
  for (int k = 0; k < KEYS; k++) same &= set_same(a->pieces[k], b->pieces[k]);
#if HANDS
  for (int k = 0; k < KEYS; k++) {
    int one = a->hand[me][k], other = b->hand[me][k];
    same &= (one > 0 ? one : 0) == (other > 0 ? other : 0);
  }
#endif
  (void)me;
  return same;
}

static u64 effect_number(const State *s, int me, u64 h) {
  for (int k = 0; k < KEYS; k++)
    for (int i = 0; i < WORDS; i++) h = mixed(h + set_word(s->pieces[k], i));
#if HANDS
  for (int k = 0; k < KEYS; k++) h = mixed(h + (s->hand[me][k] > 0 ? s->hand[me][k] : 0));
#endif
  (void)me;
  return h;
}

static void distinct(Space *p, Frame *f) {
#if COUNTED
  (void)p; /* no two turns from one origin have one effect, and no rule forbids any */
  for (int i = 0; i < f->list.size; i++) f->legal[f->count++] = (u32)i;
  return;
#endif
  int me = f->list.before.state->to_move;
  seen_clear(p);
  for (int i = 0; i < f->list.size; i++) {
    if (!f->alive[i]) continue;
    Turn *t = &f->turns[i];
    u64 key = effect_number(&t->after, me, f->codes[t->code]);
    if (2 * p->used >= p->room) seen_grow(p);
    if (p->failed) return;
    u32 at = (u32)key & (p->room - 1);
    int twice = 0;
    for (; p->stamp[at] == p->now && !twice; at = (at + 1) & (p->room - 1))
      if (p->seen[at] == key) {
        Turn *u = &f->turns[p->number[at]];
        twice = f->codes[u->code] == f->codes[t->code] && same_effect(&u->after, &t->after, me);
      }
    if (twice) continue;
    p->seen[at] = key; p->stamp[at] = p->now; p->number[at] = (u32)i; p->used++;
    f->legal[f->count++] = (u32)i;
  }
}

/* The legal turns of a position, in order; returns their number, a pass included. */
static int legal_turns(Space *p, Frame *f, const State *s) {
  generate(p, f, s, board_squares);
  if (p->failed) return 0;
  restrict_turns(&f->list, 2);
  int stuck = none_alive(&f->list);
  f->ending = ending_of(&f->list.before, stuck);
  if (f->ending >= 0 || p->failed) return 0;
  distinct(p, f);
  int when = pass_kinds[s->to_move];
  f->passes = when == 2 ? !pass_barred(&f->list, stuck) : when == 1 && stuck;
  return f->count + f->passes;
}

/* The state after a legal turn, by its number; a pass is the one after all others. */
static void state_after(Frame *f, int number, State *out) {
  const State *from = f->list.before.state;
  int passes = number >= f->count;
  int at = passes ? with_pass(&f->list, none_alive(&f->list)) : (int)f->legal[number];
  follow(from, &f->turns[at].after, &f->turns[at]);
  *out = f->turns[at].after;
#if CONTROL
  out->to_move = (u8)((from->to_move + next_seat(&f->list, at)) % PLAYERS);
#endif
  if (passes) f->list.size--;
}
#endif

#if SETWISE

/* The legal turns of a position: their number, a pass included; 0 where the game is over. First come
   those in sets, then those that are listed. */
INLINE int legal_sets(Space *p, Case *c, const State *s, Origins *x, int *passes, int *ending) {
  look(c, s);
  c->space = p;
  find_origins(c, x, 2);
  int count = origins_count(x), when = pass_kinds[s->to_move];
#if MIXED
  if (x->walked) {
    distinct(p, x->walked);
    count += x->walked->count;
  }
#endif
  *ending = ending_of(c, !count);
  if (*ending >= 0 || p->failed) return 0;
  *passes = when == 2 || (when == 1 && !count);
#if PASSING
  if (when == 2) {
    List *l = lone_list(c, x);
    l->size = 0;
    *passes = !p->failed && !pass_barred(l, !count);
  }
#endif
  return count + *passes;
}

/* The state after a word from a square, or after a pass: who moves next depends on it. */
INLINE void play_one(Case *c, Origins *x, int word, int origin, State *out) {
  play_word(c->state, word, origin, out);
#if CONTROL
  List *l = lone_list(c, x);
  if (c->space->failed) return;
  as_turn(c, word, origin, l->turns);
  out->to_move = (u8)((c->state->to_move + next_seat(l, 0)) % PLAYERS);
#endif
  (void)x;
}

INLINE void pass_one(Case *c, Origins *x, int stuck, State *out) {
  play_pass(c->state, out);
#if CONTROL
  List *l = lone_list(c, x);
  if (c->space->failed) return;
  l->size = 0;
  int i = with_pass(l, stuck);
  out->to_move = (u8)((c->state->to_move + next_seat(l, i)) % PLAYERS);
#endif
  (void)x; (void)stuck;
}

/* The state after one of so many turns. */
INLINE void play_sets(Case *c, Origins *x, int count, int passes, int number, State *out) {
  int place, word;
  if (passes && number == count - 1) { pass_one(c, x, count == 1, out); return; }
#if MIXED
  int sets = count - passes - (x->walked ? x->walked->count : 0);
  if (number >= sets) { state_after(x->walked, number - sets, out); return; }
#endif
  word = word_of(x, number, &place);
  play_one(c, x, word, set_nth(x->of[word], place), out);
}

/* The same by its place in the order of the walk: by origin, then by word. */
static UNUSED void nth_sets(Case *c, Origins *x, int count, int passes, int number, State *out) {
  Set any = NO_SQUARE;
  if (passes && number == count - 1) { pass_one(c, x, count == 1, out); return; }
  WORDS_EACH(w, x) any = set_or(any, x->of[w]);
#if MIXED
  int listed = 0;
  Frame *f = x->walked;
  for (int i = 0; f && i < f->count; i++) any = set_with(any, origin_of(f, i));
#endif
  u16 words[SETS]; /* those used, in ascending order */
  int n = 0;
  WORDS_EACH(w, x) {
    int k = n++;
    for (; k && words[k - 1] > w; k--) words[k] = words[k - 1];
    words[k] = (u16)w;
  }
  SET_EACH(o, any) {
#if MIXED
    for (; f && listed < f->count && origin_of(f, listed) == o; listed++)
      if (!number--) { state_after(f, listed, out); return; }
#endif
    for (int k = 0; k < n; k++)
      if (set_has(x->of[words[k]], o) && !number--) { play_one(c, x, words[k], o, out); return; }
  }
}

#if DENSE
#define LAST_COUNT INLINE
#else
#define LAST_COUNT static UNUSED
#endif
LAST_COUNT u64 last_count(Space *p, const State *s) {
  Case c;
  Origins x;
  int passes, ending, open = p->depth;
  u64 total = (u64)legal_sets(p, &c, s, &x, &passes, &ending);
  p->depth = open;
  return total;
}

static UNUSED u64 count_sets(Space *p, const State *s, int depth) {
  Case c;
  Origins x;
  State next;
  int passes, ending, open = p->depth;
  u64 total = (u64)legal_sets(p, &c, s, &x, &passes, &ending);
  if (depth > 1 && total && !p->failed) {
    int stuck = passes && total == 1;
    total = 0;
    for (int i = 0; i < WORDS_USED(&x); i++)
      SET_EACH(o, x.of[USED(&x, i)]) {
        play_one(&c, &x, USED(&x, i), o, &next);
        total += depth == 2 ? last_count(p, &next) : count_sets(p, &next, depth - 1);
      }
#if MIXED
    for (int i = 0; x.walked && i < x.walked->count && !p->failed; i++) {
      state_after(x.walked, i, &next);
      total += count_sets(p, &next, depth - 1);
    }
#endif
    if (passes) {
      pass_one(&c, &x, stuck, &next);
      total += count_sets(p, &next, depth - 1);
    }
  }
  p->depth = open;
  return total;
}

#endif

#if !DEVICE
#if COUNTED
/* The number of legal turns, a pass included, without a list of them. */
static int counted_turns(Space *p, Frame *f, const State *s, int *passes) {
  Case *c = &f->list.before;
  f->list.size = 0; f->code_count = 0; f->count = 0;
  int count = (int)walk_all(p, f, s, board_squares, 1, NO_TURN), when = pass_kinds[s->to_move];
  look(c, s);
  c->space = p;
  f->ending = ending_of(c, !count);
  if (f->ending >= 0 || p->failed) return 0;
  *passes = when == 2 || (when == 1 && !count);
  return count + *passes;
}

/* The state after one of them, in some order: see `Walk.counts`. Nothing else was counted since. */
static void counted_after(Space *p, Frame *f, int order, int number, int count, int passes, State *out) {
  if (number < count - passes) {
    walk_all(p, f, f->list.before.state, board_squares, order, (u32)number);
    f->count = 1; f->legal[0] = 0;
  }
  turn_room(p, f);
  f->list.turns = f->turns; f->list.alive = f->alive; f->list.codes = f->codes;
  f->list.scratch = f->scratch;
  state_after(f, number < count - passes ? 0 : f->count, out);
}
#endif

static u64 count_turns(Space *p, const State *s, int depth) {
  Frame *f = frame_open(p);
  if (p->failed) return 0;
#if COUNTED
  if (depth == 1) {
    int passes = 0;
    u64 number = (u64)counted_turns(p, f, s, &passes);
    frame_close(p);
    return number;
  }
#endif
  u64 n = (u64)legal_turns(p, f, s), total = n;
  if (depth > 1) {
    total = 0;
    for (u64 i = 0; i < n && !p->failed; i++) {
      State next;
      state_after(f, (int)i, &next);
      total += count_turns(p, &next, depth - 1);
    }
  }
  frame_close(p);
  return total;
}

#endif

/* The turns of a position, however they are found: as sets, counted or listed. */
typedef struct {
  const State *state;
  int count, passes, ending;
#if SETWISE
  Case c;
  Origins x;
#else
  Space *space;
  Frame *frame;
#endif
} Found;

/* Finds the turns of a position: their number, a pass included; 0 where the game is over. */
INLINE int find_turns(Space *p, const State *s, Found *t) {
  t->state = s;
  t->passes = 0;
#if SETWISE
  t->count = legal_sets(p, &t->c, s, &t->x, &t->passes, &t->ending);
#else
  Frame *f = t->frame = frame_open(p);
  t->space = p;
#if COUNTED
  t->count = counted_turns(p, f, s, &t->passes);
#else
  t->count = legal_turns(p, f, s);
#endif
  t->ending = f->ending;
#endif
  return t->count;
}

/* The state after one of the turns found last, by number: in an order of their own. */
INLINE void play_found(Found *t, int number, State *out) {
#if SETWISE
  play_sets(&t->c, &t->x, t->count, t->passes, number, out);
#elif COUNTED
  counted_after(t->space, t->frame, 1, number, t->count, t->passes, out);
#else
  state_after(t->frame, number, out);
#endif
}

/* The same in the order in which turns are listed. */
INLINE void play_nth(Found *t, int number, State *out) {
#if SETWISE
  nth_sets(&t->c, &t->x, t->count, t->passes, number, out);
#elif COUNTED
  counted_after(t->space, t->frame, 2, number, t->count, t->passes, out);
#else
  state_after(t->frame, number, out);
#endif
}

/* A number below n, from 0 on. */
INLINE int random_below(u64 *random, int n) {
  *random += 0x9e3779b97f4a7c15ULL;
  return (int)(((mixed(*random) >> 32) * (u64)n) >> 32);
}

/* What each player has at the end of a game. */
INLINE void note_goals(const State *s, int ending, signed char *out) {
  for (int i = 0; ending >= 0 && i < PLAYERS; i++)
    out[(s->to_move + i) % PLAYERS] = ending_goals[ending][i];
}

/* Many positions at once; states that stand one after the other. Each function gives the number of
   those that are done: fewer where the engine gives up, or where a turn has no such number. */

EXPORT long bulk_counts(Space *p, const State *s, long n, int *counts) {
  for (long i = 0; i < n; i++) {
    Found t;
    p->depth = p->failed = 0;
    counts[i] = find_turns(p, &s[i], &t);
    if (p->failed) return i;
  }
  return n;
}

EXPORT long bulk_play(Space *p, const State *s, long n, const int *chosen, State *out) {
  for (long i = 0; i < n; i++) {
    Found t;
    p->depth = p->failed = 0;
    int count = find_turns(p, &s[i], &t);
    if (p->failed || chosen[i] < 0 || chosen[i] >= count) return i;
    play_nth(&t, chosen[i], &out[i]);
  }
  return n;
}

EXPORT long bulk_goals(Space *p, const State *s, long n, signed char *goals) {
  for (long i = 0; i < n; i++) {
    Case c;
    p->depth = p->failed = 0;
    look(&c, &s[i]);
    c.space = p;
    int ending = ending_of(&c, -1);
    if (p->failed) return i;
    for (int k = 0; k < PLAYERS; k++) goals[i * PLAYERS + k] = -1;
    note_goals(&s[i], ending, goals + i * PLAYERS);
  }
  return n;
}

#if !DEVICE
/* By position, origin and end of the first segment whether some legal turn goes there. */
EXPORT long bulk_masks(Space *p, const State *s, long n, u8 *masks) {
  for (long i = 0; i < n; i++, masks += (unsigned long)SQUARES * SQUARES) {
    p->depth = p->failed = 0;
    Frame *f = frame_open(p);
    legal_turns(p, f, &s[i]);
    if (p->failed) return i;
    for (int k = 0; k < f->count; k++) {
      const Turn *t = &f->turns[f->legal[k]];
      masks[(f->codes[t->code] & ~ORIGIN) * SQUARES + t->target] = 1;
    }
  }
  return n;
}

/* What the model's own program calls ---------------------------------------------------------- */

EXPORT Space *space_new(void) {
  Space *p = malloc(sizeof *p);
  if (p) memset(p, 0, sizeof *p);
  return p;
}

EXPORT void space_free(Space *p) {
  for (int i = 0; i < MOST_FRAMES; i++) {
    Frame *f = &p->frames[i];
    free(f->turns); free(f->codes); free(f->alive); free(f->scratch); free(f->legal);
  }
  free(p->seen); free(p->stamp); free(p->number);
  free(p->code_at); free(p->code_out);
  free(p);
}

EXPORT u32 state_size(void) { return sizeof(State); }

/* A state from plain arrays: contents by square; counts by player and piece; squares that have
   moved, as bytes; what rules ask of the game before. */
EXPORT void state_load(State *out, const u8 *cells, int to_move, const i16 *hand, const u8 *moved,
                       const i16 *last, const u16 *since, int passes, int last_only) {
  memset(out, 0, sizeof *out);
  for (int s = 0; s < SQUARES; s++)
    if (cells[s] > 0 && cells[s] <= KEYS)
      out->pieces[cells[s] - 1] = set_with(out->pieces[cells[s] - 1], s);
#if HANDS
  memcpy(out->hand, hand, sizeof out->hand);
#endif
#if MOVED
  for (int s = 0; s < SQUARES; s++) if (moved[s]) out->moved = set_with(out->moved, s);
#endif
#if BACK
  memcpy(out->last, last, sizeof out->last);
#endif
#if EVENTS
  memcpy(out->since, since, sizeof out->since);
#endif
  out->passes = (u16)passes;
  out->last_only = (u8)last_only;
  out->to_move = (u8)to_move;
  (void)hand; (void)moved; (void)last; (void)since;
}

#endif

/* Joins the states of a game, oldest first, and gives back the last; a size of 0 is that of a single
   state that knows those before it. */
static const State *line_up(State *line, int size) {
  if (!size) return line;
#if TRAIL
  for (int i = 0; i < size; i++) line[i].up = i ? &line[i - 1] : 0;
#endif
  return &line[size - 1];
}

#if !DEVICE
/* The legal turns (or, `every`, all pseudo-legal spellings) of the last state of a line: their number,
   or -1 where the engine gives up. They stay until the next call in this space. */
EXPORT int turns_of(Space *p, State *line, int size, int every) {
  p->depth = 0; p->failed = 0;
  Frame *f = frame_open(p);
  const State *s = line_up(line, size);
  int n;
  if (every) {
    generate(p, f, s, board_squares);
    n = f->list.size;
    for (int i = 0; i < n; i++) f->legal[i] = (u32)i;
    f->count = n;
  } else {
    n = legal_turns(p, f, s);
  }
  return p->failed ? -1 : n;
}

EXPORT int ending_found(Space *p) { return p->frames[0].ending; }

/* The first rule of endings that covers a state, or -1; -2 where the engine gives up. */
EXPORT int ending_of_state(Space *p, State *line, int size) {
  p->depth = 0; p->failed = 0;
  Case c;
  look(&c, line_up(line, size));
  c.space = p;
  int found = ending_of(&c, -1);
  return p->failed ? -2 : found;
}

/* Codes of the turns found: where those of each begin, and one place more; then the codes. */
EXPORT const u32 *codes_at(Space *p, const u16 **codes) {
  Frame *f = &p->frames[0];
  u32 total = 0;
  for (int i = 0; i < f->count; i++) total += f->turns[f->legal[i]].length;
  if ((u32)f->count + 1 > p->out_room) {
    u32 *at = realloc(p->code_at, (f->count + 1) * sizeof *at);
    if (!at) return 0;
    p->code_at = at; p->out_room = (u32)f->count + 1;
  }
  if (total > p->code_out_room) {
    u16 *out = realloc(p->code_out, total * sizeof *out);
    if (!out) return 0;
    p->code_out = out; p->code_out_room = total;
  }
  total = 0;
  for (int i = 0; i < f->count; i++) {
    Turn *t = &f->turns[f->legal[i]];
    p->code_at[i] = total;
    memcpy(p->code_out + total, f->codes + t->code, t->length * sizeof *p->code_out);
    total += t->length;
  }
  p->code_at[f->count] = total;
  *codes = p->code_out;
  return p->code_at;
}

/* The boards that the turns found leave, and the hand of who played them. */
EXPORT void boards_after(Space *p, u8 *cells, i16 *hand) {
  Frame *f = &p->frames[0];
  for (int i = 0; i < f->count; i++) {
    State *after = &f->turns[f->legal[i]].after;
    cells_of(after, cells + (unsigned long)i * SQUARES);
#if HANDS
    memcpy(hand + (unsigned long)i * KEYS, after->hand[f->list.before.state->to_move],
           KEYS * sizeof *hand);
#endif
  }
  (void)hand;
}

EXPORT int turns_found(Space *p) { return p->frames[0].count; }

EXPORT int pass_found(Space *p) { return p->frames[0].passes; }

/* The number of the legal turn found that begins on a square, NONE for a pass, and leaves that. */
EXPORT int number_of(Space *p, const State *after, int origin) {
  Frame *f = &p->frames[0];
  if (origin < 0) return f->passes ? f->count : NONE;
  for (int i = 0; i < f->count; i++) {
    Turn *t = &f->turns[f->legal[i]];
    if (f->codes[t->code] == (ORIGIN | origin) &&
        same_effect(&t->after, after, f->list.before.state->to_move))
      return i;
  }
  return NONE;
}

/* Who moves after a legal turn found. */
EXPORT int seat_after(Space *p, int number) {
  State after;
  state_after(&p->frames[0], number, &after);
  return after.to_move;
}

EXPORT u64 perft(Space *p, State *line, int size, int depth, int *failed) {
  p->depth = 0; p->failed = 0;
#if SETWISE
  u64 total = depth ? count_sets(p, line_up(line, size), depth) : 1;
#else
  u64 total = depth ? count_turns(p, line_up(line, size), depth) : 1;
#endif
  *failed = p->failed;
  return total;
}

#endif

/* Whether games are kept while they are played: rules ask for positions before, or turns are walked. */
#define KEEPS_GAME (!SETWISE || TRAIL)

/* Games that are played by turns, so that a processor has work while one waits for its last turn. */
#define LANES (SETWISE && !MIXED && !ASKED && !TRAIL && !DEVICE && SETS <= 16 ? 3 : 1)

/* A random turn is played, or none and the goals are noted: then the game is over. */
INLINE int random_turn(Space *p, const State *now, State *next, u64 *random, signed char *goals) {
  Found t;
  p->depth = 0;
  int n = find_turns(p, now, &t);
  if (p->failed) return 0;
  if (!n) {
    note_goals(now, t.ending, goals);
    return 0;
  }
  play_found(&t, random_below(random, n), next);
  return 1;
}

typedef struct { /* a game that is played: its number and state, and what is drawn next */
  u64 number, random;
  int ply;
  State state;
} Lane;

/* Random games from a state, numbers `begin` to `end`: their plies in all, and the goals of each
   player, -1 where nothing is known or the game went on for `most` plies. */
EXPORT u64 playouts(Space *p, State *line, int size, u64 seed, u64 begin, u64 end, int most,
                    signed char *goals, int *failed) {
  p->failed = 0;
  const State *from = line_up(line, size);
  u64 plies = 0;
  for (u64 i = 0; i < (end - begin) * PLAYERS; i++) goals[i] = -1;
#if KEEPS_GAME
  State *game = malloc((most + 2) * sizeof *game);
  if (!game) { *failed = 1; return 0; }
  for (u64 number = begin; number < end && !p->failed; number++) {
    u64 random = mixed(seed) + number * 0xd1342543de82ef95ULL;
    int ply = 0;
    game[0] = *from;
    while (ply < most && random_turn(p, &game[ply], &game[ply + 1], &random,
                                     goals + (number - begin) * PLAYERS))
      ply++;
    plies += (u64)ply;
  }
  free(game);
#else
  Lane lanes[LANES];
  u64 next = begin;
  int playing = 0;
  for (int k = 0; k < LANES; k++) lanes[k].ply = most;
  do {
    playing = 0;
    UNROLLED for (int k = 0; k < LANES; k++) {
      Lane *g = &lanes[k];
      if (g->ply >= most) { /* over: the next game */
        if (next >= end) continue;
        g->number = next++;
        g->random = mixed(seed) + g->number * 0xd1342543de82ef95ULL;
        g->state = *from;
        g->ply = 0;
      }
      State after;
      playing = 1;
      if (g->ply < most &&
          random_turn(p, &g->state, &after, &g->random, goals + (g->number - begin) * PLAYERS)) {
        g->state = after;
        g->ply++;
        plies++;
      } else {
        g->ply = most;
      }
    }
  } while (playing && !p->failed);
#endif
  *failed = p->failed;
  return plies;
}
