#include "search/orders/order.h"

#include "search/orders/pointwise.h"
#include "search/orders/stages.h"
#include "search/orders/topology.h"

// Breadth first is a queue: what was popped is dropped from the list when it is more than half.
// Depth first the list is a stack: all successors are pushed, the last one is popped first.
struct Order {
  Mem *mem;
  SearchOrder kind;
  Store *store;
  VEC(NodeRef) list;
  uint32_t head;        // the oldest
  Stages *stages;       // ORDER_STAGES, ORDER_RANK
  Pointwise *pointwise; // ORDER_WAIT, ORDER_TW; true zones are in the list, a stack
  Topology topology;
  uint32_t *vector; // scratch: indices of the current node
  Arena arena;
  uint32_t waiting; // nodes; evicted ones, which some orders drop, may be included
};

static void init_pointwise(Order *order) {
  const Net *net = order->store->space->net;
  const uint32_t count = net->processes.size;
  topology_init(&order->topology, &order->arena, net, TOPOLOGY_REVERSE);
  order->vector = ARENA_ARRAY(&order->arena, uint32_t, count);
  for (ProcessId p = 0; p < count; p++)
    order->vector[p] = net->processes.items[p].location_count;
  order->pointwise = pointwise_new(order->mem, count, order->vector);
}

Order *order_new(Mem *mem, SearchOrder kind, Store *store) {
  const bool looks_at_states = kind == ORDER_STAGES || kind == ORDER_WAIT || kind == ORDER_TW;
  if (looks_at_states && !store->space->net)
    kind = ORDER_BFS;
  Order *order = mem_alloc(mem, sizeof *order);
  *order = (Order){.mem = mem, .kind = kind, .store = store, .arena = {.mem = mem}};
  if (kind == ORDER_STAGES || kind == ORDER_RANK)
    order->stages = stages_new(mem, store, kind == ORDER_RANK);
  if (kind == ORDER_WAIT || kind == ORDER_TW)
    init_pointwise(order);
  return order;
}

static bool is_true(const Order *order) {
  Space *space = order->store->space;
  return space->is_true && space->is_true(space);
}

static void push_pointwise(Order *order, NodeRef ref) {
  for (uint32_t i = 0; i < order->store->evicted.size; i++)
    pointwise_drop(order->pointwise, order->store->evicted.items[i]);
  if (order->kind == ORDER_TW && is_true(order)) {
    vec_push(order->mem, &order->list, ref);
    return;
  }
  for (ProcessId p = 0; p < order->topology.process_count; p++)
    order->vector[p] =
        (uint32_t)topology_weight(&order->topology.parts[p], order->store->space->key);
  pointwise_push(order->pointwise, ref, order->vector);
}

static void push(Order *order, NodeRef ref) {
  if (order->stages)
    stages_push(order->stages, ref, is_true(order));
  else if (order->pointwise)
    push_pointwise(order, ref);
  else
    vec_push(order->mem, &order->list, ref);
}

void order_push(Order *order, NodeRef ref) {
  order->waiting++;
  push(order, ref);
}

static NodeRef pop(Order *order) {
  if (order->stages)
    return stages_pop(order->stages);
  if (order->list.size == order->head)
    return order->pointwise ? pointwise_pop(order->pointwise) : NODE_NONE;
  if (order->kind != ORDER_BFS)
    return vec_pop(&order->list);
  if (order->head > order->list.size / 2) {
    order->list.size -= order->head;
    memmove(order->list.items, order->list.items + order->head,
            order->list.size * sizeof *order->list.items);
    order->head = 0;
  }
  return order->list.items[order->head++];
}

NodeRef order_pop(Order *order) {
  const NodeRef ref = pop(order);
  order->waiting = ref == NODE_NONE ? 0 : order->waiting - 1;
  return ref;
}

NodeRef order_at(const Order *order, uint32_t index) {
  return order->list.items[order->head + index];
}

uint32_t order_peek(const Order *order, NodeRef *refs, uint32_t max) {
  if (order->stages)
    return stages_peek(order->stages, refs, max);
  uint32_t count = 0;
  for (; order->kind == ORDER_BFS && count < max && order->head + count < order->list.size;
       count++)
    refs[count] = order_at(order, count);
  return count;
}

void order_restore(Order *order, NodeRef ref, uint32_t round, bool waits) {
  order->waiting += waits;
  if (order->stages)
    stages_restore(order->stages, ref, round, waits, waits && is_true(order));
  else if (waits)
    push(order, ref);
}

uint32_t order_waiting(const Order *order) { return order->waiting; }

uint32_t order_round(const Order *order, NodeRef ref) {
  return order->stages ? stages_round(order->stages, ref) : 0;
}

void order_visit(Order *order, const uint64_t *key, uint32_t round) {
  if (order->stages)
    stages_visit(order->stages, key, round);
}

uint32_t order_hint(const Order *order) { return order->stages ? stages_hint(order->stages) : 0; }

void order_expect(Order *order, uint32_t hint) {
  if (order->stages)
    stages_expect(order->stages, hint);
}
