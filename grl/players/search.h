void *calloc(unsigned long, unsigned long);

/* The search of minimax.py over compiled states: negamax, alpha-beta, MTD(f). It is put after the text of
   a model, and names the same things as there: values, bounds, what is left open.

   All states after one are made at once, and each is asked whether the game is over there before any
   is searched: what wins at once is seen without a search. */

enum { WIN = 1000000, LIKELY = 9999, DEEPEST = 400, WHOLE = 10000, INFINITE = WIN + 1 };
enum { PRUNE = 1, ORDER = 2, TABLE = 4, DEEPEN = 8, ZERO_WINDOW = 16 };
enum { HISTORY = 1 << 14 };

typedef struct { u64 key; int lower, upper; u16 depth, turn, used, none; } Entry; /* bounds count wins from the state */

typedef struct { /* a state after a turn */
  State state;
  u64 key, rank; /* its number; the larger, the earlier it is searched */
  int over, value;
  u32 change; /* a number for what the turn changes */
} After;

typedef struct { After *after; int room; u32 killers[2]; } Level;

typedef struct {
  int value, depth, proven, failed;
  u64 nodes;
  u64 turns[DEEPEST + 1]; /* the numbers of the states along the best line */
} Answer;

typedef struct {
  Space *space;
  const State *root;
  int me, flags, open, spent, found, glance;
  const int *off_middle; /* by square */
  volatile int *stop;
  u64 nodes, most, seed;
  Entry *table;
  u64 mask;
  u32 history[PLAYERS][HISTORY];
  Level levels[DEEPEST + 1];
  u64 lines[DEEPEST + 2][DEEPEST + 2]; /* by ply: the numbers of the states along the best line, then 0 */
  Answer *out;
} Run;

#ifndef EVALUATE
#define EVALUATE(state, seat) 0 /* what a state in which the game goes on is worth to a player */
#endif

INLINE int later(int value, int plies) {
  return value > LIKELY ? value - plies : value < -LIKELY ? value + plies : value;
}

/* What the end of a game is worth to the one who thinks. */
static int end_value(const Run *r, const State *s, int ending) {
  int mine = 0, other = -1;
  if (ending < 0) return 0;
  for (int i = 0; i < PLAYERS; i++) {
    int goal = goal_at(r->space, s, ending, i);
    if ((s->to_move + i) % PLAYERS == r->me) mine = goal;
    else if (goal > other) other = goal;
  }
  int margin = PLAYERS > 1 ? mine - other : 2 * mine - 100;
  if (margin == 100 || margin == -100) return margin / 100 * WIN;
  int scaled = margin * LIKELY, whole = scaled / 100;
  return whole - (scaled < 0 && whole * 100 != scaled); /* rounded down, as Python does */
}

/* What takes much of the stack is no part of the function that calls itself. */
#define APART static __attribute__((noinline))

/* Makes the states after a state: their number, -1 where that fails. */
APART int states_after(Run *r, const State *s, Level *l) {
  Space *p = r->space;
  int open = p->depth, k = 0, n;
#if SETWISE
  Case c;
  Origins x;
  int passes = 0, ending;
  n = legal_sets(p, &c, s, &x, &passes, &ending);
#else
  Frame *f = frame_open(p);
  n = p->failed ? 0 : legal_turns(p, f, s);
#endif
  if (n > l->room) {
    After *more = realloc(l->after, (n + n / 2) * sizeof *more);
    if (!more) p->failed = 1;
    else { l->after = more; l->room = n + n / 2; }
  }
  if (p->failed) { r->spent = 1; return -1; }
#if SETWISE
  for (int i = 0; i < WORDS_USED(&x); i++)
    SET_EACH(o, x.of[USED(&x, i)]) play_one(&c, &x, USED(&x, i), o, &l->after[k++].state);
#if ROWS
  ROWS_EACH(row, &x) SET_EACH(q, row->of)
    play_two(s, seat_words(s->to_move) + row->word, row->origin, q, &l->after[k++].state);
#endif
#if MIXED
  for (int i = 0; x.walked && i < x.walked->count; i++) state_after(x.walked, i, &l->after[k++].state);
#endif
  if (passes) pass_one(&c, &x, n == 1, &l->after[k++].state);
#else
  for (; k < n; k++) state_after(f, k, &l->after[k].state);
#endif
  p->depth = open;
  if (p->failed) { r->spent = 1; return -1; }
  if (!r->glance && (r->nodes + (u64)n > r->most || *r->stop)) r->spent = 1;
  else r->nodes += (u64)n;
  return n;
}

/* Whether the game is over in a state after a turn, and for whom. */
APART int over_after(Run *r, After *a, int ply) {
  Found t;
  Space *p = r->space;
  int open = p->depth;
  a->over = !find_turns(p, &a->state, &t);
  if (a->over) a->value = later(end_value(r, &a->state, t.ending), ply);
  p->depth = open;
  if (p->failed) r->spent = 1;
  return a->over;
}

/* What a turn changes, as a number, and how near to the middle. */
INLINE void note_change(const Run *r, const State *s, After *a) {
  u64 h = 0;
  int off = 0;
  for (int k = 0; k < KEYS; k++) {
    Set come = set_less(a->state.pieces[k], s->pieces[k]), gone = set_less(s->pieces[k], a->state.pieces[k]);
    for (int i = 0; i < WORDS; i++) h = mixed(h + set_word(come, i)), h = mixed(h + set_word(gone, i));
    SET_EACH(q, come) off += r->off_middle[q];
  }
  a->change = (u32)(h >> 32) | 1;
  a->rank = (u64)(off < 4000 ? 4001 - off : 1);
}

static Entry *entry_of(const Run *r, u64 key) {
  Entry *e = &r->table[key & r->mask];
  if (e[0].used && e[0].key == key) return &e[0];
  return e[1].used && e[1].key == key ? &e[1] : 0;
}

/* Where to note a state that the table lacks: the first place of two if it goes as deep as what is there. */
static Entry *place_of(const Run *r, u64 key, int depth) {
  Entry *e = &r->table[key & r->mask];
  return !e[0].used || depth >= e[0].depth ? &e[0] : &e[1];
}

static void remember(Run *r, u64 key, int value, int alpha, int beta, int best, int depth, int turn) {
  Entry *e = entry_of(r, key);
  int lower = best > alpha ? value : -INFINITE, upper = best < beta ? value : INFINITE;
  if (e) {
    if ((e->depth == depth || e->lower > LIKELY) && e->lower > lower) lower = e->lower;
    if ((e->depth == depth || e->upper < -LIKELY) && e->upper < upper) upper = e->upper;
    if (best <= alpha) turn = e->turn;
  } else {
    e = place_of(r, key, depth);
  }
  e->key = key; e->used = 1;
  e->lower = lower; e->upper = upper; e->depth = (u16)depth; e->turn = (u16)turn;
}

/* What a state in which the game goes on is worth to the side to move; see `_Run._value`. */
static int worth(Run *r, const State *s, u64 key, int depth, int alpha, int beta, int ply) {
  const int mine = s->to_move == r->me;
  int lower = -INFINITE, upper = INFINITE, known = -1;
  r->lines[ply][0] = 0;
  if (!depth) {
    r->open = 1;
    int value = EVALUATE(s, r->me);
    return mine ? value : -value;
  }
  if (r->flags & PRUNE && ply && alpha >= WIN - ply - 1) return WIN - ply - 1;
  Entry *e = r->table ? entry_of(r, key) : 0;
  if (e) {
    known = e->turn;
    int from = later(e->lower, ply), to = later(e->upper, ply);
    if (e->depth >= depth || from > LIKELY) lower = from;
    if (e->depth >= depth || to < -LIKELY) upper = to;
    if (ply) {
      if (lower > alpha) alpha = lower;
      if (upper < beta) beta = upper;
      if (alpha >= beta) {
        int value = lower >= beta ? lower : upper;
        r->open |= e->depth < WHOLE && value <= LIKELY && value >= -LIKELY;
        return value;
      }
    } else {
      lower = -INFINITE; upper = INFINITE;
    }
  }
  Level *l = &r->levels[ply];
  int n = states_after(r, s, l);
  if (r->spent) return 0;
  int opened = r->open, best = -INFINITE, chosen = 0, floor = alpha, ordered = r->flags & ORDER;
  r->open = 0;
  for (int i = 0; i < n; i++) {
    After *a = &l->after[i];
    a->over = a->key = 0;
    a->rank = (u64)(n - i);
    if (!ordered) continue;
    if (over_after(r, a, ply + 1)) {
      int value = mine ? a->value : -a->value;
      if (value >= beta) { /* nothing else is needed */
        for (int k = 0; k < i; k++) l->after[k].rank = 0;
        for (int k = i + 1; k < n; k++) l->after[k].rank = 0;
        a->rank = 1;
        n = i + 1;
        break;
      }
      a->rank = ~0ULL; /* it costs nothing to take account of */
      continue;
    }
    note_change(r, s, a);
    if (!ply) continue;
    a->rank += (u64)r->history[s->to_move][a->change % HISTORY] << 12;
    if (a->change == l->killers[0] || a->change == l->killers[1]) a->rank |= 1ULL << 60;
    if (i == known) a->rank |= 1ULL << 61;
  }
  for (int i = 0; i < n && !ply; i++) { /* at the root by chance, after the best so far */
    After *a = &l->after[i];
    u64 number = state_number(&a->state);
    if (a->rank && a->rank != ~0ULL) a->rank = (mixed(r->seed + number) >> 8) | 1;
    if (number == r->out->turns[0]) a->rank |= 1ULL << 62;
  }
  for (int tried = 0; tried < n && !r->spent; tried++) {
    int next = 0, value;
    for (int i = 1; i < n; i++) if (l->after[i].rank > l->after[next].rank) next = i;
    After *a = &l->after[next];
    if (!a->rank) break;
    a->rank = 0;
    r->lines[ply + 1][0] = 0;
    if (!ordered) over_after(r, a, ply + 1);
    a->key = state_number(&a->state);
    if (a->over) {
      value = mine ? a->value : -a->value;
    } else if ((a->state.to_move == r->me) == mine) {
      value = worth(r, &a->state, a->key, depth - 1, floor, beta, ply + 1);
    } else {
      value = -worth(r, &a->state, a->key, depth - 1, -beta, -floor, ply + 1);
    }
    if (r->spent) return 0;
    if (value <= best) continue;
    best = value; chosen = next;
    u64 *line = r->lines[ply], *rest = r->lines[ply + 1];
    *line++ = a->key;
    while ((*line++ = *rest++)) {}
    if (!ply && best > alpha) {
      r->found = best;
      for (int i = 0; (r->out->turns[i] = r->lines[0][i]); i++) {}
    }
    if (best >= beta) {
      if (ordered && !a->over) {
        if (l->killers[0] != a->change) { l->killers[1] = l->killers[0]; l->killers[0] = a->change; }
        u32 *often = &r->history[s->to_move][a->change % HISTORY];
        if (*often < 1u << 30) *often += (u32)(depth * depth);
      }
      break;
    }
    if (r->flags & PRUNE && best > floor) floor = best;
  }
  if ((best >= beta && best > LIKELY) || (best <= alpha && best < -LIKELY)) r->open = 0;
  if (best < lower) best = lower;
  if (best > upper) best = upper;
  if (r->table) remember(r, key, later(best, -ply), alpha, beta, best, r->open ? depth : WHOLE, chosen);
  r->open |= opened;
  return best;
}

/* The value of the root, searched to a depth: in one go, or by MTD(f). */
static int converged(Run *r, u64 key, int depth, int guess) {
  int lower = -INFINITE, upper = INFINITE;
  if (depth == 1 || !(r->flags & ZERO_WINDOW && r->flags & PRUNE))
    return worth(r, r->root, key, depth, lower, upper, 0);
  while (lower < upper && !r->spent) {
    int beta = guess > lower ? guess : lower + 1;
    guess = worth(r, r->root, key, depth, beta - 1, beta, 0);
    if (guess < beta) upper = guess; else lower = guess;
  }
  return guess;
}

/* The best line goes on, from where the search cut it off, as far as the table knows it. */
static void follow_line(Run *r, int depth) {
  State at = *r->root;
  u64 key = state_number(&at), *turns = r->out->turns;
  for (int ply = 0; ply < depth; ply++) {
    Level *l = &r->levels[ply];
    Entry *e = turns[ply] || !r->table ? 0 : entry_of(r, key);
    if (!turns[ply] && !e) break;
    int n = states_after(r, &at, l), found = e ? e->turn : -1;
    if (r->space->failed || n <= 0) break;
    for (int i = 0; i < n && !e; i++) if (state_number(&l->after[i].state) == turns[ply]) found = i;
    if (found < 0 || found >= n) break;
    key = state_number(&l->after[found].state);
    if (e) { turns[ply] = key; turns[ply + 1] = 0; }
    at = l->after[found].state;
  }
}

/* Searches a state in which the game goes on: best line, value, and what was spent; see `_Run.answer`.
   1 where there was no room, else 0. */
EXPORT int search(const State *root, const int *off_middle, int flags, int deepest, u64 most, u64 entries,
                  u64 seed, volatile int *stop, Answer *out) {
  Run *r = calloc(1, sizeof *r);
  if (!r) return 1;
  r->space = space_new();
  u64 size = 1;
  while (size < entries) size *= 2;
  if (flags & TABLE && !TRAIL) r->table = calloc(size + 1, sizeof *r->table);
  r->root = root; r->me = root->to_move; r->flags = flags; r->off_middle = off_middle; r->most = most;
  r->stop = stop; r->mask = size - 1; r->seed = mixed(seed); r->out = out;
  memset(out, 0, sizeof *out);
  if (!r->space || (flags & TABLE && !TRAIL && !r->table)) out->failed = 1;
  u64 key = state_number(root);
  if (!out->failed) {
    int value = 0;
    if (deepest > DEEPEST) deepest = DEEPEST;
    for (int depth = flags & DEEPEN ? 1 : deepest; depth <= deepest; depth++) {
      r->open = 0; r->found = -INFINITE;
      r->glance = depth == 1 && flags & DEEPEN; /* one ply is searched whatever the budget */
      value = converged(r, key, depth, out->value);
      if (r->spent) break;
      int away = WIN - (value < 0 ? -value : value);
      out->value = value; out->depth = depth;
      out->proven = !r->open || away <= depth;
      if (out->proven) break;
    }
    if (r->spent && r->found > -INFINITE) { out->value = r->found; out->proven = r->found > LIKELY; }
    out->failed = r->space->failed ? 2 : 0;
    out->nodes = r->nodes;
    if (!out->failed && !TRAIL) follow_line(r, out->depth);
  }
  for (int i = 0; i <= DEEPEST; i++) free(r->levels[i].after);
  int failed = out->failed;
  if (r->space) space_free(r->space);
  free(r->table);
  free(r);
  return failed;
}
