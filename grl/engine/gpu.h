/* What a graphics processor runs, a thread for each game or position: the same functions that play
   on processor cores. After this text's definitions nothing is CUDA's own, so that another one can
   stand in for them. Defined before: STATE_BYTES, the size of a state where positions are packed. */

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define THREAD ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define ADD(to, more) atomicAdd(to, more)
#define LOWER(to, other) atomicMin(to, other)
#endif

typedef char state_has_one_size[sizeof(State) == STATE_BYTES ? 1 : -1];

KERNEL games(const State *from, u64 n, u64 seed, u64 begin, u64 most, signed char *goals, u64 *plies) {
  u64 i = THREAD, number = begin + i;
  Space p = {0, 0};
  int failed;
  if (i >= n) return;
  signed char *out = goals + i * PLAYERS;
  ADD(plies, playouts(&p, (State *)from, 0, seed, number, number + 1, (int)most, out, &failed));
}

KERNEL counts(const State *s, u64 n, int *number) {
  u64 i = THREAD;
  Space p = {0, 0};
  if (i < n) bulk_counts(&p, s + i, 1, number + i);
}

KERNEL play(const State *s, u64 n, const int *chosen, State *out, u64 *refused) {
  u64 i = THREAD;
  Space p = {0, 0};
  if (i < n && !bulk_play(&p, s + i, 1, chosen + i, out + i)) LOWER(refused, i);
}

KERNEL goals(const State *s, u64 n, signed char *out) {
  u64 i = THREAD;
  Space p = {0, 0};
  if (i < n) bulk_goals(&p, s + i, 1, out + i * PLAYERS);
}

/* What all turns lead to, each state's own from a place of its own on. */
KERNEL children(const State *s, u64 n, const u64 *at, State *out) {
  u64 i = THREAD;
  Space p = {0, 0};
  Case c;
  Origins x;
  int passes, ending;
  if (i >= n || !legal_sets(&p, &c, s + i, &x, &passes, &ending)) return;
  out += at[i];
  for (int k = 0; k < WORDS_USED(&x); k++)
    SET_EACH(o, x.of[USED(&x, k)]) play_word(s + i, USED(&x, k), o, out++);
  if (passes) play_pass(s + i, out);
}

/* The turns after all turns. */
KERNEL grandchildren(const State *s, u64 n, u64 *total) {
  u64 i = THREAD, sum = 0;
  Space p = {0, 0};
  Case c;
  Origins x;
  State next;
  int passes, ending, count;
  if (i >= n || !legal_sets(&p, &c, s + i, &x, &passes, &ending)) return;
  for (int k = 0; k < WORDS_USED(&x); k++)
    SET_EACH(o, x.of[USED(&x, k)]) {
      play_word(s + i, USED(&x, k), o, &next);
      bulk_counts(&p, &next, 1, &count);
      sum += (u64)count;
    }
  if (passes) {
    play_pass(s + i, &next);
    bulk_counts(&p, &next, 1, &count);
    sum += (u64)count;
  }
  ADD(total, sum);
}
