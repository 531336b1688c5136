#include "semantics/zone/hulls.h"

#include "base/testbuild.h"

void hulls_init(Hulls *h, Mem *mem, Space *zones) {
  *h = (Hulls){.mem = mem, .zones = zones};
  intern_init(&h->keys, mem);
}

void hulls_release(Hulls *h) {
  if (!h->mem)
    return;
  intern_release(&h->keys);
  vec_release(h->mem, &h->hulls);
}

// Whether the hull covers the current node.
static bool covers(const Hulls *h, uint32_t hull) {
  uint32_t list[1 + SPACE_SLACK / sizeof hull] = {hull};
  return !h->zones->find_subsumer(h->zones, list, 1);
}

void hulls_join(Hulls *h, const uint64_t *key, uint32_t words) {
  const uint32_t number = intern_number(&h->keys, key, words * sizeof *key) - 1;
  if (number == h->hulls.size) {
    vec_push(h->mem, &h->hulls, h->zones->keep(h->zones));
    return;
  }
  uint32_t *hull = &h->hulls.items[number];
  if (covers(h, *hull))
    return;
  if (PLANTED("hulls-lose")) { // what the hull lacks
    h->zones->load(h->zones, h->zones->key, *hull);
    return;
  }
  Zones *zones = (Zones *)h->zones;
  zones->time->join(zones, *hull);
  *hull = h->zones->keep(h->zones);
}
