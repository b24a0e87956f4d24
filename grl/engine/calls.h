/* What the model's own program calls: positions in and out, lists of turns, perft, random games. */

#pragma GCC push_options
#pragma GCC optimize("O1")
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
   moved, as bytes; what rules ask of the game before. All but the contents may be missing. */
EXPORT void state_load(State *out, const u8 *cells, int to_move, const i16 *hand, const u8 *moved,
                       const i16 *last, const u16 *since, int passes, int last_only) {
  memset(out, 0, sizeof *out);
  for (int s = 0; s < SQUARES; s++)
    if (cells[s] > 0 && cells[s] <= KEYS)
      out->pieces[cells[s] - 1] = set_with(out->pieces[cells[s] - 1], s);
#if HANDS
  if (hand) memcpy(out->hand, hand, sizeof out->hand);
  else memset(out->hand, -1, sizeof out->hand);
#endif
#if MOVED
  for (int s = 0; s < SQUARES; s++) if (moved && moved[s]) out->moved = set_with(out->moved, s);
#endif
#if LASTS
  if (last) memcpy(out->last, last, sizeof out->last);
  else memset(out->last, -1, sizeof out->last);
#endif
#if EVENTS
  if (since) memcpy(out->since, since, sizeof out->since);
#endif
  out->passes = (u16)passes;
  out->last_only = (u8)last_only;
  out->to_move = (u8)to_move;
  (void)hand; (void)moved; (void)last; (void)since;
}

#pragma GCC pop_options
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
#pragma GCC push_options
#pragma GCC optimize("O1")
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

/* What the player at a seat has where an ending covers a state. */
EXPORT int goal_found(Space *p, const State *s, int ending, int seat) { return goal_at(p, s, ending, seat); }

/* The first rule of endings that covers a state, or -1; -2 where the engine gives up. */
EXPORT int ending_of_state(Space *p, State *line, int size) {
  p->depth = 0; p->failed = 0;
  Case c;
  look(&c, line_up(line, size), p);
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

/* The contents of a state, by square. */
EXPORT void state_cells(const State *s, u8 *cells) { cells_of(s, cells); }

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

/* Two rows by square: what the turns found change, and where their first segments end. */
static void touched_squares(const Frame *f, u8 *squares) {
  const Set *before = f->list.before.state->pieces;
  Set changed = NO_SQUARE;
  for (int i = 0; i < f->count; i++) {
    const Turn *t = &f->turns[f->legal[i]];
    for (int k = 0; k < KEYS; k++)
      changed = set_or(changed, set_or(set_less(before[k], t->after.pieces[k]),
                                       set_less(t->after.pieces[k], before[k])));
    if (t->target != NONE) squares[SQUARES + t->target] = 1;
  }
  for (int s = 0; s < SQUARES; s++) squares[s] = (u8)set_has(changed, s);
}

/* Such rows of the pseudo-legal turns of many positions, `n` of them: contents, who moves and hands,
   if there are any, one after the other. How many of them are done before the engine gives up. */
EXPORT long squares_touched(Space *p, const u8 *cells, const u8 *movers, const i16 *hands, long n,
                            u8 *squares) {
  for (long i = 0; i < n; i++) {
    State s;
    state_load(&s, cells + i * SQUARES, movers[i], hands ? hands + i * PLAYERS * KEYS : 0, 0, 0, 0, 0, 0);
    if (turns_of(p, &s, 1, 1) < 0) return i;
    touched_squares(&p->frames[0], squares + i * 2 * SQUARES);
  }
  return n;
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

/* Random games as in `playouts`, with their turns: for each ply who plays, the number of codes and the
   codes; a pass has none. `plies` and `goals` are by game. Gives back how many games found room. */
MANY long recorded_games(Space *p, State *line, int size, u64 seed, u64 begin, u64 end, int most,
                           signed char *goals, int *plies, u16 *out, u64 room, int *failed) {
  u64 used = 0, number = begin;
  State *game = malloc((most + 2) * sizeof *game);
  *failed = !game;
  if (!game) return 0;
  game[0] = *line_up(line, size);
  for (; number < end; number++) {
    u64 random = mixed(seed) + number * 0xd1342543de82ef95ULL, kept = used;
    signed char *scores = goals + (number - begin) * PLAYERS;
    int ply = 0;
    for (int i = 0; i < PLAYERS; i++) scores[i] = -1;
    for (; ply < most && used + LONGEST + 2 <= room; ply++) {
      p->depth = 0; p->failed = 0;
      Frame *f = frame_open(p);
      int n = p->failed ? 0 : legal_turns(p, f, &game[ply]);
      if (p->failed) break;
      if (!n) {
        note_goals(p, &game[ply], f->ending, scores);
        break;
      }
      int chosen = random_below(&random, n);
      Turn *t = chosen < f->count ? &f->turns[f->legal[chosen]] : 0;
      out[used++] = game[ply].to_move;
      out[used++] = t ? (u16)t->length : 0;
      if (t) memcpy(out + used, f->codes + t->code, t->length * sizeof *out);
      used += t ? t->length : 0;
      state_after(f, chosen, &game[ply + 1]);
    }
    if (p->failed || used + LONGEST + 2 > room) {
      used = kept;
      break;
    }
    plies[number - begin] = ply;
  }
  *failed = p->failed;
  free(game);
  return (long)(number - begin);
}

#pragma GCC pop_options
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

/* Games that are played by turns, so that a processor has work while one waits for its last turn; where
   a ply takes so little that calls would be a third of it all is one function (FLAT). */
#if SETWISE && !MIXED && !ASKED && !TRAIL && !DEVICE && SETS <= 16
#define LANES 3
#define FLAT __attribute__((flatten))
#else
#define LANES 1
#define FLAT
#endif

/* A random turn is played, or none and the goals are noted: then the game is over. */
INLINE int random_turn(Space *p, const State *now, State *next, u64 *random, signed char *goals) {
  Found t;
  p->depth = 0;
  int n = find_turns(p, now, &t);
  if (p->failed) return 0;
  if (!n) {
    note_goals(p, now, t.ending, goals);
    return 0;
  }
  play_found(&t, random_below(random, n), 0, next);
  return 1;
}

typedef struct { /* a game that is played: its number, what is drawn next, and its state; that is copied
                    where it stays in registers, and by turns in either place where a copy would wait
                    for what was written last */
  u64 number, random;
  int ply;
  State states[2];
} Lane;

/* Random games from a state, numbers `begin` to `end`: their plies in all, and the goals of each
   player, -1 where nothing is known or the game went on for `most` plies. */
EXPORT FLAT u64 playouts(Space *p, State *line, int size, u64 seed, u64 begin, u64 end, int most,
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
        g->states[0] = *from;
        g->ply = 0;
      }
#if LANES > 1
      State *now = g->states, room, *after = &room;
#else
      State *now = &g->states[g->ply & 1], *after = &g->states[~g->ply & 1];
#endif
      playing = 1;
      if (g->ply < most &&
          random_turn(p, now, after, &g->random, goals + (g->number - begin) * PLAYERS)) {
#if LANES > 1
        *now = room;
#endif
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
