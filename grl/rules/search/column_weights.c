/* What columns weigh, as gains.py has it from products of matrices: see there. A column is a row of words,
   a bit a row of the table. A part is what a mask leaves of a word: so many bits there, times a weight, join
   one of the sums of each column. */

__attribute__((visibility("default"))) int column_weights(
    const u64 *columns, const int *word, const u64 *mask, const int *sum, const double *weight, double *sums,
    int count, int words, int parts, int many) {
  for (int i = 0; i < count; i++, columns += words, sums += many)
    for (int k = 0; k < parts; k++) sums[sum[k]] += weight[k] * word_count(columns[word[k]] & mask[k]);
  return 0;
}
