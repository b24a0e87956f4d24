/* Sets of squares: bit s of a set stands for square s. SQUARES is defined before this text.

   A set of at most 64 squares is one word, of at most 128 the compiler's integer of that size
   where it has one, and a row of words beyond. Whoever uses sets goes through these functions. */

void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);

typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;
typedef short i16;

#define WORDS ((SQUARES + 63) / 64)
#define INLINE static inline __attribute__((always_inline, unused))
#define UNUSED __attribute__((unused))

/* Before loops of a few rounds, which are written out. */
#ifdef __TINYC__
#define SHORT
#elif defined(__CUDACC__)
#define SHORT _Pragma("unroll")
#else
#define SHORT _Pragma("GCC unroll 16")
#endif

#ifdef __TINYC__
INLINE int word_count(u64 w) {
  w -= (w >> 1) & 0x5555555555555555ULL;
  w = (w & 0x3333333333333333ULL) + ((w >> 2) & 0x3333333333333333ULL);
  return (int)((((w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL) >> 56);
}
INLINE int word_first(u64 w) { return word_count((w & -w) - 1); }
INLINE int word_last(u64 w) {
  for (int by = 1; by < 64; by *= 2) w |= w >> by;
  return word_count(w) - 1;
}
#elif defined(__CUDACC__)
#define word_count(w) __popcll(w)
#define word_first(w) (__ffsll((long long)(w)) - 1)
#define word_last(w) (63 - __clzll((long long)(w)))
#else
#define word_count(w) __builtin_popcountll(w)
#define word_first(w) __builtin_ctzll(w)
#define word_last(w) (63 - __builtin_clzll(w))
#endif

#if SQUARES <= 64

typedef u64 Set;
#define SET(...) SET_(__VA_ARGS__)
#define SET_(w0) (w0)
#define NO_SQUARE 0ULL
INLINE Set set_and(Set a, Set b) { return a & b; }
INLINE Set set_or(Set a, Set b) { return a | b; }
INLINE Set set_less(Set a, Set b) { return a & ~b; }
INLINE int set_any(Set a) { return a != 0; }
INLINE int set_same(Set a, Set b) { return a == b; }
INLINE Set set_of(int s) { return 1ULL << s; }
INLINE int set_has(Set a, int s) { return (int)(a >> s & 1); }
INLINE int set_count(Set a) { return word_count(a); }
INLINE int set_first(Set a) { return word_first(a); }
INLINE int set_last(Set a) { return word_last(a); }
INLINE Set set_rest(Set a) { return a & (a - 1); }
INLINE Set set_up(Set a, int by) { return a << by; }
INLINE Set set_down(Set a, int by) { return a >> by; }
INLINE u64 set_word(Set a, int i) { (void)i; return a; }

#elif SQUARES <= 128 && defined(__SIZEOF_INT128__)

typedef unsigned __int128 Set;
#define SET(w0, w1) ((Set)(w1) << 64 | (w0))
#define NO_SQUARE ((Set)0)
INLINE Set set_and(Set a, Set b) { return a & b; }
INLINE Set set_or(Set a, Set b) { return a | b; }
INLINE Set set_less(Set a, Set b) { return a & ~b; }
INLINE int set_any(Set a) { return a != 0; }
INLINE int set_same(Set a, Set b) { return a == b; }
INLINE Set set_of(int s) { return (Set)1 << s; }
INLINE int set_has(Set a, int s) { return (int)(a >> s & 1); }
INLINE int set_count(Set a) { return word_count((u64)a) + word_count((u64)(a >> 64)); }
INLINE int set_first(Set a) { return (u64)a ? word_first((u64)a) : 64 + word_first((u64)(a >> 64)); }
INLINE int set_last(Set a) { return (u64)(a >> 64) ? 64 + word_last((u64)(a >> 64)) : word_last((u64)a); }
INLINE Set set_rest(Set a) { return a & (a - 1); }
INLINE Set set_up(Set a, int by) { return a << by; }
INLINE Set set_down(Set a, int by) { return a >> by; }
INLINE u64 set_word(Set a, int i) { return i ? (u64)(a >> 64) : (u64)a; }

#else

typedef struct { u64 w[WORDS]; } Set;
#define SET(...) {{__VA_ARGS__}}
#ifdef __cplusplus
#define NO_SQUARE (Set{{0}})
#else
#define NO_SQUARE ((Set){{0}})
#endif
INLINE Set set_and(Set a, Set b) { for (int i = 0; i < WORDS; i++) a.w[i] &= b.w[i]; return a; }
INLINE Set set_or(Set a, Set b) { for (int i = 0; i < WORDS; i++) a.w[i] |= b.w[i]; return a; }
INLINE Set set_less(Set a, Set b) { for (int i = 0; i < WORDS; i++) a.w[i] &= ~b.w[i]; return a; }
INLINE int set_any(Set a) { u64 w = 0; for (int i = 0; i < WORDS; i++) w |= a.w[i]; return w != 0; }
INLINE int set_same(Set a, Set b) {
  u64 w = 0;
  for (int i = 0; i < WORDS; i++) w |= a.w[i] ^ b.w[i];
  return w == 0;
}
INLINE Set set_of(int s) { Set a = NO_SQUARE; a.w[s >> 6] = 1ULL << (s & 63); return a; }
INLINE int set_has(Set a, int s) { return (int)(a.w[s >> 6] >> (s & 63) & 1); }
INLINE int set_count(Set a) { int n = 0; for (int i = 0; i < WORDS; i++) n += word_count(a.w[i]); return n; }
INLINE int set_first(Set a) { int i = 0; while (!a.w[i]) i++; return 64 * i + word_first(a.w[i]); }
INLINE int set_last(Set a) { int i = WORDS - 1; while (!a.w[i]) i--; return 64 * i + word_last(a.w[i]); }
INLINE Set set_rest(Set a) { int i = 0; while (!a.w[i]) i++; a.w[i] &= a.w[i] - 1; return a; }
INLINE Set set_up(Set a, int by) {
  Set r = NO_SQUARE;
  int words = by >> 6, bits = by & 63;
  for (int i = WORDS - 1; i >= words; i--) {
    r.w[i] = a.w[i - words] << bits;
    if (bits && i > words) r.w[i] |= a.w[i - words - 1] >> (64 - bits);
  }
  return r;
}
INLINE Set set_down(Set a, int by) {
  Set r = NO_SQUARE;
  int words = by >> 6, bits = by & 63;
  for (int i = 0; i + words < WORDS; i++) {
    r.w[i] = a.w[i + words] >> bits;
    if (bits && i + words + 1 < WORDS) r.w[i] |= a.w[i + words + 1] << (64 - bits);
  }
  return r;
}
INLINE u64 set_word(Set a, int i) { return a.w[i]; }

#endif

INLINE Set set_with(Set a, int s) { return set_or(a, set_of(s)); }
INLINE Set set_without(Set a, int s) { return set_less(a, set_of(s)); }

/* The squares from which one so far away lies in a set. */
INLINE Set set_by(Set a, int by) { return by < 0 ? set_up(a, -by) : set_down(a, by); }

#if DEVICE
INLINE int word_nth(u64 w, int n) {
  int at = 0;
  for (int half = 32; half; half >>= 1) {
    int low = word_count(w >> at & ((1ULL << half) - 1));
    if (n >= low) { n -= low; at += half; }
  }
  return at;
}
#endif

/* The square of a set with so many lower ones in it. */
INLINE int set_nth(Set a, int n) {
#if DEVICE
  int i = 0;
  for (; n >= word_count(set_word(a, i)); i++) n -= word_count(set_word(a, i));
  return 64 * i + word_nth(set_word(a, i), n);
#elif defined(__BMI2__) && SQUARES <= 64
  return word_first(__builtin_ia32_pdep_di(1ULL << n, a));
#else
  while (n--) a = set_rest(a);
  return set_first(a);
#endif
}

/* For every square s of `set`, lowest first; SET_EACH(s, set) { ... } */
#define SET_EACH(s, set) \
  for (Set rest_##s = (set), once_##s = rest_##s; set_any(rest_##s); rest_##s = set_rest(rest_##s)) \
    for (int s = set_first(rest_##s), go_##s = 1; go_##s; go_##s = 0, (void)once_##s)
