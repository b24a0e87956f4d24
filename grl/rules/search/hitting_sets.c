/* The search of hitting_sets.py, number for number: see there. Sets of atoms and sets of sets are rows
   of words; the lowest bit of the first word comes first. */

void *malloc(unsigned long);
void free(void *);

typedef struct {
  const u64 *sets, *missed; /* sets x atoms; atoms x sets */
  const double *costs;
  int atoms, atom_words, set_words, longest, most, count;
  long nodes;
  double cheapest, bound;
  int *sizes, reach[64]; /* by atom how many sets it meets; the most that so many atoms meet */
  u64 *room;             /* for every depth what remains, what was chosen, banned, and is tried */
  u64 *found;
  double *prices;
} Search;

static int counted(const u64 *a, int words) {
  int count = 0;
  for (int i = 0; i < words; i++) count += word_count(a[i]);
  return count;
}

static int first_of(const u64 *a) {
  int i = 0;
  while (!a[i]) i++;
  return 64 * i + word_first(a[i]);
}

/* A set of atoms that meets all: known by its cost. */
static void note(Search *s, const u64 *chosen, int atom, double cost) {
  int words = s->atom_words, at = 0;
  u64 *row = s->found + (long)s->count * words;
  for (int i = 0; i < words; i++) row[i] = chosen[i];
  if (atom >= 0) row[atom >> 6] |= 1ULL << (atom & 63);
  for (; at < s->count; at++) {
    const u64 *known = s->found + (long)at * words;
    int same = 1;
    for (int i = 0; i < words && same; i++) same = known[i] == row[i];
    if (same) break;
  }
  s->prices[at] = cost;
  if (at == s->count) s->count++;
}

static void grow(Search *s, int depth, double cost, int more, int longest) {
  int aw = s->atom_words, sw = s->set_words, step = sw + 3 * aw;
  u64 *remaining = s->room + (long)depth * step, *chosen = remaining + sw, *banned = chosen + aw;
  u64 *atoms = banned + aw, *left = remaining + step;
  const u64 *smallest = s->sets + (long)first_of(remaining) * aw;
  for (int i = 0; i < aw; i++) atoms[i] = smallest[i] & ~banned[i];
  if (more == 1) {
    int all = counted(remaining, sw);
    for (int i = 0; i < aw; i++)
      for (u64 w = atoms[i]; w; w &= w - 1) {
        int atom = 64 * i + word_first(w);
        if (s->sizes[atom] < all) atoms[i] &= ~(w & -w);
      }
    for (int i = 0; i < sw; i++)
      for (u64 w = remaining[i]; w; w &= w - 1) {
        const u64 *set = s->sets + (long)(64 * i + word_first(w)) * aw;
        u64 some = 0;
        for (int k = 0; k < aw; k++) some |= atoms[k] &= set[k];
        if (!some) return;
      }
  }
  longest--;
  for (int i = 0; i < aw; i++)
    for (u64 w = atoms[i]; w; w &= w - 1) {
      int atom = 64 * i + word_first(w);
      const u64 *missed = s->missed + (long)atom * sw;
      double total = cost + s->costs[atom];
      u64 some = 0;
      if (total > s->bound) continue;
      s->nodes--;
      if (s->nodes <= 0 || s->count >= s->most) return;
      for (int k = 0; k < sw; k++) some |= left[k] = remaining[k] & missed[k];
      if (!some) {
        note(s, chosen, atom, total);
      } else {
        int further = (int)((s->bound - total) / s->cheapest);
        if (further > longest) further = longest;
        if (counted(left, sw) <= s->reach[further]) {
          for (int k = 0; k < aw; k++) { left[sw + k] = chosen[k]; left[sw + aw + k] = banned[k]; }
          left[sw + (atom >> 6)] |= 1ULL << (atom & 63);
          grow(s, depth + 1, total, further, longest);
        }
      }
      banned[i] |= w & -w;
    }
}

static void run(Search *s, const u64 *among, int total, double bound) {
  int sw = s->set_words, aw = s->atom_words, more = (int)(bound / s->cheapest);
  s->bound = bound;
  s->nodes--;
  if (s->nodes <= 0 || s->count >= s->most) return;
  if (more > s->longest) more = s->longest;
  if (total > s->reach[more]) return;
  for (int i = 0; i < sw; i++) s->room[i] = among[i];
  for (int i = 0; i < 2 * aw; i++) s->room[sw + i] = 0;
  grow(s, 0, 0.0, more, s->longest);
}

/* How many sets of atoms are found, or -1 for want of memory; there are sets, and some are to be met. */
__attribute__((visibility("default"))) int hitting_sets(
    const u64 *sets, const u64 *missed, int n_sets, int atoms, const u64 *among, const double *costs,
    int longest, int most, long nodes, double slack, u64 *found, double *prices) {
  Search s = {sets, missed, costs, atoms, (atoms + 63) / 64, (n_sets + 63) / 64, longest, most, 0, nodes};
  int total = counted(among, s.set_words), widest[64];
  double bound = 1.0;
  s.found = found; s.prices = prices;
  s.sizes = malloc(atoms * sizeof *s.sizes);
  s.room = malloc((longest + 2) * (s.set_words + 3L * s.atom_words) * sizeof *s.room);
  if (!s.sizes || !s.room) { free(s.sizes); free(s.room); return -1; }
  s.cheapest = costs[0];
  for (int i = 0; i < longest; i++) widest[i] = 0;
  for (int a = 0; a < atoms; a++) {
    int meets = total, at = longest;
    if (costs[a] < s.cheapest) s.cheapest = costs[a];
    for (int i = 0; i < s.set_words; i++) meets -= word_count(among[i] & missed[(long)a * s.set_words + i]);
    s.sizes[a] = meets;
    while (at > 0 && widest[at - 1] < meets) at--;
    for (int i = longest - 1; i > at; i--) widest[i] = widest[i - 1];
    if (at < longest) widest[at] = meets;
  }
  s.reach[0] = 0;
  for (int i = 0; i < longest; i++) s.reach[i + 1] = s.reach[i] + widest[i];
  while (bound <= longest * 4) {
    run(&s, among, total, bound);
    if (s.count || s.nodes <= 0) break;
    bound += 1.0;
  }
  if (s.count && s.nodes > 0 && slack != 0) {
    double least = prices[0];
    for (int i = 1; i < s.count; i++) if (prices[i] < least) least = prices[i];
    run(&s, among, total, least + slack);
  }
  free(s.sizes);
  free(s.room);
  return s.count;
}
