#include "channel_nets.h"

#include "model/expr/print.h"

#include <stdio.h>

#define NOWHERE ((Place){0})

static uint32_t below(ChannelNet *c, uint32_t n) { return random_below(&c->random, n); }
static bool one_in(ChannelNet *c, uint32_t n) { return !below(c, n); }

static const Expr *number(ChannelNet *c, int32_t value) {
  return expr_const(&c->net.arena, NOWHERE, value);
}

static const Expr *variable(ChannelNet *c, uint32_t index) {
  const Name *name = &c->net.variables.items[index];
  return expr_storage(&c->net.arena, NOWHERE, EXPR_VAR, name->name, name->type, name->base);
}

static const Expr *clock_at(ChannelNet *c, ClockIndex x) {
  static const char *const names[] = {"0", "x[0]", "x[1]", "x[2]"};
  return expr_storage(&c->net.arena, NOWHERE, EXPR_CLOCK, names[x], type_clock(&c->net.arena), x);
}

static const Expr *binary(ChannelNet *c, ExprKind kind, const Expr *a, const Expr *b) {
  return expr_binary(&c->net.arena, NOWHERE, kind, a, b);
}

static const Expr *both(ChannelNet *c, const Expr *a, const Expr *b) {
  return a && b ? binary(c, EXPR_AND, a, b) : a ? a : b;
}

static const Expr *any_variable(ChannelNet *c) { return variable(c, below(c, c->variables)); }

static const Expr *int_test(ChannelNet *c) {
  static const ExprKind ops[] = {EXPR_NE, EXPR_NE, EXPR_LE, EXPR_LE, EXPR_EQ, EXPR_GE, EXPR_LT};
  const ExprKind op = ops[below(c, 7)];
  const uint32_t left = below(c, c->variables), right = below(c, c->variables);
  if (left != right && one_in(c, 3))
    return binary(c, op, variable(c, left), variable(c, right));
  return binary(c, op, variable(c, left), number(c, (int32_t)below(c, 3)));
}

// Mostly a constant, now and then a variable and one more.
static const Expr *clock_bound(ChannelNet *c) {
  if (one_in(c, 5))
    return binary(c, EXPR_ADD, any_variable(c), number(c, (int32_t)below(c, 2)));
  return number(c, (int32_t)below(c, 4));
}

// A test of the difference of two clocks.
static const Expr *compared(ChannelNet *c, const ExprKind *ops, uint32_t count) {
  const ClockIndex x = below(c, c->clocks), y = (x + 1 + below(c, c->clocks - 1)) % c->clocks;
  const Expr *bound = one_in(c, 2) ? clock_bound(c) : number(c, (int32_t)below(c, 7) - 3);
  return expr_clock_test(&c->net.arena, NOWHERE, clock_at(c, 1 + x), clock_at(c, 1 + y),
                         ops[below(c, count)], bound);
}

static const Expr *clock_test(ChannelNet *c, const ExprKind *ops, uint32_t count) {
  if (c->compares && one_in(c, 2))
    return compared(c, ops, count);
  const Expr *test = expr_clock_test(&c->net.arena, NOWHERE, clock_at(c, 1 + below(c, c->clocks)),
                                     NULL, ops[below(c, count)], clock_bound(c));
  return one_in(c, 8) ? binary(c, EXPR_OR, int_test(c), test) : test;
}

static const ExprKind guard_ops[] = {EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE, EXPR_GE, EXPR_EQ};
static const ExprKind invariant_ops[] = {EXPR_LT, EXPR_LE, EXPR_LE, EXPR_LE, EXPR_LE, EXPR_GE};

static const Expr *guard(ChannelNet *c, bool clocks) {
  const Expr *result = NULL;
  static const uint32_t sizes[] = {0, 1, 1, 1, 2};
  for (uint32_t i = sizes[below(c, 5)]; i > 0; i--)
    result = both(c, result, clocks && !one_in(c, 4) ? clock_test(c, guard_ops, 6) : int_test(c));
  return result;
}

static Stmt *statement(ChannelNet *c, StmtKind kind, const Expr *target, const Expr *value) {
  Stmt *stmt = ARENA_NEW(&c->net.arena, Stmt);
  stmt->kind = kind;
  stmt->target = target;
  stmt->value = value;
  return stmt;
}

// A value from 0 to 3 that depends on variables.
static const Expr *mixed(ChannelNet *c) {
  const Expr *sum = binary(c, EXPR_ADD, any_variable(c), any_variable(c));
  return binary(c, EXPR_MOD, binary(c, EXPR_ADD, sum, number(c, (int32_t)below(c, 4))),
                number(c, 4));
}

static Stmt *assignment(ChannelNet *c, bool clocks) {
  if (clocks && !one_in(c, 3)) {
    const Expr *target = clock_at(c, 1 + below(c, c->clocks));
    Stmt *stmt = statement(c, STMT_CLOCK_ASSIGN, target, NULL);
    if (one_in(c, 8)) {
      stmt->source = clock_at(c, 1 + below(c, c->clocks));
      if (c->compares && one_in(c, 3))
        stmt->value = number(c, 1 + (int32_t)below(c, 2));
    } else if (one_in(c, 5))
      stmt->value = one_in(c, 2) ? any_variable(c) : number(c, 1 + (int32_t)below(c, 3));
    return stmt;
  }
  const Expr *value = one_in(c, 2)   ? number(c, (int32_t)below(c, 4))
                      : one_in(c, 2) ? any_variable(c)
                                     : mixed(c);
  return statement(c, STMT_ASSIGN, any_variable(c), value);
}

static const Stmt *update(ChannelNet *c, bool clocks) {
  Stmt *first = NULL;
  for (uint32_t i = below(c, 4); i > 0; i--) {
    Stmt *stmt = assignment(c, clocks);
    stmt->next = first;
    first = stmt;
  }
  return first;
}

static void add_channels(ChannelNet *c) {
  static const char *const names[] = {"a", "b", "d"};
  c->channels = 1 + below(c, 3);
  for (uint32_t i = 0; i < c->channels; i++) {
    net_add_channel(&c->net, names[i], NOWHERE);
    Channel *channel = &vec_last(&c->net.channels);
    channel->broadcast = one_in(c, 2);
    channel->urgent = one_in(c, 5);
    channel->priority = (int32_t)below(c, 3);
  }
  c->net.priority.is_used = one_in(c, 4);
  c->net.priority.tau = (int32_t)below(c, 3);
}

// Whether an edge may have a clock guard: of receivers and urgent edges only now and then.
static bool may_test_clocks(ChannelNet *c, const Channel *channel, bool receives) {
  const bool is_special = c->net.priority.is_used ||
                          (channel && (channel->urgent || (channel->broadcast && receives)));
  return !is_special || c->has_clock_guards;
}

static void add_edges(ChannelNet *c, LocationId first, uint32_t locations) {
  for (uint32_t e = locations + 1 + below(c, 4); e > 0; e--) {
    const Channel *channel = one_in(c, 3) ? NULL : &c->net.channels.items[below(c, c->channels)];
    const bool receives = channel && one_in(c, 2);
    const bool clocks = may_test_clocks(c, channel, receives);
    const EventId event = !channel   ? net_tau_event(&c->net)
                          : receives ? channel->receive
                                     : channel->send;
    const LocationId source = first + (e <= locations ? e - 1 : below(c, locations));
    const EdgeId id = net_add_edge(&c->net, source, first + below(c, locations), event, NOWHERE);
    const Expr *expr = guard(c, clocks);
    const Stmt *stmts = update(c, true);
    c->net.edges.items[id].guard_expr = expr;
    c->net.edges.items[id].update_stmts = stmts;
  }
}

static void add_process(ChannelNet *c) {
  static const char *const names[] = {"P", "Q", "R", "S"};
  static const char *const places[] = {"l0", "l1", "l2", "l3"};
  const ProcessId p = net_add_process(&c->net, names[c->net.processes.size], NOWHERE);
  c->net.processes.items[p].priority = (int32_t)below(c, 2);
  const uint32_t locations = 2 + below(c, 3);
  const LocationId first = c->net.locations.size;
  for (uint32_t l = 0; l < locations; l++) {
    const LocationId id = net_add_location(&c->net, p, places[l], NOWHERE);
    const Expr *invariant = one_in(c, 4)    ? clock_test(c, invariant_ops, 6)
                            : one_in(c, 20) ? int_test(c)
                                            : NULL;
    Location *location = &c->net.locations.items[id];
    location->initial = !l;
    location->invariant_expr = l || one_in(c, 4) ? invariant : NULL;
    location->committed = l && one_in(c, 8);
    location->urgent = l && !location->committed && one_in(c, 10);
  }
  add_edges(c, first, locations);
}

static const Expr *random_goal(ChannelNet *c) {
  const ProcessId p = below(c, c->net.processes.size);
  const Process *process = &c->net.processes.items[p];
  const LocationId l = process->first_location + below(c, process->location_count);
  const Expr *goal = expr_at(&c->arena, NOWHERE, c->net.locations.items[l].name,
                             c->net.location_slot + p, net_index(&c->net, l));
  if (one_in(c, 2))
    goal = both(c, goal, int_test(c));
  if (one_in(c, 2))
    goal = both(c, goal,
                expr_clock_test(&c->net.arena, NOWHERE, clock_at(c, 1 + below(c, c->clocks)),
                                NULL, guard_ops[below(c, 5)], number(c, (int32_t)below(c, 4))));
  if (c->compares && one_in(c, 3))
    goal = both(c, goal, compared(c, guard_ops, 5));
  return goal;
}

void channel_nets_make(ChannelNet *c, Mem *mem, uint64_t seed, bool compares) {
  *c = (ChannelNet){.mem = mem, .arena = {.mem = mem}, .compares = compares};
  random_seed(&c->random, seed);
  net_init(&c->net, mem);
  report_init(&c->report, mem);
  c->net.invalid_is_error = true;
  c->clocks = 1 + below(c, 2) + one_in(c, 4);
  if (compares && c->clocks < 2)
    c->clocks = 2;
  c->variables = 1 + below(c, 3);
  c->has_clock_guards = !one_in(c, 3);
  net_add_clocks(&c->net, "x", c->clocks, NOWHERE);
  int32_t *initial = ARENA_ARRAY(&c->net.arena, int32_t, c->clocks);
  initial[below(c, c->clocks)] = (int32_t)below(c, 4);
  if (one_in(c, 8))
    c->net.clocks.items[0].initial = initial;
  static const char *const names[] = {"i", "j", "k"};
  for (uint32_t v = 0; v < c->variables; v++) {
    const uint32_t index =
        net_add_variable(&c->net, names[v], type_int(&c->net.arena, 0, 3), NULL, NOWHERE);
    c->net.variables.items[index].is_meta = one_in(c, 8);
  }
  add_channels(c);
  for (uint32_t p = 2 + below(c, 3); p > 0; p--)
    add_process(c);
  if (one_in(c, 10))
    c->net.hooks.before_stmts = update(c, false);
  if (one_in(c, 10))
    c->net.hooks.after_stmts = update(c, false);
  if (!net_finish(&c->net, &c->report))
    return;
  const Query query = {.kind = QUERY_REACH, .formula = random_goal(c)};
  c->net = *query_keep_meta(&query, &c->net, &c->arena);
  query_goal(&c->goal, &c->arena, &c->net, &query, &c->report);
}

void channel_nets_release(ChannelNet *c) {
  arena_release(&c->arena);
  net_release(&c->net);
  report_release(&c->report);
}

static void print_channel(const Channel *channel) {
  printf("%s%schan %s; // priority %d\n", channel->urgent ? "urgent " : "",
         channel->broadcast ? "broadcast " : "", channel->name, channel->priority);
}

static void print_edge(const Net *net, const Edge *edge, Text *text) {
  text_addf(text, "  %s -> %s %s", net->locations.items[edge->source].name,
            net->locations.items[edge->target].name, net->events.items[edge->event].name);
  if (edge->guard_expr) {
    text_add(text, " [");
    expr_print(text, edge->guard_expr);
    text_add(text, "]");
  }
  text_add(text, " { ");
  if (edge->update_stmts)
    stmt_print(text, edge->update_stmts);
  text_add(text, " }\n");
}

void channel_nets_print(const ChannelNet *c) {
  const Net *net = &c->net;
  Text text = {.mem = c->mem};
  for (uint32_t i = 0; i < net->channels.size; i++)
    print_channel(&net->channels.items[i]);
  if (net->priority.is_used)
    text_addf(&text, "priorities, tau %d\n", net->priority.tau);
  for (uint32_t i = 0; i < net->variables.size; i++)
    text_addf(&text, "%sint[0,3] %s;\n", net->variables.items[i].is_meta ? "meta " : "",
              net->variables.items[i].name);
  for (uint32_t x = 1; x <= net->clock_count && net->clock_initial; x++)
    text_addf(&text, "clock %s = %d;\n", net->clock_names[x], net->clock_initial[x]);
  if (net->hooks.before_stmts) {
    text_add(&text, "before ");
    stmt_print(&text, net->hooks.before_stmts);
  }
  if (net->hooks.after_stmts) {
    text_add(&text, "\nafter ");
    stmt_print(&text, net->hooks.after_stmts);
  }
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    text_addf(&text, "\nprocess %s, priority %d\n", process->name, process->priority);
    for (uint32_t l = 0; l < process->location_count; l++) {
      const Location *location = &net->locations.items[process->first_location + l];
      text_addf(&text, "  %s%s%s ", location->name, location->committed ? " committed" : "",
                location->urgent ? " urgent" : "");
      if (location->invariant_expr)
        expr_print(&text, location->invariant_expr);
      text_add(&text, "\n");
    }
    for (EdgeId e = 0; e < net->edges.size; e++)
      if (net->edges.items[e].process == p)
        print_edge(net, &net->edges.items[e], &text);
  }
  for (uint32_t i = 0; i < c->goal.clause_count; i++) {
    text_add(&text, "goal ");
    if (c->goal.clauses[i].expr)
      expr_print(&text, c->goal.clauses[i].expr);
    text_add(&text, "\n");
  }
  printf("%s\n", text_chars(&text));
  text_release(&text);
}
