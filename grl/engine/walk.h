/* Walks that generate turns, and the memory in which they do.

   Before this text stand the constants of the model, sets.h, rows.h and cases.h; after it the terms,
   the rules and the graphs of the model. A content is 0 for an empty square, k + 1 for piece k and
   HOLE for no square. */

#define PLAIN static UNUSED __attribute__((noinline))
#if DEVICE /* for graphics processors (gpu.h): what plays sets of origins, and no walk */
#define EXPORT static UNUSED
#else
#define DEVICE 0
#define EXPORT __attribute__((visibility("default")))
#endif
#define MANY EXPORT /* what works on many positions or games: a library of its own, made when it is asked for */
#define HOLE (KEYS + 1)
#define SEEN (KEYS <= 4)
#define FOURS(n) (((n) + 3) / 4 * 4)
#define LONGEST 400      /* codes of a turn */
#define MOST_STATES 1000000 /* search states from one origin */
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
  i16 hand[FOURS(KEYS)];
#endif
#if KEYED
  Set touched;
  u64 mark, took; /* numbers for what has changed, and for what was removed in which order */
#endif
#if TIES
  i16 tie[FOURS(TIES)];
#endif
  i16 came; /* whence the hand stepped onto the piece whose action is pending */
  u32 states, length, first;
#if COUNTED
  int counts;          /* turns are counted, and none is listed but the one with a number; 1: in any */
                       /* order, 2: one after the other */
  u32 counted, wanted;
#endif
  int segments, over;
#if !SEEN
  u8 cells[SQUARES];
#endif
  i16 start[SEGMENTS], end[SEGMENTS];
  u16 code[LONGEST + 4];
  i16 at[LONGEST + 4]; /* where the hand is after each code */
#if KEYED && PASSAGE
  u64 been[LONGEST + 4]; /* a number for the search state at each length */
#endif
#if CROSSINGS >= 0
  u8 crossings[LONGEST + 4]; /* how many opposing pieces were passed over again at each length, */
  u8 passed[LONGEST + 4];    /* and how often one was passed over at all */
#endif
} Walk;
#endif

INLINE u64 mixed(u64 h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  return h ^ (h >> 31);
}

#if !DEVICE
/* Where turns are found as sets, what lists them is optimised less: that takes less time to compile. */
#pragma GCC push_options
#pragma GCC optimize("O1")
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

/* Where the list of a frame finds its turns, with room for one more. */
static UNUSED List *frame_list(Space *p, Frame *f) {
  turn_room(p, f);
  f->list.turns = f->turns; f->list.alive = f->alive; f->list.codes = f->codes;
  f->list.scratch = f->scratch;
  return &f->list;
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

/* What lies on a square: with few kinds of pieces the sets are asked, otherwise it is kept. */
#if SEEN
INLINE int cell_at(const Walk *w, int s) {
  SHORT for (int k = 0; k <= KEYS; k++) if (set_has(w->lies[k], s)) return k;
  return HOLE;
}
#define CELL(w, s) cell_at(w, s)
#define SET_CELL(w, s, content)
#else
#define CELL(w, s) w->cells[s]
#define SET_CELL(w, s, content) w->cells[s] = (u8)content;
#endif

#if KEYED || !SEEN
#define CHANGES PLAIN
#else
#define CHANGES INLINE
#endif

/* A square gets another content, and back. */
CHANGES void walk_set(Walk *w, int s, int before, int content) {
#if KEYED
  if (set_has(w->touched, s)) w->mark ^= mixed(s * 256 + before + 1); /* never that of 0, which is 0 */
  w->touched = set_with(w->touched, s);
  w->mark ^= mixed(s * 256 + content + 1);
#endif
  w->lies[before] = set_without(w->lies[before], s);
  w->lies[content] = set_with(w->lies[content], s);
  SET_CELL(w, s, content)
}

CHANGES void walk_back(Walk *w, int s, int now, int content) {
  w->lies[now] = set_without(w->lies[now], s);
  w->lies[content] = set_with(w->lies[content], s);
  SET_CELL(w, s, content)
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

#if CROSSINGS >= 0
/* Whether the first segment steps onto an opposing piece by a code. */
INLINE int walk_passes(const Walk *w, int code) {
  return !(code & (TARGET | ORIGIN)) && w->segments == 1 && letter_bits[code] & IS_P;
}

/* Whether it has stepped before onto the one on which it steps now. */
static int walk_crosses(const Walk *w, int s) {
  for (u32 i = 1; i < w->length; i++)
    if (w->at[i] == s && walk_passes(w, w->code[i])) return 1;
  return 0;
}
#endif

INLINE void walk_push(Walk *w, int code, int s) {
#if CROSSINGS >= 0
  const int before = w->length ? w->crossings[w->length] : 0, passes = walk_passes(w, code);
  w->crossings[w->length + 1] = (u8)(before + (passes && before < 255 && walk_crosses(w, s)));
  w->passed[w->length + 1] = (u8)((w->length ? w->passed[w->length] : 0) + passes);
#endif
  w->code[w->length] = (u16)code; w->at[w->length++] = (i16)s;
#if KEYED && PASSAGE
  w->been[w->length] = 0;
#endif
}

#if KEYED
#define STATES PLAIN
#else
#define STATES INLINE
#endif

#if KEYED
/* Four small numbers as one. */
INLINE u64 joined(const i16 *a) {
  return (u64)(u16)a[0] | (u64)(u16)a[1] << 16 | (u64)(u16)a[2] << 32 | (u64)(u16)a[3] << 48;
}
#endif

#if KEYED && PASSAGE
/* Whether a walk comes back to a search state in which it has been; if not it is noted. */
INLINE int walk_returns(Walk *w, u64 key) {
  for (u32 i = 1; i < w->length; i++)
    if (w->been[i] == key) return 1;
  w->been[w->length] = key;
  return 0;
}
#endif

/* Whether the walk goes on from a search state: it is not one too many, and not met before. */
STATES int walk_enters(Walk *w, int key, int s, int pending) {
#if CROSSINGS >= 0
  if (w->crossings[w->length] > CROSSINGS) return 0;
#endif
  if (++w->states > MOST_STATES || w->length > LONGEST - 2) { w->space->failed = 1; return 0; }
#if COUNTED
  if (w->counts && w->counted > w->wanted) return 0;
#endif
#if KEYED
  u64 h = (u64)key * SQUARES + s;
  if (pending) h = mixed(h + 0x9e3779b97f4a7c15ULL) + w->came + 1;
#if TIES
  for (int i = 0; i < TIES; i += 4) h = mixed(h) + joined(w->tie + i);
#endif
#if HANDS
  for (int i = 0; i < KEYS; i += 4) h = mixed(h) + joined(w->hand + i);
#endif
  h = mixed(mixed(h ^ w->mark) + w->took);
#if PASSAGE
#if CROSSINGS >= 0
  h = mixed(h + w->passed[w->length] - w->crossings[w->length]); /* how many it has passed over */
#endif
  if (walk_returns(w, h)) return 0;
#else
  if (seen_before(w->space, h, 0)) return 0;
#endif
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
  memset(q->start, NONE, sizeof q->start);
  memset(q->end, NONE, sizeof q->end);
  for (int i = 0; i < ROLES && i < w->segments; i++) {
    q->start[i] = w->start[i];
    q->end[i] = w->end[i];
  }
  q->drop = q->taken = q->captured = NONE;
  q->path = q->crossed = q->takes = NO_SQUARE;
  int flies = 0, onto = 0;
  for (u32 i = 1; i < w->first; i++) {
    if (w->code[i] & TARGET) continue;
    int bits = letter_bits[w->code[i]];
    if (bits & IS_FLY) flies = 1;
    if (bits & (IS_E | IS_W | IS_P | IS_N)) {
      onto = !(bits & IS_E);
      passes(q, w->at[i]);
    } else if (bits & IS_A) {
      if (q->drop == NONE) q->drop = w->at[i];
    } else if (bits & IS_D) {
      if (q->taken == NONE) q->taken = w->at[i];
    }
  }
  for (u32 i = 1; i < w->length; i++)
    if (!(w->code[i] & (TARGET | ORIGIN)) && letter_bits[w->code[i]] & IS_D)
      q->takes = set_with(q->takes, w->at[i]);
  if (flies) q->path = q->crossed = NO_SQUARE;
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

/* A square changes after the choices of a turn: a further segment. `now` beyond the contents says
   which piece is removed and kept. 0 where no such piece is left. */
static int effect_at(Walk *w, Turn *t, State *after, int s, int content, int now, int letters) {
  const int kept = now > KEYS ? now - KEYS : 0, length = kept ? 3 : 2;
  u16 *codes = codes_add(w->space, w->frame, length);
  if (!codes) return 0;
  codes[0] = (u16)(ORIGIN | s);
  codes[1] = (u16)(kept ? letters : letters + now); /* the first of them removes */
  if (kept) codes[2] = (u16)(letters + now);
  t->length += length;
  if (t->segments < ROLES) t->squares.start[t->segments] = t->squares.end[t->segments] = (i16)s;
  t->segments++;
  if (content) after->pieces[content - 1] = set_without(after->pieces[content - 1], s);
#if MOVED
  after->moved = set_without(after->moved, s);
#endif
#if HANDS
  if (kept) {
    i16 *held = &after->hand[w->from->to_move][kept - 1];
    *held = (i16)(*held < 0 ? 1 : *held + 1);
  }
#endif
  if (!now || kept) return content != 0;
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
#if TURNS || EFFECTS || LASTS || EVENTS
  describe_squares(w, t);
#endif
  t->code = w->frame->code_count;
  t->length = t->chosen = w->length;
  u16 *codes = codes_add(w->space, w->frame, w->length);
  if (!codes) return;
  memcpy(codes, w->code, w->length * sizeof *codes);
#if EFFECTS
  if (!walk_effects(w, t, after)) {
    w->frame->list.size--;
    w->frame->code_count = t->code;
    return;
  }
  codes = w->frame->codes + t->code;
  for (u32 i = w->length; i < t->length; i++)
    if (!(codes[i] & ORIGIN) && letter_bits[codes[i]] & IS_D)
      t->squares.takes = set_with(t->squares.takes, codes[i - 1] & ~ORIGIN);
#endif
#if TURNS
  describe_letters(w->frame, t);
#endif
}

/* What a walk does at a node, a line each: `s` is the square of the hand, `t` the one after a letter;
   `go` goes on with the next node, between what ties remember and forget. All is undone afterwards. */
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
    const int under = CELL(w, s), t = s; SAVE_MOVED SAVE_MARK TAKE_IN \
    walk_set(w, s, under, 0); DROP_MOVED walk_push(w, letter, s); go w->length--; \
    walk_back(w, s, 0, under); LOAD_MOVED LOAD_MARK TAKE_OUT }
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
    const int under = CELL(w, s), t = s; SAVE_MOVED SAVE_MARK walk_set(w, s, under, held); PUT_MOVED \
    FRESH_MOVED HAND_IN(piece) walk_push(w, letter, s); go w->length--; HAND_OUT(piece) \
    walk_back(w, s, held, under); LOAD_MOVED LOAD_MARK }
#define SEGMENT_IN \
  SAVE_MOVED SAVE_MARK FRESH_IN w->start[w->segments++] = (i16)s; walk_push(w, ORIGIN | s, s); \
  FRESH_MOVED
#define SEGMENT_OUT w->length--; w->segments--; TAKE_OUT LOAD_MOVED LOAD_MARK
#define PUT_IN(held) const int under = CELL(w, s); SAVE_MOVED SAVE_MARK walk_set(w, s, under, held); PUT_MOVED
#define PUT_OUT(held) walk_back(w, s, held, under); LOAD_MOVED LOAD_MARK
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
    PUT_OUT(held)
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

typedef void Visit(Walk *w, int s); /* what is done at a node of a graph, for a square of the hand */
typedef struct { /* a step, by numbers: its table, its letter, where it leads; what it comes onto, whether
                    that is looked at there, and the registers of the squares before it and after it */
  u16 way, letter, next;
  u8 on, onto;
  signed char here, there;
} Hop;
typedef struct { /* a node: a function, or what to do: `begins` is what its segment takes up, or 0 */
  Visit *visit;
  u16 first, last, key; /* its steps */
  u8 seat, begins, held, pending, ends, outer;
} Place;
static void visit(Walk *w, int place, int s);
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
#if !SEEN
  cells_of(from, w.cells);
#endif
  for (int k = 0; k < KEYS; k++) {
    w.lies[k + 1] = from->pieces[k];
    full = set_or(full, from->pieces[k]);
  }
  w.lies[0] = set_less(board_squares, full);
#if HANDS
  for (int k = 0; k < FOURS(KEYS); k++) w.hand[k] = k < KEYS ? from->hand[from->to_move][k] : NONE;
#endif
#if MOVED
  w.moved = from->moved; w.was = w.stepped = 0;
#endif
#if KEYED
  w.touched = NO_SQUARE; w.mark = w.took = 0;
#endif
#if TIES
  for (int i = 0; i < FOURS(TIES); i++) w.tie[i] = NONE;
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
  frame_list(p, f);
  look(&f->list.before, from, p);
  f->list.space = p;
}
#pragma GCC pop_options
#endif
