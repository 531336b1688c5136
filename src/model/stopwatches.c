#include "model/stopwatches.h"

#include "base/testbuild.h"
#include "model/expr/clockuse.h"
#include "model/expr/print.h"

#include <string.h>

VmResult stopwatches_find(const Net *net, Vm *vm, const int32_t *state, ClockTests *tests,
                          bool *stopped) {
  memset(stopped, 0, (net->clock_count + 1) * sizeof *stopped);
  vec_clear(tests);
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Guard *rates = net->by_location.rates[net_location_at(net, p, state)];
    const VmResult result = rates ? vm_guard(vm, rates, state, tests) : VM_TRUE;
    if (result != VM_TRUE)
      return VM_ERROR;
  }
  // x == rate is x <= rate and x >= rate: the former says it. The last rate of a clock is written
  // first, then the others are compared with it.
  for (uint32_t i = 0; i < tests->size; i++)
    if (tests->items[i].i)
      stopped[tests->items[i].i] = !tests->items[i].constant;
  for (uint32_t i = 0; i < tests->size; i++) {
    const ClockTest *test = &tests->items[i];
    const bool is_rate = test->constant == 0 || test->constant == 1;
    if (!test->i || (is_rate && stopped[test->i] == !test->constant))
      continue;
    vm->error = is_rate ? "two processes give a clock different rates"
                        : "the rate of a clock is neither 0 nor 1";
    vm->error_place = net->traits.stopwatch_place;
    return VM_ERROR;
  }
  return VM_TRUE;
}

const ClockRate *stopwatches_rates(const Location *location, uint32_t *count) {
  const bool is_unread = location->unread_rate_count;
  *count = is_unread ? location->unread_rate_count : location->clock_rate_count;
  return is_unread ? location->unread_rates : location->clock_rates;
}

bool stopwatches_print(Text *text, const Location *location, const Marks *marks) {
  uint32_t count;
  const ClockRate *rates = stopwatches_rates(location, &count);
  bool any = location->invariant_expr;
  if (any)
    expr_print_marked(text, location->invariant_expr, marks);
  for (uint32_t i = 0; i < count; i++, any = true) {
    text_add(text, any ? " && " : "");
    expr_print_marked(text, rates[i].clock, marks);
    text_add(text, "' == ");
    expr_print_marked(text, rates[i].rate, marks);
  }
  return any;
}

static bool is_one(const ClockRate *rate) {
  int32_t value;
  return expr_is_const(rate->rate, &value) && value == 1;
}

bool stopwatches_are_read(const Net *net, const Query *query) {
  ClockList clocks = {0};
  bool found = false;
  if (!net->traits.has_unread_rates || PLANTED("unread-rates"))
    return false;
  bool *reads = mem_alloc(net->mem, (net->clock_count + 1) * sizeof *reads);
  query_note_clocks(query, net->mem, reads);
  for (LocationId l = 0; l < net->locations.size && !found; l++) {
    const Location *location = &net->locations.items[l];
    for (uint32_t i = 0; i < location->unread_rate_count; i++) {
      clocks.size = 0;
      if (!is_one(&location->unread_rates[i]))
        clockuse_clocks(net->mem, location->unread_rates[i].clock, &clocks);
      for (uint32_t k = 0; k < clocks.size; k++)
        found |= reads[clocks.items[k]];
    }
  }
  vec_release(net->mem, &clocks);
  mem_free(net->mem, reads);
  return found;
}
