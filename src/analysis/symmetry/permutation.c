#include "analysis/symmetry/permutation.h"

EventId permutation_event(const Permutation *perm, ProcessId process, EventId event) {
  uint32_t low = 0, high = perm->event_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const EventPair *pair = &perm->events[middle];
    if (pair->process < process || (pair->process == process && pair->from < event))
      low = middle + 1;
    else
      high = middle;
  }
  if (low < perm->event_count && perm->events[low].process == process &&
      perm->events[low].from == event)
    return perm->events[low].to;
  return event;
}

void permutation_apply(const Permutation *perm, int32_t *to, const int32_t *from) {
  const Net *net = perm->net;
  for (uint32_t s = 0; s < net->location_slot; s++)
    to[perm->slot[s]] = permutation_value(perm, perm->sort[s], from[s]);
  for (uint32_t s = net->location_slot; s < net->slots.count; s++)
    to[perm->slot[s]] = from[s];
}

bool permutation_keeps_initial(const Permutation *perm) {
  const Net *net = perm->net;
  for (uint32_t s = 0; s < net->location_slot; s++)
    if (net->slots.initial[perm->slot[s]] !=
        permutation_value(perm, perm->sort[s], net->slots.initial[s]))
      return false;
  for (ClockIndex x = 1; net->clock_initial && x <= net->clock_count; x++)
    if (net->clock_initial[perm->clock[x]] != net->clock_initial[x])
      return false;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    for (uint32_t l = 0; l < process->location_count; l++)
      if (net_location(net, p, (int32_t)l)->initial !=
          net_location(net, perm->process[p], (int32_t)l)->initial)
        return false;
  }
  return true;
}
