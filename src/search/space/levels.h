// Levels: clock bounds of single nodes, as vectors over the active clocks; and *ways*, which map
// the clocks of a target back to its source. Many nodes share them. Each vector and each way is
// stored once and has a number, so a node needs four bytes for its bounds.
#pragma once

#include "base/intern.h"

typedef uint32_t LevelsRef; // 0: no clock has a bound
typedef uint32_t WayRef;    // 0: none

struct PackedBounds; // dbm/stored/packed.h: a vector as covering tests use it

enum { LEVELS_MEMO = 1 << 13 };

// A result computed before.
typedef struct LevelsMemo {
  uint32_t a, b; // both 0: none
  LevelsRef result;
} LevelsMemo;

typedef struct LevelTable {
  Arena arena;
  Intern vectors, ways;      // their strings; under vectors, their PackedBounds
  int32_t *scratch;          // two rows over the most active clocks
  LevelsMemo *joins, *backs; // LEVELS_MEMO each, by hash
} LevelTable;

// For up to n active clocks.
void levels_init(LevelTable *, Mem *, uint32_t n);

// The number of a vector. Negative bounds count as none: clocks are not negative.
LevelsRef levels_find(LevelTable *, uint32_t k, const int32_t *lower, const int32_t *upper);
// The larger of both, clock by clock.
LevelsRef levels_join(LevelTable *, LevelsRef, LevelsRef);
// What bounds of the target mean for the source: x := y + c takes the bounds of x, less c, to y.
LevelsRef levels_back(LevelTable *, LevelsRef, WayRef);
// Clock i of the target, 0 < i < k, is clock origin[i] of the source plus offset[i] (NULL: all
// 0); origin 0 means a constant. The source has source_k clocks.
WayRef levels_way(LevelTable *, uint32_t k, uint32_t source_k, const uint32_t *origin,
                  const int32_t *offset);

// The number of bounds that have `lower` and `upper`.
LevelsRef levels_find_bounds(LevelTable *, uint32_t k, const struct PackedBounds *);
// A vector that is not 0, as `lower` and `upper`, whose entry 0 is 0; and how many entries.
const struct PackedBounds *levels_bounds(const LevelTable *, LevelsRef);
