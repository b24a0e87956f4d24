/* The search of intersections.py, number for number: see there. A literal's set is a row of words for each
   direction, or one for all, of which the literal has the complement if it is not to hold; the lowest bit
   of the first word comes first. */

#ifdef __GNUC__
#define QUICK __attribute__((optimize("O3")))
#else
#define QUICK
#endif

void *malloc(unsigned long);
void free(void *);

typedef struct {
  const u64 *const *sets, *target, *outside;
  const long long *strides;
  const double *prices;
  const unsigned char *holds;
  int count, ways, words, longest, depth, *kept, *chosen, *best, best_length;
  double both, price;
  long steps;
  u64 *room; /* for every depth what is left, a row each direction */
} Search;

#define BLOCK 8 /* words that are intersected at a time: a few of the machine's instructions */

/* Some words of what is left, `words` from one direction to the next, intersected with those of a set. */
#define MEET(count) { \
    u64 joined[BLOCK] = {0}, lost = 0; \
    const u64 *from = left + i, *with = set + i; \
    u64 *to = further + i; \
    for (int way = 0; way < ways; way++, from += words, with += stride, to += words) \
      for (int j = 0; j < (count); j++) joined[j] |= to[j] = from[j] & (with[j] ^ flipped); \
    for (int j = 0; j < (count); j++) lost |= target[i + j] & ~joined[j]; \
    if (lost) return 0; \
  }

/* Intersect what is left with a literal; whether no square of the target is lost. */
static int QUICK meet(const Search *s, const u64 *restrict left, int literal, u64 *restrict further) {
  const u64 *set = s->sets[literal], *target = s->target, flipped = s->holds[literal] ? 0 : ~0ULL;
  const long words = s->words, stride = s->strides[literal];
  const int ways = s->ways;
  long i = 0;
  for (; i + BLOCK <= words; i += BLOCK) MEET(BLOCK)
  if (i < words) MEET(words - i)
  return 1;
}

/* The word of the first square that is left outside, and its bit; how many words there are for none. */
static int surplus_of(const Search *s, const u64 *left, u64 *bit) {
  int at = 0;
  for (int d = 0; d < s->ways; d++)
    for (int i = 0; i < s->words; i++, at++)
      if ((*bit = left[at] & s->outside[i])) { *bit &= -*bit; return at; }
  return at;
}

static void note(Search *s, int length, double price) {
  int holds = 0;
  for (int i = 0; i < length; i++) holds |= s->holds[s->chosen[i]];
  if (!holds) return;
  for (int i = 0; i < length; i++) s->best[i] = s->chosen[i];
  s->best_length = length;
  s->price = price;
}

static void greedy(Search *s) {
  int words = s->words, size = s->ways * words, length = 0;
  u64 *left = s->room, *further = left + size, bit;
  double price = 0.0;
  while (length < s->longest) {
    double purest = 0, cheapest = 0;
    int most = 0, best = -1;
    for (int at = 0; at < s->count; at++) {
      int literal = s->kept[at], same = 1, kept = 0, surplus = 0;
      double rank;
      if (!meet(s, left, literal, further)) continue;
      for (int i = 0; i < size && same; i++) same = further[i] == left[i];
      if (same) continue;
      for (int i = 0; i < words; i++) {
        u64 joined = 0;
        for (int k = i; k < size; k += words) {
          joined |= further[k];
          surplus += word_count(further[k] & s->outside[i]);
        }
        kept += word_count(joined & ~s->outside[i]);
      }
      rank = -(double)kept / (double)(kept + surplus);
      if (best < 0 || rank < purest ||
          (rank == purest && (kept > most || (kept == most && s->prices[literal] < cheapest)))) {
        purest = rank; most = kept; cheapest = s->prices[literal]; best = literal;
      }
    }
    if (best < 0) return;
    price += s->prices[best] + (length ? s->both : 0.0);
    s->chosen[length++] = best;
    meet(s, left, best, further);
    for (int i = 0; i < size; i++) left[i] = further[i];
    if (surplus_of(s, left, &bit) == size) { note(s, length, price); return; }
  }
}

static void grow(Search *s, int length, double price) {
  int size = s->ways * s->words;
  u64 *left = s->room + (long)length * size, *further = left + size, bit, here;
  int at = surplus_of(s, left, &bit);
  if (at == size) { if (length) note(s, length, price); return; }
  if (length == s->longest) return;
  for (int i = 0; i < s->count; i++) {
    int literal = s->kept[i];
    double total = price + s->prices[literal] + (length ? s->both : 0.0);
    if (total >= s->price) break;
    here = s->sets[literal][at / s->words * s->strides[literal] + at % s->words];
    if ((s->holds[literal] ? here : ~here) & bit) continue;
    if (--s->steps < 0) return;
    if (meet(s, left, literal, further)) {
      s->chosen[length] = literal;
      grow(s, length + 1, total);
    }
  }
}

/* `first` gets the numbers of the literals found greedily, `best` those of the cheapest intersection
   below the limit; both are preceded by how many. How many literals have all of the target, or -1 for
   want of memory. */
__attribute__((visibility("default"))) int intersections(
    const u64 *const *sets, const long long *strides, const double *prices, const unsigned char *holds,
    int literals, int ways, int words, const u64 *start, const u64 *target, const u64 *outside, int longest,
    long steps, double both, double limit, int *first, int *best) {
  Search s = {sets, target, outside, strides, prices, holds, 0, ways, words, longest};
  int size = ways * words, result = -1;
  s.both = both; s.price = 1.0 / 0.0; s.steps = steps; s.best = first + 1;
  s.kept = malloc((literals + 1) * sizeof *s.kept);
  s.chosen = malloc((longest + 1) * sizeof *s.chosen);
  s.room = malloc((longest + 2L) * size * sizeof *s.room);
  first[0] = best[0] = 0;
  if (s.kept && s.chosen && s.room) {
    for (int i = 0; i < literals; i++)
      if (meet(&s, start, i, s.room)) s.kept[s.count++] = i;
    for (int i = 0; i < size; i++) s.room[i] = start[i];
    greedy(&s);
    first[0] = s.best_length;
    s.best = best + 1;
    if (limit < s.price) {
      s.best_length = 0;
      s.price = limit;
    } else {
      for (int i = 0; i < s.best_length; i++) best[1 + i] = first[1 + i];
    }
    for (int i = 0; i < size; i++) s.room[i] = start[i];
    grow(&s, 0, 0.0);
    best[0] = s.best_length;
    result = s.count;
  }
  free(s.kept); free(s.chosen); free(s.room);
  return result;
}
