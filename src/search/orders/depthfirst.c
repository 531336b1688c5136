#include "search/orders/depthfirst.h"

typedef struct Visit {
  uint32_t index; // order of discovery + 1, 0: not yet
  uint32_t low;   // the lowest index of an active node that it is known to reach
  uint32_t taken; // arcs
} Visit;

void depthfirst_init(DepthFirst *d, uint32_t count) {
  d->numbers = mem_alloc(d->mem, (count + (size_t)1) * sizeof *d->numbers);
  d->visits = mem_alloc(d->mem, (count + (size_t)1) * sizeof *d->visits);
  memset(d->numbers, 0xff, count * sizeof *d->numbers); // DEPTHFIRST_NONE
}

void depthfirst_release(DepthFirst *d) {
  mem_free(d->mem, d->numbers);
  mem_free(d->mem, d->visits);
  vec_release(d->mem, &d->finished);
  vec_release(d->mem, &d->path);
  vec_release(d->mem, &d->active);
}

static void discover(DepthFirst *d, uint32_t node) {
  d->visits[node].index = d->visits[node].low = d->finished.size + d->path.size + 1;
  vec_push(d->mem, &d->path, node);
  vec_push(d->mem, &d->active, node);
}

// The last node of the path has no arcs left. If it reaches nothing older, its component is
// complete.
static void finish(DepthFirst *d) {
  const uint32_t node = vec_pop(&d->path), low = d->visits[node].low;
  vec_push(d->mem, &d->finished, node);
  if (low < d->visits[node].index) {
    Visit *above = &d->visits[vec_last(&d->path)];
    above->low = low < above->low ? low : above->low;
    return;
  }
  while (d->numbers[node] == DEPTHFIRST_NONE)
    d->numbers[vec_pop(&d->active)] = d->count;
  d->count++;
}

void depthfirst_visit(DepthFirst *d, uint32_t root) {
  if (d->visits[root].index)
    return;
  discover(d, root);
  while (d->path.size) {
    const uint32_t node = vec_last(&d->path);
    Visit *visit = &d->visits[node];
    const uint64_t arc = d->first[node] + visit->taken++;
    const uint32_t to = arc < d->first[node + 1] ? d->end(d->graph, arc) : DEPTHFIRST_NONE;
    if (arc == d->first[node + 1])
      finish(d);
    else if (to != DEPTHFIRST_NONE && !d->visits[to].index)
      discover(d, to);
    else if (to != DEPTHFIRST_NONE && d->numbers[to] == DEPTHFIRST_NONE &&
             d->visits[to].index < visit->low)
      visit->low = d->visits[to].index;
  }
}
