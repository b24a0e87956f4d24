/* What rules leave of the turns of a position, however they are found; counting and playing them. */

/* What is all shifts and masks is a third faster so, whatever the rest of the text is compiled with. */
#if DEVICE
#define FAST
#else
#define FAST __attribute__((optimize("O2")))
#endif

#if REACHED
typedef struct { /* whether first segments end in some wanted squares, and what that hangs on: it stays
                    where a turn changes none of them and nothing either of what hands come upon,
                    whether they may go on or not, or of what leads from there to the end */
  Set wanted, met, led;
  int now;
} Nearby;
#endif

#if !DEVICE
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
  q->path = q->crossed = q->takes = NO_SQUARE;
  for (int i = 0; i < PATH && p->path[i] != SKIPPED; i++)
    passes(q, origin + p->path[i]);
  for (int i = 0; i < TAKES && p->takes[i] != SKIPPED; i++)
    q->takes = set_with(q->takes, origin + p->takes[i]);
  t->segments = 1;
  t->steps = (u16)p->steps; t->letters = p->letters; t->opens = p->opens;
  t->appears = p->appears; t->keeps = 0;
  t->code = p->code; t->length = t->first = t->chosen = (u32)p->length;
  play_word(c->state, word, origin, &t->after);
}

/* A list with room for one turn, for features that look at one. */
static UNUSED List *lone_list(const Case *c, Origins *x) {
  if (!x->lone) {
    List *l = frame_list(c->space, x->lone = frame_open(c->space));
    l->before = *c;
    l->space = c->space;
  }
  x->lone->list.codes = spelled_codes(c->state->to_move);
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

#if REACHED
/* Of some origins of a word those from which a feature holds of its turn that is so far the case as
   `n` says, and changes only with what that hangs on. */
static UNUSED Set set_near(
    Case *c, Origins *x, int word, Set some, int (*feature)(List *, int), const Nearby *n) {
  const Leaves *l = leaves_of(c->state->to_move, word);
  Set met = NO_SQUARE, led = NO_SQUARE, wanted = NO_SQUARE;
  for (int i = 0; i < WRITES; i++) {
    met = set_or(met, set_by(n->met, l->by[i]));
    led = set_or(led, set_by(n->led, l->by[i]));
    wanted = set_or(wanted, set_by(n->wanted, l->by[i]));
  }
  const Set near = set_and(some, set_or(wanted, set_and(met, led)));
  const Set far = n->now ? set_less(some, near) : NO_SQUARE;
  return set_any(near) ? set_or(far, set_where(c, x, word, near, feature)) : far;
}
#endif
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
  int stuck = 1, open = p->depth;
  there.to_move = (u8)((s->to_move + seat) % PLAYERS);
#if SETWISE
  Case c;
  Origins x;
  look(&c, &there, p);
  find_origins(&c, &x, level);
  stuck = !origins_count(&x);
#if MIXED
  if (x.walked) stuck &= none_alive(&x.walked->list);
#endif
#else
  Frame *f = frame_open(p);
  if (!p->failed) {
    generate(p, f, &there, board_squares);
    restrict_turns(&f->list, level);
    stuck = none_alive(&f->list);
  }
#endif
  p->depth = open;
  return stuck;
}

#if REACHED
/* Whether first segments of the player at a seat in turn order end in a set: 1, 0, or NONE where
   those from the open origins have to be walked. */
static int ends_in(const Set *pieces, int seat, Set wanted);
static Set open_origins(const Set *pieces, int seat) UNUSED;

/* A set grows by where its squares lead to, and so on. */
#define SLIDE(set, further) for (Set now = set; set_any(now);) { now = further; set = set_or(set, now); }

/* Squares, and those to which steps so far over certain squares lead from them. */
#define SLID_ON(n) \
  if (RAY > n && by * n < 64 && by * n > -64) { \
    from = set_or(from, set_and(over, set_by(from, -by * n))); \
    over = set_and(over, set_by(over, -by * n)); }
INLINE Set slid(Set from, Set over, int by) {
#if WORDS == 1 /* one step, two, four: nothing here to be foreseen wrongly */
  SLID_ON(1) SLID_ON(2) SLID_ON(4) SLID_ON(8) SLID_ON(16) SLID_ON(32)
#else
  SLIDE(from, set_and(over, set_by(now, -by)))
#endif
  return from;
}

/* Where hands come to in a flight: anywhere but to where one of them alone is. */
static UNUSED Set flown(Set hands) {
  if (!set_any(hands)) return hands;
  return set_any(set_rest(hands)) ? board_squares : set_less(board_squares, hands);
}

/* From where hands come to one of some squares in a flight: anywhere. */
static UNUSED Set flown_from(Set ends) { return set_any(ends) ? board_squares : NO_SQUARE; }

/* Whether the first segment of a pseudo-legal turn of the player at a seat would end in a set. */
static int reaches(Ground *g, int seat, Set wanted) {
  if (!set_any(wanted)) return 0;
  const State *s = g->state;
  int me = (g->me + seat) % PLAYERS, met = ends_in(s->pieces, me, wanted);
#if DOUBTS
  if (met != NONE) return met;
  Space *p = g->space;
  State there = *s;
  int open = p->depth;
  there.to_move = (u8)me;
  Frame *f = frame_open(p);
  met = 0;
  if (!p->failed) generate(p, f, &there, open_origins(s->pieces, me));
  for (int i = 0; i < f->list.size && !met; i++) met = set_has(wanted, f->turns[i].target);
  p->depth = open;
#endif
  return met;
}
#endif

#if THREATS
/* The squares that turns of the player at a seat would change which rules up to a level leave; or those
   on which their first segments would end. */
static Set touched(Ground *g, int seat, int level, int ends) {
  Space *p = g->space;
  const State *s = g->state;
  State there = *s;
  Set found = NO_SQUARE;
  Frame *f = 0;
  int open = p->depth;
  there.to_move = (u8)((g->me + seat) % PLAYERS);
#if SETWISE
  Case c;
  Origins x;
  look(&c, &there, p);
  find_origins(&c, &x, level);
  WORDS_EACH(w, &x) {
    const Leaves *l = leaves_of(there.to_move, w);
    if (ends) found = set_or(found, set_by(x.of[w], -l->end));
    for (int i = 0; !ends && i < WRITES; i++) {
      const Set same = l->what[i] ? there.pieces[l->what[i] - 1] : c.ground.empty;
      found = set_or(found, set_less(set_by(x.of[w], -l->by[i]), same));
    }
  }
#if ROWS
  ROWS_EACH(r, &x) {
    const Leaves *l = leaves_of(there.to_move, seat_words(there.to_move) + r->word);
    if (!set_any(r->of)) continue;
    found = set_or(found, ends ? set_of(r->origin + l->end) : r->of);
    for (int i = 0; !ends && i < WRITES; i++) {
      const Set same = l->what[i] ? there.pieces[l->what[i] - 1] : c.ground.empty;
      found = set_or(found, set_less(set_of(r->origin + l->by[i]), same));
    }
  }
#endif
#if MIXED
  f = x.walked;
#endif
#else
  f = frame_open(p);
  if (!p->failed) generate(p, f, &there, board_squares);
  if (!p->failed && level) restrict_turns(&f->list, level);
#endif
  for (int i = 0; f && !p->failed && i < f->list.size; i++) {
    if (!f->alive[i]) continue;
    if (ends && f->turns[i].target != NONE) found = set_with(found, f->turns[i].target);
    for (int k = 0; !ends && k < KEYS; k++) {
      Set one = s->pieces[k], other = f->turns[i].after.pieces[k];
      found = set_or(found, set_or(set_less(one, other), set_less(other, one)));
    }
  }
  p->depth = open;
  return found;
}

static UNUSED Set threatened(Ground *g, int seat, int level) { return touched(g, seat, level, 0); }
static UNUSED Set reachable(Ground *g, int seat, int level) { return touched(g, seat, level, 1); }
#endif

#if !DEVICE

#pragma GCC push_options
#pragma GCC optimize("O1")
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
  *out = f->turns[at].after;
#if CONTROL
  out->to_move = (u8)((from->to_move + next_seat(&f->list, at)) % PLAYERS);
#endif
  follow(from, out, &f->turns[at]);
  if (passes) f->list.size--;
}
#pragma GCC pop_options
#endif

#if SETWISE

/* The legal turns of a position: their number, a pass included; 0 where the game is over. First come
   those in sets, then those that are listed. */
INLINE int legal_sets(Space *p, Case *c, const State *s, Origins *x, int *passes, int *ending) {
  look(c, s, p);
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
#if EVENTS /* one of them may be that another player moves */
  follow(c->state, out, &l->turns[0]);
#endif
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
#if EVENTS
  follow(c->state, out, &l->turns[i]);
#endif
#endif
  (void)x; (void)stuck;
}

#if ROWS
/* The state after a turn of a row, by its place in it. */
INLINE void play_row(const State *s, const Row *r, int number, State *out) {
  play_two(s, seat_words(s->to_move) + r->word, r->origin, set_nth(r->of, number), out);
}
#endif

/* The state after one of so many turns. */
INLINE void play_sets(Case *c, Origins *x, int count, int passes, int number, State *out) {
  int place, word;
  if (passes && number == count - 1) { pass_one(c, x, count == 1, out); return; }
#if MIXED
  int sets = count - passes - (x->walked ? x->walked->count : 0);
  if (number >= sets) { state_after(x->walked, number - sets, out); return; }
#endif
#if ROWS
  const int alone = x->count ? x->upto[WORDS_USED(x) - 1] : 0;
  if (number >= alone) {
    const Row *r = x->row;
    number -= alone;
    for (int more; number >= (more = set_count(r->of)); r++) number -= more;
    play_row(c->state, r, number, out);
    return;
  }
#endif
  word = word_of(x, number, &place);
  play_one(c, x, word, set_nth(x->of[word], place), out);
}

/* The same by its place in the order of the walk: by origin, then by word. */
static UNUSED void nth_sets(Case *c, Origins *x, int count, int passes, int number, State *out) {
  if (passes && number == count - 1) { pass_one(c, x, count == 1, out); return; }
#if SETS == 1 && !ROWS && !MIXED
  play_one(c, x, 0, set_nth(x->of[0], number), out);
#else
  Set any = NO_SQUARE;
  u16 turns[SQUARES], words[SETS]; /* by origin the number of its turns; its words in ascending order */
  int o = 0, n = 0;
  for (int s = 0; s < SQUARES; s++) turns[s] = 0;
  WORDS_EACH(w, x) {
    any = set_or(any, x->of[w]);
    SET_EACH(s, x->of[w]) turns[s]++;
  }
#if ROWS
  ROWS_EACH(r, x) if (set_any(r->of)) {
    any = set_with(any, r->origin);
    turns[r->origin] += set_count(r->of);
  }
#endif
#if MIXED
  Frame *f = x->walked;
  for (int i = 0; f && i < f->count; i++) {
    any = set_with(any, origin_of(f, i));
    turns[origin_of(f, i)]++;
  }
#endif
  for (; number >= turns[o = set_first(any)]; any = set_rest(any)) number -= turns[o];
#if MIXED
  for (int i = 0; f && i < f->count; i++)
    if (origin_of(f, i) == o && !number--) { state_after(f, i, out); return; }
#endif
  WORDS_EACH(w, x) if (set_has(x->of[w], o)) {
    int k = n++;
    for (; k && words[k - 1] > w; k--) words[k] = words[k - 1];
    words[k] = (u16)w;
  }
#if ROWS
  const u16 *after = rows_after(c->state->to_move);
  int k = 0;
  ROWS_EACH(r, x) if (r->origin == o) {
    for (; k < n && words[k] < after[r->word]; k++)
      if (!number--) { play_one(c, x, words[k], o, out); return; }
    const int more = set_count(r->of);
    if (number < more) { play_row(c->state, r, number, out); return; }
    number -= more;
  }
  number += k;
#endif
  play_one(c, x, words[number], o, out);
#endif
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
#if ROWS
    ROWS_EACH(r, &x) SET_EACH(q, r->of) {
      play_two(s, seat_words(s->to_move) + r->word, r->origin, q, &next);
      total += count_sets(p, &next, depth - 1);
    }
#endif
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
  look(c, s, p);
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
  frame_list(p, f);
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

/* The state after one of the turns found last, by number: `listed` in the order in which turns are
   listed, otherwise in one of their own. */
INLINE void play_found(Found *t, int number, int listed, State *out) {
#if SETWISE
  if (listed) nth_sets(&t->c, &t->x, t->count, t->passes, number, out);
  else play_sets(&t->c, &t->x, t->count, t->passes, number, out);
#elif COUNTED
  counted_after(t->space, t->frame, 1 + listed, number, t->count, t->passes, out);
#else
  state_after(t->frame, number, out);
  (void)listed;
#endif
}

/* A number below n, from 0 on. */
INLINE int random_below(u64 *random, int n) {
  *random += 0x9e3779b97f4a7c15ULL;
  return (int)(((mixed(*random) >> 32) * (u64)n) >> 32);
}

/* What the player at a seat has where an ending covers a state. */
INLINE int goal_at(Space *p, const State *s, int ending, int seat) {
#ifdef COUNTED_GOALS
  Case c;
  look(&c, s);
  c.space = p;
  return counted_goal(&c, ending, seat);
#else
  (void)p, (void)s;
  return ending_goals[ending][seat];
#endif
}

/* What each player has at the end of a game. */
INLINE void note_goals(Space *p, const State *s, int ending, signed char *out) {
  for (int i = 0; ending >= 0 && i < PLAYERS; i++)
    out[(s->to_move + i) % PLAYERS] = (signed char)goal_at(p, s, ending, i);
}

/* Many positions at once; states that stand one after the other. Each function gives the number of
   those that are done: fewer where the engine gives up, or where a turn has no such number. */

MANY long bulk_counts(Space *p, const State *s, long n, int *counts) {
  for (long i = 0; i < n; i++) {
    Found t;
    p->depth = p->failed = 0;
    counts[i] = find_turns(p, &s[i], &t);
    if (p->failed) return i;
  }
  return n;
}

MANY long bulk_play(Space *p, const State *s, long n, const int *chosen, State *out) {
  for (long i = 0; i < n; i++) {
    Found t;
    p->depth = p->failed = 0;
    int count = find_turns(p, &s[i], &t);
    if (p->failed || chosen[i] < 0 || chosen[i] >= count) return i;
    play_found(&t, chosen[i], 1, &out[i]);
  }
  return n;
}

MANY long bulk_goals(Space *p, const State *s, long n, signed char *goals) {
  for (long i = 0; i < n; i++) {
    Case c;
    p->depth = p->failed = 0;
    look(&c, &s[i], p);
    int ending = ending_of(&c, -1);
    if (p->failed) return i;
    for (int k = 0; k < PLAYERS; k++) goals[i * PLAYERS + k] = -1;
    note_goals(p, &s[i], ending, goals + i * PLAYERS);
  }
  return n;
}

#if !DEVICE
/* By position, origin and end of the first segment whether some legal turn goes there. */
MANY long bulk_masks(Space *p, const State *s, long n, u8 *masks) {
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
