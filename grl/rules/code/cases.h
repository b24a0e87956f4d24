/* What features look at: positions, turns with what they leave, and the turns of a position.

   Defined before this text: KEYS, PLAYERS; HANDS 1 where pieces are held in hand; BACK, of how many
   turns it is known where they began and ended; OWN 1 where that is known of each player's last one;
   LASTS, 2 for each of all these; EVENTS, of how many events the plies since then are
   counted; MOVED and TRAIL, 1 where rules ask which pieces have moved and for positions before;
   SEGMENTS, the most that a turn may have; MIXED, 1 where turns are found beside a list; MIDWAY, 1
   where rules ask what turns leave that break off. */

typedef struct Frame Frame; /* a list with what it rests on */
struct State {
  Set pieces[KEYS];
#if HANDS
  i16 hand[PLAYERS][KEYS]; /* NONE for pieces that a reserve does not list */
#endif
#if MOVED
  Set moved;
#endif
#if LASTS
  i16 last[LASTS]; /* where the last turns began and ended; NONE for a pass, and where none is known */
#endif
#if EVENTS
  u16 since[EVENTS]; /* plies since each event; of the whole game where there was none */
#endif
#if TRAIL
  const State *up; /* the position before */
#endif
  u16 passes; /* so many turns before this position were passes */
  u8 to_move; /* a seat in the order of players */
  u8 last_only; /* 1 where of the game before nothing but the last turn is known: that is forgotten */
                /* with the next turn */
};

typedef struct { /* a position, or what a turn leaves, as features see it */
  const State *state;
  const State *before; /* of what a turn leaves the position in which it is played; else 0 */
  Space *space;
  Ground ground;       /* nothing has moved, and no last turn is known, where `before` is given */
  u8 stuck[PLAYERS];   /* by places after the player to move: 0 not asked yet, 1 has turns, 2 has none */
} Case;

/* Codes of turns beside the numbers of letters: a segment begins on a square, a flight goes to one. */
#define ORIGIN 0x4000
#define TARGET 0x8000

enum { IS_E = 1, IS_W = 2, IS_P = 4, IS_N = 8, IS_D = 16, IS_A = 32, IS_R = 64, IS_FLY = 128 };

typedef struct {
  State after; /* what it leaves, the next player in turn order to move */
  Squares squares;
  u16 segments;  /* none: a pass */
  i16 target;    /* where the first segment ends */
  u16 steps;     /* steps and flights of all segments */
  u8 letters;    /* the kinds of its letters, IS_...; a flight is IS_FLY and what it lands on */
  u8 opens;      /* the kind of its first letter: a flight is IS_FLY alone; 0 for a pass */
  u64 appears, keeps; /* bits by kind of piece: what letters a and r name */
  u32 code, length; /* its letters as numbers, from code on, in the list's codes: for each segment its
                       origin, and the letters, a flight with the square it goes to */
  u32 first, chosen; /* so many of them belong to the first segment, and to what no effect adds */
} Turn;

#if MIDWAY
typedef struct { /* a turn on its way through its first segment */
  State now;     /* what lies there without what the hand holds */
  Turn turn;     /* the turn that breaks off there, as far as the game before is carried on by it */
  Case left;     /* what it leaves, the next player looking */
  u32 at, end;   /* of its codes those that are to come */
  int held, done; /* a piece, or NONE; whether anything was changed */
  int was, stepped; /* whether what is held had moved before, and whether it has stepped now */
  i16 square;    /* of the hand */
} Midway;
#endif

typedef struct { /* the turns of a position; all that is by turn has room for one more */
  Space *space;
  Case before; /* its ground is that of the player to move */
  int size;
  Turn *turns;
  u8 *alive; /* by turn: whether the rules so far leave it */
  const u16 *codes;
  u8 *scratch; /* SCRATCH bytes a turn */
  /* What rules keep while they are asked; who fills a list leaves it alone. */
  int left_of, after_of; /* the turns of which the next two are kept; NONE for none */
  Case left;             /* what a turn leaves, the next player looking */
  Ground after;          /* the board it leaves, the player looking who played it */
  int grouped;           /* by what turns are grouped: 0 nothing, 1 first segments, 2 all letters */
#if LASTS
  i16 past[LASTS];
#endif
#if MIDWAY
  Midway midway;
#endif
#if MIXED
  int beside;                /* whether there are turns beside these, and what they have at most: */
  int highest[ANYWHERE + 1]; /* by relation to rivals from any square */
#endif
} List;
