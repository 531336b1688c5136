#include "search/workers/shares.h"

#include <string.h>

uint32_t shares_odd(uint32_t workers) {
  while (workers % 2 == 0)
    workers /= 2;
  return workers;
}

void shares_init(Shares *shares, Arena *arena, uint32_t workers) {
  *shares = (Shares){.workers = workers,
                     .odd = shares_odd(workers),
                     .of = ARENA_ARRAY(arena, double, workers),
                     .next = ARENA_ARRAY(arena, double, workers)};
  shares->of[0] = 1;
}

// The probability that two states have the same worker is the least if shares are equal. With one
// more term it grows with what the old shares and those moved by its column have in common.
uint32_t shares_choose(const Shares *shares) {
  uint32_t best = 1;
  double least = 2;
  for (uint32_t column = 1; column < shares->workers; column++) {
    double common = 0;
    for (uint32_t i = 0; i < shares->workers; i++)
      common += shares->of[i] * shares->of[shares_sum(shares->odd, i, column)];
    if (common < least - 1e-9) {
      least = common;
      best = column;
    }
  }
  return best;
}

void shares_add(Shares *shares, double probability, uint32_t column) {
  for (uint32_t i = 0; i < shares->workers; i++)
    shares->next[i] = (1 - probability) * shares->of[i];
  for (uint32_t i = 0; i < shares->workers; i++)
    shares->next[shares_sum(shares->odd, i, column)] += probability * shares->of[i];
  memcpy(shares->of, shares->next, shares->workers * sizeof *shares->of);
}

double shares_largest(const Shares *shares) {
  double largest = 0;
  for (uint32_t i = 0; i < shares->workers; i++)
    largest = shares->of[i] > largest ? shares->of[i] : largest;
  return largest * shares->workers;
}
