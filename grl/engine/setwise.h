/* Turns as sets of origins: SETS is the most words that a player has, WRITES the most squares that a
   word changes. */

typedef struct { /* the words that may be played, with the squares from which */
  int count;
  u16 used[SETS];
  Set of[SETS];
} Origins;

typedef struct { /* what a word leaves on squares so far from its origin, and what leaves the hand */
  u8 count;
  short hand;
  i16 by[WRITES];
  u8 what[WRITES];
} Leaves;

/* The squares from which one so far away lies in a set. */
INLINE Set set_by(Set a, int by) { return by < 0 ? set_up(a, -by) : set_down(a, by); }
#define SKIPPED 30000
INLINE Set set_and_by(Set a, Set b, int by) { return by == SKIPPED ? a : set_and(a, set_by(b, by)); }
INLINE Set set_less_by(Set a, Set b, int by) { return by == SKIPPED ? a : set_less(a, set_by(b, by)); }

#define WORDS_EACH(w, x) \
  for (int i_##w = 0, w; i_##w < (x)->count && ((w = (x)->used[i_##w]), 1); i_##w++)
#define FOUND(may, origins, masks, word) \
  if (may) { \
    const Set found = set_and(origins, masks[word]); \
    if (set_any(found)) { x->of[word] = found; x->used[x->count++] = word; } }

static void find_origins(Case *c, Origins *x);
static const Leaves *leaves_of(int seat, int word);

INLINE int origins_count(const Origins *x) {
  int count = 0;
  for (int i = 0; i < x->count; i++) count += set_count(x->of[x->used[i]]);
  return count;
}

/* Field by field: a copy of the whole would wait for the small fields that were written last. */
INLINE void play_word(const State *s, int word, int origin, State *out) {
  const Leaves *l = leaves_of(s->to_move, word);
  Set changed = NO_SQUARE;
  for (int i = 0; i < l->count; i++) changed = set_or(changed, set_of(origin + l->by[i]));
  for (int k = 0; k < KEYS; k++) out->pieces[k] = set_less(s->pieces[k], changed);
  for (int i = 0; i < l->count; i++)
    if (l->what[i]) {
      Set *piece = &out->pieces[l->what[i] - 1];
      *piece = set_with(*piece, origin + l->by[i]);
    }
#if HANDS
  memcpy(out->hand, s->hand, sizeof s->hand);
  if (l->hand >= 0 && out->hand[s->to_move][l->hand] > 0) out->hand[s->to_move][l->hand]--;
#endif
  out->to_move = (u8)(s->to_move + 1 == PLAYERS ? 0 : s->to_move + 1);
  out->passes = 0;
  out->last_only = 0;
}

INLINE void play_pass(const State *s, State *out) {
  *out = *s;
  out->to_move = (u8)(s->to_move + 1 == PLAYERS ? 0 : s->to_move + 1);
  out->passes = (u16)(s->last_only ? 1 : s->passes + (s->passes < 65535));
  out->last_only = 0;
}

/* The square of a set with so many lower ones in it. */
INLINE int set_nth(Set a, int n) {
#if defined(__BMI2__) && SQUARES <= 64
  return word_first(__builtin_ia32_pdep_di(1ULL << n, a));
#else
  while (n--) a = set_rest(a);
  return set_first(a);
#endif
}
