#include "output/obstacles.h"

#include "model/expr/print.h"
#include "output/runtext.h"

enum { MAX_LINES = 20 };

typedef struct Obstacles {
  Text *text;
  Simulation *simulation;
  const Net *net;
  const int32_t *state;
  const char *indent;
  bool *is_seen;  // by edge: some transition that there may be has it
  uint32_t lines; // of transitions, also those that are counted only
} Obstacles;

static const Location *location_of(const Obstacles *o, ProcessId p) {
  return net_location(o->net, p, o->state[o->net->location_slot + p]);
}

void obstacles_guards(Text *text, const Edge *const *edges, uint32_t count) {
  const size_t before = text->size;
  for (uint32_t i = 0; i < count; i++)
    if (edges[i]->guard_expr) {
      text_add(text, text->size > before ? " && " : "");
      expr_print(text, edges[i]->guard_expr);
    }
}

// ` of P.a: x <= 5`
static void add_invariant(Obstacles *o, const Location *location) {
  text_addf(o->text, " of %s.%s: ", o->net->processes.items[location->process].name,
            location->name);
  expr_print(o->text, location->invariant_expr);
}

static bool has_committed(const Obstacles *o) {
  for (ProcessId p = 0; p < o->net->processes.size; p++)
    if (location_of(o, p)->committed)
      return true;
  return false;
}

// Whether a location lets no time pass at all.
static bool add_urgent(Obstacles *o) {
  bool found = false;
  for (ProcessId p = 0; p < o->net->processes.size; p++) {
    const Location *location = location_of(o, p);
    if (!location->urgent && !location->committed)
      continue;
    text_addf(o->text, "%s%s.%s is %s: no time can pass\n", o->indent,
              o->net->processes.items[p].name, location->name,
              location->committed ? "committed" : "urgent");
    found = true;
  }
  return found;
}

// The invariants that stop time first; or an urgent channel does.
static void add_time(Obstacles *o) {
  const int64_t high = o->simulation->wait.high;
  bool found = high == SIMULATE_ENDLESS || add_urgent(o);
  if (found)
    return;
  for (ProcessId p = 0; p < o->net->processes.size; p++) {
    if (simulate_stay(o->simulation, p, false).high > high)
      continue;
    text_addf(o->text, "%stime is stopped by the invariant", o->indent);
    add_invariant(o, location_of(o, p));
    text_add_char(o->text, '\n');
    found = true;
  }
  if (!found)
    text_addf(o->text, "%san urgent channel is enabled: no time can pass\n", o->indent);
}

static bool begin_line(Obstacles *o, const Edge *const *edges, uint32_t count) {
  if (++o->lines > MAX_LINES)
    return false;
  text_add(o->text, o->indent);
  runtext_edges(o->text, o->net, edges, count);
  return true;
}

// The first invariant that would not hold; or they would not hold together.
static void add_target(Obstacles *o) {
  const Simulation *s = o->simulation;
  for (ProcessId p = 0; p < o->net->processes.size; p++) {
    const Choice stay = simulate_stay(o->simulation, p, true);
    const LocationId target = net_location_at(o->net, p, s->target);
    if (stay.low > stay.high) {
      text_add(o->text, " needs the invariant");
      add_invariant(o, &o->net->locations.items[target]);
      return;
    }
  }
  text_add(o->text, " needs invariants that do not hold at the same time");
}

// What a transition needs that there may be by its locations.
static void add_transition(Obstacles *o) {
  const Joint *joint = &o->simulation->stepper.joint;
  const Obstacle obstacle = simulate_obstacle(o->simulation);
  Text guards = {.mem = o->text->mem};
  obstacles_guards(&guards, joint->edges, joint->edge_count);
  if ((obstacle != OBSTACLE_GUARD || guards.size) &&
      begin_line(o, joint->edges, joint->edge_count)) {
    if (obstacle == OBSTACLE_GUARD)
      text_addf(o->text, " needs %s", text_chars(&guards));
    else if (obstacle == OBSTACLE_UPDATE)
      text_add(o->text, " needs values that do not leave their ranges");
    else
      add_target(o);
    text_add_char(o->text, '\n');
  }
  text_release(&guards);
}

// An edge that no transition has now: no partner is ready to synchronise.
static void add_lonely(Obstacles *o, const Edge *edge) {
  const bool is_async = o->net->async[(size_t)edge->process * o->net->events.size + edge->event];
  Text guard = {.mem = o->text->mem};
  obstacles_guards(&guard, &edge, 1);
  if (begin_line(o, &edge, 1))
    text_addf(o->text, " needs %s%s%s\n", text_chars(&guard),
              guard.size && !is_async ? ", and " : "", is_async ? "" : "a partner that is ready");
  text_release(&guard);
}

static void add_transitions(Obstacles *o) {
  Joint *joint = &o->simulation->stepper.joint;
  joint_begin(joint, o->state);
  while (joint_next(joint)) {
    bool is_new = false; // the same edges can come with other tests
    for (uint32_t i = 0; i < joint->edge_count; i++)
      is_new |= !o->is_seen[joint->edges[i] - o->net->edges.items];
    for (uint32_t i = 0; i < joint->edge_count; i++)
      o->is_seen[joint->edges[i] - o->net->edges.items] = true;
    if (is_new || !o->net->traits.is_listed)
      add_transition(o);
  }
}

void obstacles_print(Text *text, Simulation *s, const char *indent) {
  Obstacles o = {.text = text,
                 .simulation = s,
                 .net = s->net,
                 .state = vec_last(&s->steps).state,
                 .indent = indent,
                 .is_seen = mem_alloc(text->mem, s->net->edges.size + 1)};
  const bool is_committed = has_committed(&o);
  add_time(&o);
  add_transitions(&o);
  for (ProcessId p = 0; p < o.net->processes.size; p++) {
    const Location *location = location_of(&o, p);
    for (uint32_t i = 0; i < location->edge_count; i++) {
      const Edge *edge = &o.net->edges.items[o.net->out[location->first_edge + i]];
      if (!o.is_seen[edge - o.net->edges.items] && (location->committed || !is_committed))
        add_lonely(&o, edge);
    }
  }
  if (o.lines > MAX_LINES)
    text_addf(text, "%sand %u more transitions\n", indent, o.lines - MAX_LINES);
  mem_free(text->mem, o.is_seen);
}
