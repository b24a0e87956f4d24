/* What terms look at. KEYS (how many kinds of pieces there are) and MEMOS (how many values of terms
   are kept, of those that don't depend on the turn) are defined before this text. */

#define ROLES 9
#define NONE (-1)

typedef struct State State;
typedef struct Space Space; /* the memory of one thread, handed on to whoever generates turns */

typedef struct { /* a board with who looks at it, and what is known of the game before */
  const Set *pieces; /* by kind of piece, in the order of keys */
  Set empty;
  int me; /* the seat of the player who looks, in the order of players */
  Set moved;
  const State *state; /* the position in which terms ask for turns of players, */
  Space *space;       /* and what they are found with */
  const i16 *last; /* at 2 * (back - 1) where the turn so many plies ago began, then where it ended; at
                      2 * (BACK + seat) the same of a player's last one */
  u64 known[MEMOS / 64 + 1];
  Set memo[MEMOS + 1];
} Ground;

typedef struct { /* the squares of a turn; NONE where there is none */
  i16 start[ROLES], end[ROLES]; /* by segment */
  i16 drop, taken, captured;
  Set path, crossed; /* what the first segment steps on, and more than once; empty where it flies */
  Set takes; /* where it removes pieces */
} Squares;

/* The first segment steps on a square. */
INLINE void passes(Squares *q, int s) {
  q->crossed = set_or(q->crossed, set_and(q->path, set_of(s)));
  q->path = set_with(q->path, s);
}

typedef struct { Set way[8]; } Ways; /* a set for each direction, numbered as in grl.logic.grid */

static UNUSED int ways_count(Ways a) {
  int n = 0;
  for (int d = 0; d < 8; d++) n += set_count(a.way[d]);
  return n;
}
