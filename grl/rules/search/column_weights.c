/* What columns weigh, as gains.py has it from products of matrices: see there. A column is a row of words,
   a bit a row of the table. A part is what a mask leaves of a word: so many bits there, times a weight, join
   one of the sums of each column. */

typedef unsigned long long u64;

#ifdef __TINYC__
static int word_count(u64 w) {
  w -= (w >> 1) & 0x5555555555555555ULL;
  w = (w & 0x3333333333333333ULL) + ((w >> 2) & 0x3333333333333333ULL);
  return (int)((((w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL) >> 56);
}
#else
#define word_count(w) __builtin_popcountll(w)
#endif

__attribute__((visibility("default"))) int column_weights(
    const u64 *columns, const int *word, const u64 *mask, const int *sum, const double *weight, double *sums,
    int count, int words, int parts, int many) {
  for (int i = 0; i < count; i++, columns += words, sums += many)
    for (int k = 0; k < parts; k++) sums[sum[k]] += weight[k] * word_count(columns[word[k]] & mask[k]);
  return 0;
}
