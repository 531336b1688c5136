#include "engine/order.h"

// Breadth first is a queue, a ring that doubles when full; depth first is a stack in the same
// ring: all successors are pushed, the last one is popped first.
struct Order {
  Mem *mem;
  SearchOrder kind;
  NodeRef *ring;
  uint32_t mask;  // size - 1, a power of two
  uint32_t head;  // oldest
  uint32_t count;
};

Order *order_new(Mem *mem, SearchOrder kind, Store *store) {
  (void)store;
  Order *order = mem_alloc(mem, sizeof *order);
  *order = (Order){.mem = mem, .kind = kind, .mask = 255};
  order->ring = mem_alloc(mem, sizeof(NodeRef) * (order->mask + 1));
  return order;
}

void order_release(Order *order) {
  mem_free(order->mem, order->ring);
  mem_free(order->mem, order);
}

static void grow(Order *order) {
  const uint32_t size = order->mask + 1;
  NodeRef *ring = mem_alloc(order->mem, sizeof(NodeRef) * size * 2);
  for (uint32_t i = 0; i < order->count; i++)
    ring[i] = order->ring[(order->head + i) & order->mask];
  mem_free(order->mem, order->ring);
  order->ring = ring;
  order->mask = size * 2 - 1;
  order->head = 0;
}

void order_push(Order *order, NodeRef ref) {
  if (order->count > order->mask)
    grow(order);
  order->ring[(order->head + order->count++) & order->mask] = ref;
}

NodeRef order_pop(Order *order) {
  if (!order->count)
    return NODE_NONE;
  order->count--;
  if (order->kind == ORDER_DFS)
    return order->ring[(order->head + order->count) & order->mask];
  return order->ring[order->head++ & order->mask];
}
