#include "model/initial.h"

#include "model/state.h"

#include <string.h>

typedef struct Start {
  const Net *net;
  Vm vm;
  ClockTests tests;
  int32_t *state;
  bool has_failed; // an invariant could not be evaluated
} Start;

static int64_t clock_value(const Net *net, ClockIndex x) {
  return x && net->clock_initial ? net->clock_initial[x] : 0;
}

static bool holds(Start *start, const Guard *invariant) {
  const Net *net = start->net;
  vec_clear(&start->tests);
  const VmResult result = vm_guard(&start->vm, invariant, start->state, &start->tests);
  start->has_failed |= result == VM_ERROR;
  if (result != VM_TRUE)
    return false;
  for (uint32_t i = 0; i < start->tests.size; i++) {
    const ClockTest *test = &start->tests.items[i];
    const int64_t left = clock_value(net, test->i) - clock_value(net, test->j);
    if (test->strict ? left >= test->constant : left > test->constant)
      return false;
  }
  return true;
}

// An initial location of the process whose invariant does not hold, if none has one that does.
// The invariant may ask for locations of other processes: of those, the first initial ones are
// taken.
static const Location *find(Start *start, ProcessId p) {
  const Net *net = start->net;
  const Process *process = &net->processes.items[p];
  const uint32_t slot = net->location_slot + p;
  const int32_t old = start->state[slot];
  const Location *blocked = NULL;
  for (uint32_t l = 0; l < process->location_count; l++) {
    const Location *location = &net->locations.items[process->first_location + l];
    if (!location->initial)
      continue;
    start->state[slot] = (int32_t)l;
    const bool is_fine = holds(start, &location->invariant);
    start->state[slot] = old;
    if (is_fine)
      return NULL;
    blocked = blocked ? blocked : location;
  }
  return blocked;
}

static void begin(Start *start, Mem *mem, const Net *net) {
  *start = (Start){.net = net};
  net_vm(net, &start->vm, mem);
  start->state = mem_alloc(mem, net->slots.count * sizeof *start->state);
  memcpy(start->state, net->slots.initial, net->slots.count * sizeof *start->state);
}

const Location *initial_obstacle(Mem *owner, const Net *net) {
  Mem *mem = mem_part(owner);
  Start start;
  const Location *blocked = NULL;
  begin(&start, mem, net);
  for (ProcessId p = 0; p < net->processes.size && !blocked; p++)
    blocked = find(&start, p);
  mem_release_part(mem);
  return blocked;
}

static bool all_hold(Start *start) {
  const Net *net = start->net;
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (!holds(start, &net_location(net, p, start->state[net->location_slot + p])->invariant))
      return false;
  return true;
}

bool initial_exists(Mem *owner, const Net *net) {
  Mem *mem = mem_part(owner);
  Start start;
  begin(&start, mem, net);
  bool exists = false;
  for (uint32_t i = 0; !exists && !start.has_failed && state_initial(net, start.state, i); i++) {
    mem_tick(mem);
    exists = all_hold(&start);
  }
  exists |= start.has_failed;
  mem_release_part(mem);
  return exists;
}

const Process *initial_lacking(const Net *net) {
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    bool has_initial = false;
    for (uint32_t l = 0; l < process->location_count; l++)
      has_initial |= net->locations.items[process->first_location + l].initial;
    if (!has_initial)
      return process;
  }
  return NULL;
}
