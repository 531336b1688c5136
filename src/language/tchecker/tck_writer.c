#include "language/tchecker/tck_writer.h"

#include "model/expr/print.h"
#include "model/stopwatches.h"

// Attributes are written `{key: value : key: value}`: opens or continues the list.
static void add_key(Text *text, bool *any, const char *key) {
  text_addf(text, "%s%s:", *any ? " : " : "{", key);
  *any = true;
}

static void add_kept(Text *text, bool *any, const Attributes *attributes) {
  for (uint32_t i = 0; i < attributes->size; i++) {
    add_key(text, any, attributes->items[i].key);
    if (*attributes->items[i].value)
      text_addf(text, " %s", attributes->items[i].value);
  }
}

static void end_attributes(Text *text, bool any) { text_add(text, any ? "}\n" : "\n"); }

static void end_kept(Text *text, const Attributes *attributes) {
  bool any = false;
  add_kept(text, &any, attributes);
  end_attributes(text, any);
}

void tck_write_labels(Text *text, const Net *net, const Location *location) {
  for (uint32_t i = 0; i < location->labels.size; i++)
    text_addf(text, "%s%s", i ? "," : " ", net->labels.items[location->labels.items[i]].name);
}

static void add_location(Text *text, const Net *net, const Location *location) {
  bool any = false;
  text_addf(text, "location:%s:%s", net->processes.items[location->process].name, location->name);
  if (location->initial)
    add_key(text, &any, "initial");
  if (location->committed)
    add_key(text, &any, "committed");
  if (location->urgent)
    add_key(text, &any, "urgent");
  if (location->labels.size) {
    add_key(text, &any, "labels");
    tck_write_labels(text, net, location);
  }
  if (location->invariant_expr || location->clock_rate_count || location->unread_rate_count) {
    add_key(text, &any, "invariant");
    text_add_char(text, ' ');
    stopwatches_print(text, location);
  }
  add_kept(text, &any, &location->attributes);
  end_attributes(text, any);
}

static void add_edge(Text *text, const Net *net, const Edge *edge) {
  bool any = false;
  text_addf(text, "edge:%s:%s:%s:%s", net->processes.items[edge->process].name,
            net->locations.items[edge->source].name, net->locations.items[edge->target].name,
            net->events.items[edge->event].name);
  if (edge->guard_expr) {
    add_key(text, &any, "provided");
    text_add_char(text, ' ');
    expr_print(text, edge->guard_expr);
  }
  if (edge->update_stmts) {
    add_key(text, &any, "do");
    text_add_char(text, ' ');
    stmt_print(text, edge->update_stmts);
  }
  add_kept(text, &any, &edge->attributes);
  end_attributes(text, any);
}

static void add_names(Text *text, const Net *net) {
  for (uint32_t i = 0; i < net->events.size; i++) {
    text_addf(text, "event:%s", net->events.items[i].name);
    end_kept(text, &net->events.items[i].attributes);
  }
  for (uint32_t i = 0; i < net->clocks.size; i++) {
    const Name *clock = &net->clocks.items[i];
    text_addf(text, "clock:%u:%s", clock->type->slots, clock->name);
    end_kept(text, &clock->attributes);
  }
  for (uint32_t i = 0; i < net->variables.size; i++) {
    const Name *variable = &net->variables.items[i];
    const Type *type =
        variable->type->kind == TYPE_ARRAY ? variable->type->element : variable->type;
    text_addf(text, "int:%u:%d:%d:%d:%s", variable->type->slots, type->min, type->max,
              variable->initial[0], variable->name);
    end_kept(text, &variable->attributes);
  }
}

// Edges can follow their process only if the model has them in this order, too.
static bool edges_are_grouped(const Net *net) {
  for (EdgeId i = 1; i < net->edges.size; i++)
    if (net->edges.items[i].process < net->edges.items[i - 1].process)
      return false;
  return true;
}

// Which edges can be taken, by process and event: alone, or with others.
static bool *find_possible(Mem *mem, const Net *net) {
  const size_t events = net->events.size, count = net->processes.size * events;
  bool *possible = mem_alloc(mem, count * sizeof *possible);
  for (size_t i = 0; i < count; i++)
    possible[i] = net->async[i];
  for (uint32_t s = 0; s < net->syncs.size; s++)
    for (uint32_t k = 0; k < net->syncs.items[s].parts.size; k++) {
      const SyncPart *part = &net->syncs.items[s].parts.items[k];
      possible[part->process * events + part->event] = true;
    }
  return possible;
}

// Edges that wait for others on a channel that no other process uses are left out: in TChecker's
// language an event without a synchronisation is one of the process alone.
static void add_possible(Text *text, const Net *net, const Edge *edge, const bool *possible) {
  if (possible[(size_t)edge->process * net->events.size + edge->event])
    add_edge(text, net, edge);
}

static void add_processes(Text *text, const Net *net) {
  const bool grouped = edges_are_grouped(net);
  bool *possible = find_possible(text->mem, net);
  EdgeId edge = 0;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    text_addf(text, "\nprocess:%s", process->name);
    end_kept(text, &process->attributes);
    for (uint32_t i = 0; i < process->location_count; i++)
      add_location(text, net, net_location(net, p, (int32_t)i));
    for (; grouped && edge < net->edges.size && net->edges.items[edge].process == p; edge++)
      add_possible(text, net, &net->edges.items[edge], possible);
  }
  if (edge < net->edges.size)
    text_add_char(text, '\n');
  for (; edge < net->edges.size; edge++)
    add_possible(text, net, &net->edges.items[edge], possible);
  mem_free(text->mem, possible);
}

static void add_sync(Text *text, const Net *net, const Sync *sync) {
  text_add(text, "sync");
  for (uint32_t i = 0; i < sync->parts.size; i++) {
    const SyncPart *part = &sync->parts.items[i];
    text_addf(text, ":%s@%s%s", net->processes.items[part->process].name,
              net->events.items[part->event].name, part->weak ? "?" : "");
  }
  end_kept(text, &sync->attributes);
}

void tck_write(Text *text, const Net *net) {
  text_addf(text, "system:%s", net->origin.name);
  end_kept(text, &net->origin.attributes);
  if (net->events.size || net->clocks.size || net->variables.size)
    text_add_char(text, '\n');
  add_names(text, net);
  add_processes(text, net);
  if (net->syncs.size)
    text_add_char(text, '\n');
  for (uint32_t i = 0; i < net->syncs.size; i++)
    add_sync(text, net, &net->syncs.items[i]);
}
