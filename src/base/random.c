#include "base/random.h"

#include <assert.h>

static uint64_t splitmix(uint64_t *x) {
  uint64_t z = (*x += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

void random_seed(Random *random, uint64_t seed) {
  for (int i = 0; i < 4; i++)
    random->state[i] = splitmix(&seed);
}

uint64_t random_next(Random *random) {
  uint64_t *s = random->state;
  const uint64_t result = rotate(s[1] * 5, 7) * 9;
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

uint32_t random_below(Random *random, uint32_t n) {
  assert(n);
  return (uint32_t)(((random_next(random) >> 32) * n) >> 32);
}

int random_between(Random *random, int low, int high) {
  assert(low <= high);
  const uint64_t count = (uint64_t)((int64_t)high - low) + 1; // may need 33 bits
  return (int)(low + (int64_t)(((random_next(random) >> 32) * count) >> 32));
}

void random_mix(Random *random, uint32_t *items, uint32_t count) {
  for (uint32_t i = count; i > 1; i--) {
    const uint32_t j = random_below(random, i);
    const uint32_t swapped = items[i - 1];
    items[i - 1] = items[j];
    items[j] = swapped;
  }
}
