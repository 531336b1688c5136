// Makes actions of local time: what a transition with given guards, updates and invariants does
// to offset matrices (dbm/offset.h), by the rules of doc/notes/local-time.md.
//
// The variables of a matrix are, in this order: the offsets of the clocks (clock x is variable
// x - 1); the times of the last write of those resources that have one of their own; the local
// times of the processes; the local times of the resources.
#pragma once

#include "analysis/resources.h"
#include "dbm/offset.h"
#include "model/expr/code.h"
#include "semantics/zone/transition.h"

// Who and what a transition involves.
typedef struct LocalUse {
  // The processes whose time is the instant of the action; NULL: the first ones.
  const ProcessId *domain;
  uint32_t domain_count;
  ResourceList reads, writes;
} LocalUse;

// The maker of actions, with the action being made.
typedef struct LocalActions {
  Mem *mem;
  const Resources *resources;
  const OffsetShape *all; // the columns of all variables
  VEC(OffsetLink) in, out;
  VEC(Constraint) between;
  uint32_t *origin;
  int32_t *becomes, *shift;
  VEC(uint32_t) kept;
  const OffsetShape *from; // the shape before it
  bool is_possible, is_copied, is_shifted;
} LocalActions;

void localaction_init(LocalActions *, Mem *, Arena *, const Resources *, const OffsetShape *all);
// Makes an action, part by part: for matrices of a shape, with the ceilings there; clock tests of
// the guards; clock updates, and the shape after them; tests of the target's invariants, for the
// domain only. False at the end if a constant contradicts an invariant. The arrays of an action
// are valid until the next one begins.
void localaction_begin(LocalActions *, const OffsetShape *from, const LocalUse *,
                       const Constraint *ceilings, uint32_t count);
void localaction_guard(LocalActions *, const ClockTest *, uint32_t count);
void localaction_update(LocalActions *, const OffsetShape *to, const ClockUpdate *,
                        uint32_t count);
void localaction_invariant(LocalActions *, const ClockTest *, uint32_t count);
bool localaction_end(const LocalActions *, OffsetAction *);

// The variables of a process's time and of a resource's.
static inline uint32_t localaction_time(const OffsetShape *all, ProcessId p) {
  return all->first_time + p;
}
static inline uint32_t localaction_known(const OffsetShape *all, ResourceId r) {
  return all->first_time + all->times + r;
}
