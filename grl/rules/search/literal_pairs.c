/* The pairs of weighted_conjunctions.py that may be among the best: see there. Literals are the columns
   of a table, then their negations. Good rows are bits in words, those of a word of one weight. */

/* Rows of `ones` are literals, or pairs of them; `both` is what these weigh of bad rows, not negated,
   with each kind of column, `alone` without it, `masses` what columns weigh. `single`, `singles` and `total` say
   the same of good rows. Of a literal with a number only those count that are not before it.
   `logarithms` has for each part of 1 the binary logarithm of its end. Returns how many are found: by the
   row, the other literal, what they weigh of bad and of good rows. */
__attribute__((visibility("default"))) int literal_pairs(
    const double *both, const double *alone, const double *single, const int *numbers,
    const unsigned char *negated, const u64 *ones, const double *masses, const double *singles,
    const float *cheap, const unsigned char *kept, const u64 *others, const double *weights,
    const double *logarithms, const int *kind, int *found, float *mass_of, float *count_of,
    int rows, int width, int kinds, int words, int parts,
    double ours, double theirs, double lightest, double before, double least, double least_gain) {
  int many = 0;
  for (int row = 0; row < rows; row++)
    for (int literal = 0; literal < 2 * width; literal++) {
      int column = literal < width ? literal : literal - width, pure, gains;
      const u64 *one = ones + (long)row * words, *other = others + (long)literal * words;
      double held = both[(long)row * kinds + kind[column]], fewest, count = 0;
      float mass;
      if (!kept[literal] || literal < numbers[row]) continue;
      if (!negated[row]) mass = literal < width ? held : alone[row] - held;
      else mass = literal < width ? masses[column] - held : held - alone[row] - masses[column] + ours;
      if (!(mass > 0)) continue;
      fewest = single[row] + singles[literal] - theirs;
      if (fewest < lightest) fewest = lightest;
      pure = fewest <= lightest && mass - (numbers[row] < 0 ? 0 : cheap[numbers[row]]) - (literal == numbers[row] ? 0 : cheap[literal]) > least;
      gains = -mass * before > least_gain &&
              mass * (logarithms[(int)(parts * (mass / (mass + fewest)))] - before) > least_gain;
      if (!pure && !gains) continue;
      if (gains) {
        for (int i = 0; i < words; i++) count += weights[i] * word_count(one[i] & other[i]);
      } else {
        int i = 0;
        while (i < words && !(one[i] & other[i])) i++;
        if (i < words) continue;
      }
      if (count == 0 ? !pure : !gains) continue;
      found[2 * many] = row; found[2 * many + 1] = literal;
      mass_of[many] = mass; count_of[many++] = count;
    }
  return many;
}
