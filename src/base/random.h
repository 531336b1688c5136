// Random numbers: xoshiro256**, seeded with splitmix64. Same seed, same sequence, on
// every machine.
#pragma once

#include <stdint.h>

typedef struct Random {
  uint64_t state[4];
} Random;

void random_seed(Random *, uint64_t seed);
uint64_t random_next(Random *);
// Uniform in 0..n-1; n must not be 0.
uint32_t random_below(Random *, uint32_t n);
// Uniform in low..high, both included.
int random_between(Random *, int low, int high);
void random_mix(Random *, uint32_t *items, uint32_t count); // all orders are equally likely
