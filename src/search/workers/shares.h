// Shares: how evenly a code spreads states over workers. The number of workers is a power of two
// times an odd number; a worker is a pair: some bits, and a remainder modulo the odd number. A
// state has terms, each 0 or 1. Each term has a column, which is such a pair, too. The worker of
// the state is the sum of the columns of its terms that are 1: exclusive or for the bits, modulo
// the odd number for the remainders. This module computes how many states each worker has if the
// terms are independent.
//
// With two workers this is a parity. With a power of two it is a linear code: a combination of
// bits is the parity of the terms in whose columns it has an odd number of bits. If they are 1
// with probability (1 - b) / 2 each, it is 1 with probability (1 - the product of these b) / 2.
// So the more terms each combination has, the more equal the shares; the least number of terms is
// the distance of the code. Modulo an odd number, the same holds with complex numbers in place of
// b.
#pragma once

#include "base/arena.h"

typedef struct Shares {
  uint32_t workers, odd;
  double *of; // by worker
  double *next;
} Shares;

void shares_init(Shares *, Arena *, uint32_t workers); // without terms: all is the first one's
// The column, not 0, with which one more term spreads best.
uint32_t shares_choose(const Shares *);
void shares_add(Shares *, double probability, uint32_t column);
// The share of the worker that has most, relative to the mean.
double shares_largest(const Shares *);

uint32_t shares_odd(uint32_t workers); // the odd factor

// The sum of two workers or columns.
static inline uint32_t shares_sum(uint32_t odd, uint32_t a, uint32_t b) {
  return odd == 1 ? a ^ b : (a / odd ^ b / odd) * odd + (a % odd + b % odd) % odd;
}
