/* Drop-and-line games on bit boards. Before this text stand WIDTH and HEIGHT of the board and LINE, how
   many stones in a row, column or diagonal win; a stone falls to the lowest empty square of its file.

   After Pons, Solving Connect 4 (blog.gamesolver.org, 2015): a file is HEIGHT + 1 bits, of which the
   highest stays empty, so that lines don't go on from one file to the next. A score is how many stones
   of the winner's are left at the end, with the last one: more is sooner; 0 is a draw. */

typedef unsigned long long u64;
typedef unsigned int u32;
void *calloc(unsigned long, unsigned long);
void free(void *);
#define EXPORT __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

#define TALL (HEIGHT + 1)
#define SIZE (WIDTH * HEIGHT)
#define SPREAD 0x9e3779b97f4a7c15ULL
#if WIDTH * TALL <= 64
typedef u64 Bits;
INLINE int bits_count(Bits b) { return __builtin_popcountll(b); }
#else
typedef unsigned __int128 Bits;
INLINE int bits_count(Bits b) { return __builtin_popcountll((u64)b) + __builtin_popcountll((u64)(b >> 64)); }
#endif

typedef struct { Bits mine, all; int stones; } Board; /* mine: of the player to move */
typedef struct { u64 *entries, mask, nodes, limit; volatile int *stop; int spent, order[WIDTH]; } Solver;

enum { SPENT = -128 };

#define FILE_BITS(x) ((((Bits)1 << HEIGHT) - 1) << (x) * TALL)
static Bits bottom, board;

/* The squares where one more stone makes a line, empty or not. */
INLINE Bits completing(Bits b) {
  static const int ways[4] = {1, TALL - 1, TALL, TALL + 1};
  Bits found = 0;
#pragma GCC unroll 4
  for (int w = 0; w < 4; w++) {
    Bits up[LINE], down[LINE]; /* squares with so many stones in a row before and after them */
    up[0] = down[0] = ~(Bits)0;
#pragma GCC unroll 16
    for (int i = 1; i < LINE; i++) {
      up[i] = up[i - 1] & b << i * ways[w];
      if (w) down[i] = down[i - 1] & b >> i * ways[w];
    }
    if (!w) { found |= up[LINE - 1]; continue; }
#pragma GCC unroll 16
    for (int i = 0; i < LINE; i++) found |= up[i] & down[LINE - 1 - i];
  }
  return found;
}

INLINE Bits open_squares(const Board *b) { return (b->all + bottom) & board; }

/* The turns after which the other player doesn't win at once; none where all lose. */
INLINE Bits saving(const Board *b) {
  Bits open = open_squares(b), threats = completing(b->mine ^ b->all) & board & ~b->all;
  Bits forced = open & threats;
  if (forced) {
    if (forced & (forced - 1)) return 0;
    open = forced;
  }
  return open & ~(threats >> 1);
}

/* A board as 56 bits: itself where it has no more, otherwise mixed, so that two in 2^56 are alike. */
INLINE u64 key_of(const Board *b) {
  Bits key = b->mine + b->all + bottom;
#if WIDTH * TALL <= 56
  return key;
#else
  u64 h = (u64)key;
#if WIDTH * TALL > 64
  h += (u64)(key >> 64) * 0xbf58476d1ce4e5b9ULL;
#endif
  h = (h ^ h >> 31) * SPREAD;
  h = (h ^ h >> 29) * 0x94d049bb133111ebULL;
  return (h ^ h >> 32) >> 8;
#endif
}

INLINE u64 *place_of(const Solver *s, u64 key) { return &s->entries[(key * SPREAD) >> 20 & s->mask]; }

/* Scores in entries, in the lowest byte: 0 is none, then upper bounds, then lower bounds. */
enum { LOWEST = -(SIZE / 2), BOUNDS = (SIZE + 1) / 2 - LOWEST + 1 };

static int score(Solver *s, Board b, int alpha, int beta) {
  if (s->nodes >= s->limit || (!(s->nodes & 1023) && *s->stop)) s->spent = 1;
  if (s->spent) return 0;
  s->nodes++;
  Bits next = saving(&b);
  if (!next) return -(SIZE - b.stones) / 2;
  if (b.stones >= SIZE - 2) return 0;
  int least = -(SIZE - 2 - b.stones) / 2, most = (SIZE - 1 - b.stones) / 2;
  if (alpha < least) { alpha = least; if (alpha >= beta) return alpha; }
  if (beta > most) { beta = most; if (alpha >= beta) return beta; }
  u64 key = key_of(&b), *place = place_of(s, key), known = *place;
  if (known >> 8 == key) {
    int value = (int)(known & 255);
    if (value > BOUNDS) {
      value = value - BOUNDS - 1 + LOWEST;
      if (alpha < value) { alpha = value; if (alpha >= beta) return alpha; }
    } else {
      value = value - 1 + LOWEST;
      if (beta > value) { beta = value; if (alpha >= beta) return beta; }
    }
  }
  struct { Bits turn; int rank; } turns[WIDTH];
  int n = 0;
  for (int i = 0; i < WIDTH; i++) {
    Bits turn = next & FILE_BITS(s->order[i]);
    if (!turn) continue;
    Bits mine = b.mine | turn;
    int rank = bits_count(completing(mine) & board & ~b.all), at = n++;
    for (; at && turns[at - 1].rank < rank; at--) turns[at] = turns[at - 1];
    turns[at].turn = turn; turns[at].rank = rank;
  }
  for (int i = 0; i < n; i++) {
    Board after = {b.mine ^ b.all, b.all | turns[i].turn, b.stones + 1};
    int value = -score(s, after, -beta, -alpha);
    if (s->spent) return 0;
    if (value >= beta) {
      *place = key << 8 | (u64)(value - LOWEST + 1 + BOUNDS);
      return value;
    }
    if (value > alpha) alpha = value;
  }
  *place = key << 8 | (u64)(alpha - LOWEST + 1);
  return alpha;
}

INLINE int wins_at_once(const Board *b) { return (open_squares(b) & completing(b->mine)) != 0; }

/* The score of a board, or the nearer of two bounds where it is not between them. */
static int solved(Solver *s, const Board *b, int least, int most) {
  if (b->stones == SIZE) return 0;
  if (wins_at_once(b)) return (SIZE + 1 - b->stones) / 2;
  if (least < -(SIZE - b->stones) / 2) least = -(SIZE - b->stones) / 2;
  if (most > (SIZE + 1 - b->stones) / 2) most = (SIZE + 1 - b->stones) / 2;
  while (least < most && !s->spent) {
    int middle = least + (most - least) / 2;
    if (middle <= 0 && least / 2 < middle) middle = least / 2;
    else if (middle >= 0 && most / 2 > middle) middle = most / 2;
    int value = score(s, *b, middle, middle + 1);
    if (value <= middle) most = value; else least = value;
  }
  return least;
}

EXPORT Solver *solver_new(u64 entries, volatile int *stop) {
  Solver *s = calloc(1, sizeof *s);
  if (!s) return 0;
  u64 size = 1;
  while (size < entries) size *= 2;
  s->mask = size - 1; s->stop = stop; s->limit = ~0ULL;
  if (!(s->entries = calloc(size, sizeof *s->entries))) { free(s); return 0; }
  for (u64 i = 0; i < size; i += 512) ((volatile u64 *)s->entries)[i] = 0; /* memory is at hand before it is used */
  for (int x = 0; x < WIDTH; x++) {
    bottom |= (Bits)1 << x * TALL;
    board |= FILE_BITS(x);
    s->order[x] = WIDTH / 2 + (x % 2 ? -1 : 1) * ((x + 1) / 2); /* from the middle outwards */
  }
  return s;
}

EXPORT void solver_free(Solver *s) { free(s->entries); free(s); }

/* A board from one byte a square, rank by rank from the lowest: 0 empty, 1 the player to move, 2 the other. */
static Board board_of(const unsigned char *cells) {
  Board b = {0, 0, 0};
  for (int i = 0; i < SIZE; i++) {
    Bits one = (Bits)1 << (i % WIDTH * TALL + i / WIDTH);
    if (cells[i]) { b.all |= one; b.stones++; }
    if (cells[i] == 1) b.mine |= one;
  }
  return b;
}

/* The score of a board for the player to move, or the nearer bound where it is beyond them; what was spent
   is added to `nodes`. SPENT where `limit` nodes, or a stop, came first. */
EXPORT int solve(Solver *s, const unsigned char *cells, int least, int most, u64 limit, u64 *nodes) {
  Board b = board_of(cells);
  s->nodes = 0; s->limit = limit; s->spent = 0;
  int found = solved(s, &b, least, most);
  *nodes += s->nodes;
  return s->spent ? SPENT : found;
}

/* The files into which a stone may be put, a bit each. */
EXPORT u64 open_files(Solver *s, const unsigned char *cells) {
  Board b = board_of(cells);
  u64 open = 0;
  (void)s;
  for (int x = 0; x < WIDTH; x++) if (open_squares(&b) & FILE_BITS(x)) open |= 1ULL << x;
  return open;
}

/* Whether there is a line: 1 of the player to move, 2 of the other, 3 of both. */
EXPORT int lined(Solver *s, const unsigned char *cells) {
  Board b = board_of(cells);
  Bits other = b.mine ^ b.all;
  (void)s;
  return ((completing(b.mine) & b.mine) != 0) + 2 * ((completing(other) & other) != 0);
}

/* Scores of many boards, one after the other; how many of them are solved. */
EXPORT long solve_all(Solver *s, const unsigned char *cells, long n, signed char *scores, u64 *nodes) {
  for (long i = 0; i < n; i++) {
    scores[i] = (signed char)solve(s, cells + i * SIZE, -SIZE, SIZE, ~0ULL, nodes);
    if (s->spent) return i;
  }
  return n;
}
