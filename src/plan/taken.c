#include "plan/taken.h"

#include "model/marking.h"

static void note(void *state, const int32_t *source, EdgeId edge) {
  const Taken *taken = state;
  const uint32_t mark = taken->own ? (uint32_t)source[taken->slot] : 0;
  taken->table[(size_t)edge * taken->marks + mark] = true;
}

bool taken_find(Taken *taken, Mem *mem, const Net *net, const int32_t *own, int32_t count,
                const char *bytes, size_t size, CertifyCounts *counts, Text *why) {
  const uint32_t marks = own ? (uint32_t)count + 1 : 1;
  *taken = (Taken){.own = own,
                   .marks = marks,
                   .slot = own ? marking_slot(net) : 0,
                   .table = mem_alloc(mem, (size_t)net->edges.size * marks + 1)};
  return certify_check_edges(mem, net, bytes, size, &(CertifyTaken){note, taken}, counts, why);
}

bool taken_find_pairs(Taken *taken, Mem *mem, const Net *net, const int32_t *own, int32_t count,
                      const char *bytes, size_t size, CertifyCounts *counts, Text *why) {
  Report report;
  Net marked;
  report_init(&report, mem);
  *taken = (Taken){0};
  bool ok = marking_remember(&marked, net, own, count, &report);
  if (ok) {
    ok = taken_find(taken, mem, &marked, own, count, bytes, size, counts, why);
    net_release(&marked);
  } else {
    text_add(why, text_chars(&report.error));
  }
  report_release(&report);
  return ok;
}

bool taken_has(const Taken *taken, EdgeId before, EdgeId edge) {
  const uint32_t mark = taken->own ? (uint32_t)taken->own[before] : 0;
  return taken->table[(size_t)edge * taken->marks + mark];
}
