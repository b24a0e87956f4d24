/* Words of 64 bits, for the searches that are functions in C: how many bits are set, and which is the lowest.
   Some of the functions use none of it. */

typedef unsigned long long u64;

#ifdef __TINYC__
static int word_count(u64 w) {
  w -= (w >> 1) & 0x5555555555555555ULL;
  w = (w & 0x3333333333333333ULL) + ((w >> 2) & 0x3333333333333333ULL);
  return (int)((((w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL) >> 56);
}
static int word_first(u64 w) { return word_count((w & -w) - 1); }
#else
#define word_count(w) __builtin_popcountll(w)
#define word_first(w) __builtin_ctzll(w)
#endif

