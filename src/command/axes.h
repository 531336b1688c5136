// Constants to vary and their values: N=2..10, T=5,10,20, B=false,true, K=0..100..25.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { AXES_MAX = 8, AXES_MAX_CELLS = 1000000 };

typedef struct Axis {
  char *name;
  char **values; // as they are given to --define
  size_t count;
} Axis;

typedef struct Axes {
  Axis items[AXES_MAX];
  size_t count;
} Axes;

// Adds the constant of NAME=VALUES. Returns NULL, or what is wrong with it.
const char *axes_add(Axes *, const char *text);
void axes_release(Axes *);

// Cells are the combinations of values, numbered; the last constant changes first.
size_t axes_cells(const Axes *); // 0: more than AXES_MAX_CELLS
const char *axes_value(const Axes *, size_t cell, size_t axis);
