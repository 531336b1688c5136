#include "check/rates.h"

#include "check/meaning.h"

#include <string.h>

void rates_init(Rates *r, Mem *mem, const Net *net) {
  *r = (Rates){.mem = mem, .net = net};
  r->stands_still = mem_alloc(mem, (net->clock_count + 1) * sizeof *r->stands_still);
  r->runs = mem_alloc(mem, (net->clock_count + 1) * sizeof *r->runs);
}

// The rates of a location are tests x <= rate and x >= rate.
static const char *take(Rates *r) {
  for (uint32_t i = 0; i < r->tests.size; i++) {
    const ClockTest *test = &r->tests.items[i];
    const int64_t rate = test->i ? test->constant : -test->constant;
    if (rate != 0 && rate != 1)
      return "the rate of a clock is neither 0 nor 1";
    (rate ? r->runs : r->stands_still)[test->i ? test->i : test->j] = true;
  }
  return NULL;
}

const char *rates_find(Rates *r, Vm *vm, const int32_t *state) {
  const Net *net = r->net;
  meaning_rates(net, state);
  if (!net->traits.has_stopwatches)
    return NULL;
  memset(r->stands_still, 0, (net->clock_count + 1) * sizeof *r->stands_still);
  memset(r->runs, 0, (net->clock_count + 1) * sizeof *r->runs);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Location *location = net_location(net, p, state[net->location_slot + p]);
    vec_clear(&r->tests);
    if (meaning_guard(vm, net, &location->rates, state, &r->tests) != VM_TRUE)
      return "the rate of a clock fails";
    const char *error = take(r);
    if (error)
      return error;
  }
  for (ClockIndex x = 1; x <= net->clock_count; x++)
    if (r->runs[x] && r->stands_still[x])
      return "two processes give a clock different rates";
  return NULL;
}
