// The least and the greatest value of an integer expression or a clock in the states that a
// search over zones of global time (semantics/zone/zones.h) reaches, and that satisfy a
// condition.
//
// For a clock, the search has to distinguish values up to `limit`, so its goal compares the clock
// with the limit in both directions. Then the bounds of zones on the clock are exact up to the
// limit.
#pragma once

#include "dbm/dbm.h"
#include "model/joint.h"
#include "model/query.h"
#include "search/space/space.h"

typedef struct Extremes {
  Mem *mem;
  const Net *net;
  Arena arena;
  Vm vm;
  Joint joint;
  const Goal *condition;
  const Expr *value; // an integer, or a clock
  ClockIndex clock;  // 0: an integer
  ClockTests tests;
  Bound *zone;
  bool has_failed;    // the expression has no value in some such state
  bool found;         // some state satisfies the condition
  bool is_endless;    // in some such state time can pass for ever while it does
  uint32_t clause;    // of the condition, by which it can where extremes_seek_end says yes
  int64_t least, max; // of an integer
  Bound low, high;    // of a clock: -x within low, x within high
} Extremes;

// The space's is_goal collects values from now on, and never says yes.
void extremes_attach(Extremes *, Mem *, Space *, const Net *, const Goal *condition,
                     const Expr *value, ClockIndex clock);
// The space's is_goal says yes where time can pass for ever while the condition holds.
void extremes_seek_end(Extremes *, Space *);
void extremes_release(Extremes *);
