#include "model/units.h"

#include <assert.h>

typedef struct UnitsNet {
  Net net;
  struct UnitsNet *next;
  size_t age; // nothing of it is older
  bool reads_rates, is_view;
} UnitsNet;

static void divide_clocks(Net *net, int64_t unit) {
  for (uint32_t i = 0; i < net->clocks.size; i++) {
    Name *clocks = &net->clocks.items[i];
    const int32_t *old = clocks->initial;
    int32_t *initial = old ? ARENA_ARRAY(&net->arena, int32_t, clocks->type->slots) : NULL;
    for (uint32_t k = 0; old && k < clocks->type->slots; k++)
      initial[k] = (int32_t)(old[k] / unit);
    clocks->initial = initial;
  }
}

// Functions may call each other: all have their new addresses before the first is divided.
static const Function **divide_functions(Net *net, int64_t unit) {
  Function *functions = ARENA_ARRAY(&net->arena, Function, net->functions.size);
  const Function **list = ARENA_ARRAY(&net->arena, const Function *, net->functions.size);
  for (uint32_t i = 0; i < net->functions.size; i++)
    list[i] = &functions[i];
  for (uint32_t i = 0; i < net->functions.size; i++) {
    functions[i] = *net->functions.items[i];
    functions[i].body = scale_stmts(&(ScaleDivider){&net->arena, unit, list}, functions[i].body);
    net->functions.items[i] = list[i];
  }
  return list;
}

static void divide(Net *net, int64_t unit) {
  const ScaleDivider d = {&net->arena, unit, divide_functions(net, unit)};
  for (LocationId i = 0; i < net->locations.size; i++) {
    Location *location = &net->locations.items[i];
    location->invariant_expr = scale_expr(&d, location->invariant_expr);
  }
  for (EdgeId i = 0; i < net->edges.size; i++) {
    mem_tick(net->mem);
    Edge *edge = &net->edges.items[i];
    edge->guard_expr = scale_expr(&d, edge->guard_expr);
    edge->update_stmts = scale_stmts(&d, edge->update_stmts);
  }
  net->hooks.before_stmts = scale_stmts(&d, net->hooks.before_stmts);
  net->hooks.after_stmts = scale_stmts(&d, net->hooks.after_stmts);
  divide_clocks(net, unit);
  net->origin.scale.unit = unit;
}

static void put_rates_in_force(Net *net) {
  for (LocationId i = 0; i < net->locations.size; i++) {
    Location *location = &net->locations.items[i];
    location->clock_rates = location->unread_rates;
    location->clock_rate_count = location->unread_rate_count;
    location->unread_rate_count = 0;
  }
  net->origin.ignored = net->origin.ignored_if_read;
}

// A net that is not a view of another one.
static void make(Net *made, const Net *net, const Scale *scale, int64_t unit, bool reads_rates) {
  net_copy(made, net);
  if (unit > 1)
    divide(made, unit);
  else
    made->origin.scale = *scale;
  if (reads_rates)
    put_rates_in_force(made);
  const bool ok = net_finish(made, &(Report){0});
  assert(ok);
  (void)ok;
}

const Net *units_net(Units *units, const Scale *asked, bool reads_rates) {
  const Net *net = units->net;
  Scale scale = net->origin.scale;
  if (asked)
    scale_join(&scale, asked);
  const int64_t unit = scale_wanted(&scale, NET_MAX_CONSTANT);
  const bool is_wide = unit == 1 && scale.max > NET_MAX_CONSTANT;
  if (unit == 1 && is_wide == net_is_wide(net) && !reads_rates)
    return net;
  for (const UnitsNet *made = units->made; made; made = made->next)
    if (net_unit(&made->net) == unit && net_is_wide(&made->net) == is_wide &&
        made->reads_rates == reads_rates)
      return &made->net;
  const size_t age = mem_mark(net->mem);
  UnitsNet *made = mem_alloc(net->mem, sizeof *made);
  *made = (UnitsNet){.next = units->made, .age = age, .reads_rates = reads_rates};
  made->is_view = unit == 1 && !reads_rates;
  if (made->is_view) {
    made->net = *net;
    made->net.origin.scale = scale;
  } else {
    make(&made->net, net, &scale, unit, reads_rates);
  }
  units->made = made;
  return &made->net;
}

void units_release(Units *units) {
  for (UnitsNet *made; (made = units->made);) {
    Mem *mem = made->net.mem;
    units->made = made->next;
    if (!made->is_view) // which owns nothing
      net_release(&made->net);
    mem_free(mem, made);
  }
}

void units_forget(Units *units, size_t mark) {
  while (units->made && units->made->age >= mark)
    units->made = units->made->next;
}
