// Resources: what the actions of a network have in common besides their processes, for
// local time (doc/notes/local-time.md).
//
// A *resource* is a variable or a clock that actions of different processes access and that some
// of them write. It has its own time, up to which its present value is known to stay. Variables
// that the same edges access in the same way are one resource. If one process takes part in all
// actions that access a variable or clock, this is private to the process and needs no resource.
// Neither does a variable that is never written.
#pragma once

#include "model/net.h"

typedef uint32_t ResourceId;
#define RESOURCE_NONE UINT32_MAX

typedef struct Resource {
  bool is_read; // by somebody who does not write it: the time of the last write matters
  bool is_own;  // that time is a variable of its own, `written`-th of them
  uint32_t written;
  ClockIndex clock; // a shared clock, else 0; if not is_own, its offset is the time of writing
} Resource;

typedef struct ResourceList {
  const ResourceId *items;
  uint32_t size;
} ResourceList;

typedef struct Resources {
  Resource *items;
  uint32_t count;
  uint32_t written_count;        // times of writing that are variables of their own
  ResourceList *edge_reads;      // by edge: read but not written
  ResourceList *edge_writes;     // by edge: written, perhaps
  ResourceList *invariant_reads; // by location
  // The resource that a variable's slot, or a clock, belongs to; RESOURCE_NONE for none.
  ResourceId *slot_resource, *clock_resource;
  bool has_urgent;    // some edge is over an urgent channel
  bool has_weak;      // some synchronisation has weak participants
  double independent; // share of the pairs of edges of different processes that set clocks
                      // and commute
} Resources;

// False with an error in the report if the network has something that local time cannot do.
bool resources_find(Resources *, Arena *, const Net *, Report *);

static inline bool resources_has(ResourceList list, ResourceId resource) {
  for (uint32_t i = 0; i < list.size; i++)
    if (list.items[i] == resource)
      return true;
  return false;
}
static inline bool resources_meet(ResourceList a, ResourceList b) {
  for (uint32_t i = 0; i < a.size; i++)
    if (resources_has(b, a.items[i]))
      return true;
  return false;
}
