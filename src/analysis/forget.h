// Dead variables: resets them to reduce the number of states. A variable that only one process
// uses is dead in a location of the process if every path from there writes it before reading it.
// Then its value does not matter: states that differ only in it have the same future. A net that
// resets it to its initial value when the process enters such a location has fewer states, and
// reaches the same locations and the same values of all other variables. Its infinite runs are
// those of the net, but for the values of dead variables.
#pragma once

#include "model/query.h"

typedef struct ForgetList { // slots
  const uint32_t *items;
  uint32_t count;
} ForgetList;

// For each location of the finished net, the slots that are dead there; of variables that the
// query does not read. NULL if there are none.
const ForgetList *forget_find(const Net *, Arena *, const Query *);

// Before a copy of the net is finished: updates set dead variables back.
void forget_apply(Net *, const ForgetList *);
