#include "language/tchecker/tck_writer.h"

#include "language/tchecker/tck_definitions.h"
#include "model/stopwatches.h"

#include <string.h>

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

static void add_location(Text *text, const Definitions *d, const Location *location) {
  const Net *net = d->net;
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
    stopwatches_print(text, location, &d->marks);
  }
  add_kept(text, &any, &location->attributes);
  end_attributes(text, any);
}

static void add_edge(Text *text, const Definitions *d, const Edge *edge) {
  const Net *net = d->net;
  bool any = false;
  text_addf(text, "edge:%s:%s:%s:%s", net->processes.items[edge->process].name,
            net->locations.items[edge->source].name, net->locations.items[edge->target].name,
            net->events.items[edge->event].name);
  if (edge->guard_expr) {
    add_key(text, &any, "provided");
    text_add_char(text, ' ');
    expr_print_marked(text, edge->guard_expr, &d->marks);
  }
  if (edge->update_stmts) {
    add_key(text, &any, "do");
    text_add_char(text, ' ');
    stmt_print_marked(text, edge->update_stmts, &d->marks);
  }
  add_kept(text, &any, &edge->attributes);
  end_attributes(text, any);
}

static void end_event(Text *text, const Net *net, EventId event) {
  bool any = false;
  const uint32_t c = net->event_channels ? net->event_channels[event] : 0;
  const Channel *channel = c ? &net->channels.items[c - 1] : NULL;
  if (channel && channel->urgent)
    add_key(text, &any, "urgent");
  if (net->priority.is_used) {
    add_key(text, &any, "priority");
    text_addf(text, " %d", (int)(channel ? channel->priority : net->priority.tau));
  }
  add_kept(text, &any, &net->events.items[event].attributes);
  end_attributes(text, any);
}

// What the first numbers of the line do not say: the type, unless it is one number or an array of
// them with indices from 0, and the values that it starts with, unless they are all `value`.
static void end_storage(Text *text, const Name *name, int32_t value, int64_t unit) {
  bool any = false, same = true;
  const Type *type = name->type,
             *element = type->kind == TYPE_ARRAY && !type->first ? type->element : type;
  if (element->kind == TYPE_ARRAY || element->kind == TYPE_STRUCT) {
    add_key(text, &any, "type");
    text_add_char(text, ' ');
    definitions_print_type(text, type);
  }
  for (uint32_t k = 0; name->initial && k < type->slots; k++)
    same = same && name->initial[k] == value;
  if (!same)
    add_key(text, &any, "values");
  for (uint32_t k = 0; !same && k < type->slots; k++)
    text_addf(text, "%c%lld", k ? ',' : ' ', (long long)(name->initial[k] * unit));
  if (name->is_meta)
    add_key(text, &any, "meta");
  add_kept(text, &any, &name->attributes);
  end_attributes(text, any);
}

static void add_names(Text *text, const Net *net) {
  for (EventId i = 0; i < net->events.size; i++) {
    text_addf(text, "event:%s", net->events.items[i].name);
    end_event(text, net, i);
  }
  for (uint32_t i = 0; i < net->clocks.size; i++) {
    const Name *clock = &net->clocks.items[i];
    text_addf(text, "clock:%u:%s", clock->type->slots, clock->name);
    end_storage(text, clock, 0, net_unit(net));
  }
  for (uint32_t i = 0; i < net->variables.size; i++) {
    const Name *variable = &net->variables.items[i];
    const Type *type =
        variable->type->kind == TYPE_ARRAY ? variable->type->element : variable->type;
    text_addf(text, "int:%u:%d:%d:%d:%s", variable->type->slots, type->min, type->max,
              variable->initial[0], variable->name);
    end_storage(text, variable, variable->initial[0], 1);
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
static void add_possible(Text *text, const Definitions *d, const Edge *edge,
                         const bool *possible) {
  const Net *net = d->net;
  if (possible[(size_t)edge->process * net->events.size + edge->event])
    add_edge(text, d, edge);
}

static void end_process(Text *text, const Net *net, const Process *process) {
  bool any = false;
  if (net->priority.is_used) {
    add_key(text, &any, "priority");
    text_addf(text, " %d", (int)process->priority);
  }
  add_kept(text, &any, &process->attributes);
  end_attributes(text, any);
}

static void add_processes(Text *text, const Definitions *d) {
  const Net *net = d->net;
  const bool grouped = edges_are_grouped(net);
  bool *possible = find_possible(text->mem, net);
  EdgeId edge = 0;
  for (ProcessId p = 0; p < net->processes.size; p++) {
    const Process *process = &net->processes.items[p];
    text_addf(text, "\nprocess:%s", process->name);
    end_process(text, net, process);
    for (uint32_t i = 0; i < process->location_count; i++)
      add_location(text, d, net_location(net, p, (int32_t)i));
    for (; grouped && edge < net->edges.size && net->edges.items[edge].process == p; edge++)
      add_possible(text, d, &net->edges.items[edge], possible);
  }
  if (edge < net->edges.size)
    text_add_char(text, '\n');
  for (; edge < net->edges.size; edge++)
    add_possible(text, d, &net->edges.items[edge], possible);
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

static void add_definitions(Text *text, Definitions *d) {
  const NetHooks *hooks = &d->net->hooks;
  Text code = {.mem = text->mem};
  if (hooks->before_stmts) {
    text_add(&code, "before_update");
    definitions_print_code(d, &code, hooks->before_stmts);
  }
  if (hooks->after_stmts) {
    text_add(&code, "after_update");
    definitions_print_code(d, &code, hooks->after_stmts);
  }
  definitions_print(d, &code);
  if (code.size)
    text_addf(text, "\n%s", code.chars);
  text_release(&code);
}

void tck_write(Text *text, const Net *net) {
  Definitions d;
  definitions_begin(&d, text->mem, net);
  text_addf(text, "system:%s", net->origin.name);
  end_kept(text, &net->origin.attributes);
  if (net->invalid_is_error)
    text_add(text, "# integers as in UPPAAL's language\n");
  if (net->events.size || net->clocks.size || net->variables.size)
    text_add_char(text, '\n');
  add_names(text, net);
  add_processes(text, &d);
  if (net->syncs.size)
    text_add_char(text, '\n');
  for (uint32_t i = 0; i < net->syncs.size; i++)
    add_sync(text, net, &net->syncs.items[i]);
  add_definitions(text, &d);
  definitions_end(&d);
}
