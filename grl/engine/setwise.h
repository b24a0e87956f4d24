/* Turns as sets of origins: SETS is the most words that a player has, WRITES the most squares that a
   word changes, ROWS the most first segments after which a piece is removed, SKIPPED the distance of a word of which a set isn't asked; MIXED 1 where the turns
   from some origins are walked. */

#if ROWS
typedef struct { /* a word from a square as a first segment, and squares of which one is then removed */
  i16 word, origin;
  Set of;
} Row;
#endif

typedef struct { /* the words that may be played, with the squares from which */
  int count;
  u16 used[SETS + 1];
  int upto[SETS]; /* so many turns the words used have, up to each of them and with it */
  Set of[SETS];
#if ROWS
  int rows;
  Row row[ROWS];
#endif
#if ASKED
  Frame *lone; /* room for one turn; 0 where none was asked for */
#endif
#if MIXED
  Frame *walked; /* turns from other origins; 0 where there are none */
#endif
} Origins;

typedef struct { /* what a word leaves on squares so far from its origin, and what leaves the hand */
  i16 hand, end;
  i16 by[WRITES]; /* what is left over repeats the first */
  u8 what[WRITES];
  u8 moved[WRITES]; /* whether that has moved: 2 where it has if what the origin held had */
} Leaves;

typedef struct { /* what rules ask of a word's turns: squares so far from the origin, SKIPPED for none */
  i16 end, drop, taken, captured, steps, length;
  u8 letters, opens;
  u32 code; /* where its codes stand, of which the first says nothing of the origin */
  u64 appears;
  i16 path[PATH], takes[TAKES];
} Spelled;

INLINE Set set_and_by(Set a, Set b, int by) { return by == SKIPPED ? a : set_and(a, set_by(b, by)); }
INLINE Set set_less_by(Set a, Set b, int by) { return by == SKIPPED ? a : set_less(a, set_by(b, by)); }

#define WORDS_EACH(w, x) \
  for (int i_##w = 0, w; i_##w < (x)->count && ((w = USED(x, i_##w)), 1); i_##w++)
#if DENSE
#define FOUND_OF(word, found) x->of[word] = found;
#else
#define FOUND_OF(word, found) if (set_any(found)) { x->of[word] = found; x->used[x->count++] = word; }
#endif
#define FOUND(may, origins, masks, word) \
  if (may) { \
    const Set found = set_and(origins, masks[word]); \
    FOUND_OF(word, found) }

/* Where all players have few words (DENSE) all of them are gone through, known by their place. */
#if DENSE
#define WORDS_USED(x) SETS
#define USED(x, i) (i)
#define UNROLLED SHORT
#define FINDS INLINE
#else
#define WORDS_USED(x) ((x)->count)
#define USED(x, i) ((x)->used[i])
#define UNROLLED
#define FINDS static
#endif

/* First segments after which turns may go on: `later` has their origins, `some` a bit for each that has
   any, in so many words. */
#define LATER(number, origins) { \
    const Set met = origins; \
    later[number] = met; \
    some[(number) >> 6] |= (u64)set_any(met) << ((number) & 63); }
#define LATER_EACH(w, words) \
  for (int i_##w = 0; i_##w < (words); i_##w++) \
    for (u64 l_##w = some[i_##w]; l_##w; l_##w &= l_##w - 1) \
      for (int w = 64 * i_##w + word_first(l_##w), go_##w = 1; go_##w; go_##w = 0)

/* What ends after one more question: the word and the stem, or -1, and which set lies so far away. */
typedef struct { u16 lies; i16 by, word, stem; } Ask;

/* The squares from which one so far away lies in a set, and some from where there is no such square. */
INLINE Set set_turned(Set a, int by) {
#if WORDS == 1
  return a >> (by & 63) | a << (-by & 63);
#else
  return set_by(a, by);
#endif
}

/* A word has these origins; one that has none takes a place that the next word gets. */
#define FOUND_NEXT(word, origins) { \
    const Set met = origins; \
    of[word] = met; \
    *used = (u16)(word); \
    used += set_any(met); }

/* The words that ask one more question each, where `from` is left. */
static UNUSED void find_leaves(Origins *x, Set from, const Ask *ask, int asks, const Set *lies, const Set *masks) {
  u16 *used = x->used + x->count;
  Set *of = x->of;
  for (const Ask *end = ask + asks; ask < end; ask++)
    FOUND_NEXT(ask->word, set_and(set_and(from, masks[ask->word]), set_turned(lies[ask->lies], ask->by)))
  x->count = (int)(used - x->used);
}

/* The same where some have stems, alone or beside words. */
static UNUSED void find_stems(Origins *x, Set from, const Ask *ask, int asks, const Set *lies, const Set *masks,
                              const Set *stems, Set *later, u64 *some) {
  for (const Ask *end = ask + asks; ask < end; ask++) {
    const Set here = set_and(from, set_turned(lies[ask->lies], ask->by));
    if (!set_any(here)) continue;
    if (ask->word >= 0) FOUND(1, here, masks, ask->word)
    if (ask->stem >= 0) LATER(ask->stem, set_and(here, stems[ask->stem]))
  }
}

/* Steps in one direction over squares of one set, the last one perhaps onto one of another; the words
   after each step of either kind, -1 for none. */
static UNUSED void find_ray(Origins *x, Set from, Set over, Set onto, int by, const i16 *words, int steps, const Set *masks) {
  Set left[RAY], *of = x->of;
  u16 *used = x->used + x->count;
  int n = 0;
  for (; n < steps; n++, words += 2) {
    left[n] = from;
    over = set_turned(over, by);
    from = set_and(from, over);
    if (!set_any(from)) break;
    if (words[0] >= 0) FOUND_NEXT(words[0], set_and(from, masks[words[0]]))
  }
  if (n == steps) n--, words -= 2;
  onto = set_turned(onto, (n + 1) * by);
  for (; n >= 0; n--, words -= 2) {
    if (words[1] >= 0) FOUND_NEXT(words[1], set_and(set_and(left[n], masks[words[1]]), onto))
    onto = set_turned(onto, -by);
  }
  x->count = (int)(used - x->used);
}

#if ROWS
#define NO_ROWS x->rows = 0;
#define ROWS_EACH(r, x) for (Row *r = (x)->row, *end_##r = r + (x)->rows; r < end_##r; r++)
#define LESS(set, other) set = set_less(set, other);
/* Rows of a word: `may` are the squares that hold what may be removed before it is played. */
#define ADD_ROWS(first, number, origins, may) \
  SET_EACH(o, origins) { \
    const Leaves *l = &first[number]; \
    Set of = may; \
    for (int i = 0; i < WRITES; i++) of = set_without(of, o + l->by[i]); \
    if (set_any(of)) x->row[x->rows++] = (Row){number, (i16)o, of}; }
INLINE int lies_by(Set a, int origin, int by, int holds) {
  return by == SKIPPED || set_has(a, origin + by) == holds;
}
#else
#define NO_ROWS
#endif

#if ASKED
#define NONE_ALONE x->lone = 0;
#else
#define NONE_ALONE
#endif

/* From origins where a stem matches all turns are walked; ways to the highest of what rivals have. */
#define WALKED_APART \
  x->walked = 0; \
  if (set_any(walked)) { \
    WORDS_EACH(w, x) x->of[w] = set_less(x->of[w], walked); \
    walk_some(c, x, walked); }
#define FORBID_WALKED(rule) if (x->walked) forbid_##rule(&x->walked->list);
#define BESIDE(highest_here, place, highest_there) \
  if (x->walked) { \
    List *l = &x->walked->list; \
    const int other = highest_there; \
    l->highest[place] = highest_here; \
    if (other > highest_here) highest_here = other; }

/* Of the rules those up to a level are asked; none where it is 0. */
FINDS void find_origins(Case *c, Origins *x, int level);
static const Leaves *leaves_of(int seat, int word);
static const Spelled *spelled_of(int seat, int word) UNUSED;
static const u16 *spelled_codes(int seat) UNUSED;
#if ROWS /* the words of a player, whose leaves stand before those of rows; and before which rows stand */
static int seat_words(int seat);
static const u16 *rows_after(int seat);
#endif

INLINE int origins_count(Origins *x) {
  int count = 0;
  UNROLLED for (int i = 0; i < WORDS_USED(x); i++) x->upto[i] = count += set_count(x->of[USED(x, i)]);
#if ROWS
  ROWS_EACH(r, x) count += set_count(r->of);
#endif
  return count;
}

/* The word with the turn of a number, and its place among the turns of the word. */
INLINE int word_of(const Origins *x, int turn, int *place) {
  int i = 0;
#if SETS <= 16
  UNROLLED for (int k = 0; k < WORDS_USED(x); k++) i += turn >= x->upto[k]; /* nothing here to be foreseen wrongly */
#else
  while (turn >= x->upto[i]) i++;
#endif
  *place = turn - (i ? x->upto[i - 1] : 0);
  return USED(x, i);
}

#if EFFECTS /* of a turn that ends on a square */
static void bring_about(const State *before, State *after, int end);
#endif

/* A piece may be removed afterwards (NONE for no square). Field by field: a copy of the whole would wait
   for the small fields that were written last. */
INLINE void play_two(const State *s, int word, int origin, int removed, State *out) {
  const Leaves *l = leaves_of(s->to_move, word);
  Set changed = removed == NONE ? NO_SQUARE : set_of(removed);
  UNROLLED for (int i = 0; i < WRITES; i++) changed = set_or(changed, set_of(origin + l->by[i]));
#if KEYS <= 4 && WRITES <= 4
  SHORT for (int k = 0; k < KEYS; k++) {
    Set put = NO_SQUARE;
    SHORT for (int i = 0; i < WRITES; i++)
      put = set_or(put, l->what[i] == k + 1 ? set_of(origin + l->by[i]) : NO_SQUARE);
    out->pieces[k] = set_or(set_less(s->pieces[k], changed), put);
  }
#else
  for (int k = 0; k < KEYS; k++) out->pieces[k] = set_less(s->pieces[k], changed);
  for (int i = 0; i < WRITES; i++)
    if (l->what[i]) {
      Set *piece = &out->pieces[l->what[i] - 1];
      *piece = set_with(*piece, origin + l->by[i]);
    }
#endif
#if HANDS
  memcpy(out->hand, s->hand, sizeof s->hand);
  if (l->hand >= 0 && out->hand[s->to_move][l->hand] > 0) out->hand[s->to_move][l->hand]--;
#endif
#if MOVED
  out->moved = set_less(s->moved, changed);
  for (int i = 0; i < WRITES; i++)
    if (l->moved[i] == 1 || (l->moved[i] == 2 && set_has(s->moved, origin)))
      out->moved = set_with(out->moved, origin + l->by[i]);
#endif
#if EFFECTS
  bring_about(s, out, origin + l->end);
#endif
  out->to_move = (u8)(s->to_move + 1 == PLAYERS ? 0 : s->to_move + 1);
#if LASTS || EVENTS || TRAIL
  Turn turn;
  turn.segments = 1;
  turn.squares.start[0] = (i16)origin;
  turn.squares.end[0] = (i16)(origin + l->end);
  follow(s, out, &turn);
#else
  out->passes = 0;
  out->last_only = 0;
#endif
}

INLINE void play_word(const State *s, int word, int origin, State *out) {
  play_two(s, word, origin, NONE, out);
}

INLINE void play_pass(const State *s, State *out) {
  *out = *s;
  out->to_move = (u8)(s->to_move + 1 == PLAYERS ? 0 : s->to_move + 1);
  Turn turn;
  turn.segments = 0;
  follow(s, out, &turn);
}
