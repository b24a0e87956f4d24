/* What columns weigh together, as weighted_conjunctions.py has it from products of matrices: see there.
   A column is a row of words, a bit a row of the table; `ends` says where the words of each weight end. */

enum { NEAR = 32 };

__attribute__((visibility("default"))) int pair_weights(
    const u64 *ones, const u64 *others, const int *ends, const double *weights, double *sums,
    int rows, int columns, int words, int many) {
  for (int begin = 0; begin < columns; begin += NEAR)
    for (int row = 0; row < rows; row++)
      for (int column = begin; column < columns && column < begin + NEAR; column++) {
        const u64 *one = ones + (long)row * words, *other = others + (long)column * words;
        double sum = 0;
        for (int kind = 0, word = 0; kind < many; kind++) {
          int count = 0;
          for (; word < ends[kind]; word++) count += word_count(one[word] & other[word]);
          sum += weights[kind] * count;
        }
        sums[(long)row * columns + column] = sum;
      }
  return 0;
}
