// Metric interval temporal logic on a run: whether a formula holds at its beginning.
//
// The run is a list of positions, each with the truths of the atoms from its start to the start
// of the next; several can lie at one time. The set of points at which a formula holds is a list
// of spans, made from those of its parts. Ends of spans are closed: differences that have
// probability 0 are ignored.
#pragma once

#include "base/vec.h"
#include "model/statistical.h"

enum { MONITOR_MAX_ATOMS = 64 };

typedef struct MonitorPosition {
  double start;
  uint64_t truths; // of atoms, in the order of monitor_atoms
  bool is_step;    // begins with a step; else the truth of an atom changes within a delay
} MonitorPosition;

typedef struct Monitor {
  Mem *mem;
  VEC(MonitorPosition) positions;
  double end;
} Monitor;

// The atoms of a formula, from left to right; returns how many there are. Only the first
// MONITOR_MAX_ATOMS are written.
uint32_t monitor_atoms(const Mitl *, const Expr **atoms);
// What decides a formula: so much time, and if there are steps (of X) so many steps after that
// time, and the time once more.
double monitor_horizon(const Mitl *);
uint32_t monitor_steps(const Mitl *);

bool monitor_holds(Monitor *, const Mitl *);
