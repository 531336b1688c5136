#include "search/workers/spread.h"

#include <string.h>

uint32_t spread_odd(uint32_t workers) {
  while (workers % 2 == 0)
    workers /= 2;
  return workers;
}

void spread_init(Spread *spread, Arena *arena, uint32_t workers) {
  *spread = (Spread){.workers = workers,
                     .odd = spread_odd(workers),
                     .shares = ARENA_ARRAY(arena, double, workers),
                     .next = ARENA_ARRAY(arena, double, workers)};
  spread->shares[0] = 1;
}

// The probability that two states have the same worker is the least if shares are equal. With one
// more term it grows with what the old shares and those moved by its column have in common.
uint32_t spread_choose(const Spread *spread) {
  uint32_t best = 1;
  double least = 2;
  for (uint32_t column = 1; column < spread->workers; column++) {
    double common = 0;
    for (uint32_t i = 0; i < spread->workers; i++)
      common += spread->shares[i] * spread->shares[spread_sum(spread->odd, i, column)];
    if (common < least - 1e-9) {
      least = common;
      best = column;
    }
  }
  return best;
}

void spread_add(Spread *spread, double probability, uint32_t column) {
  for (uint32_t i = 0; i < spread->workers; i++)
    spread->next[i] = (1 - probability) * spread->shares[i];
  for (uint32_t i = 0; i < spread->workers; i++)
    spread->next[spread_sum(spread->odd, i, column)] += probability * spread->shares[i];
  memcpy(spread->shares, spread->next, spread->workers * sizeof *spread->shares);
}

double spread_largest(const Spread *spread) {
  double largest = 0;
  for (uint32_t i = 0; i < spread->workers; i++)
    largest = spread->shares[i] > largest ? spread->shares[i] : largest;
  return largest * spread->workers;
}
