#include "analysis/resources.h"

#include "base/random.h"
#include "base/testbuild.h"
#include "model/access.h"

#include <string.h>

// Users are the edges and, behind them, the invariants of the locations.
typedef struct Finder {
  Resources *out;
  Arena *arena; // of the result
  Arena scratch;
  const Net *net;
  Report *report;
  Access access;
  uint32_t words; // of a set of processes
  uint32_t users;
  uint32_t *alike;   // by user: the first edge with the same process and event, or itself
  uint64_t *domains; // by such an edge, or invariant: processes in every action with it
  bool *can_fire;    // the same: it is part of some action
  bool *sets_clocks; // by user that can fire
  uint32_t cells;    // of model/access.h, then one for each channel: see find_offered
  // By location and channel: an edge over the urgent channel; NULL: no channel is. And by channel
  // and cell: the channel's guards read it.
  bool *offered, *watched;
  // By cell:
  uint64_t *owners; // processes that take part in every access
  uint8_t *kinds;   // all accesses together
  bool *is_pure;    // some access only reads
  uint64_t *signature;
  ResourceId *resource;
} Finder;

static void add_process(uint64_t *set, ProcessId p) { set[p / 64] |= (uint64_t)1 << p % 64; }

static uint64_t *domain_of(const Finder *f, uint32_t user) {
  return f->domains + (size_t)f->alike[user] * f->words;
}

// A weak participant belongs to the domain whether it takes part or not. `first` has one edge + 1
// for each process and event.
static void include_sync(Finder *f, const Sync *sync, const EdgeId *first) {
  uint64_t *parts = mem_alloc(f->scratch.mem, f->words * sizeof *parts);
  for (uint32_t k = 0; k < sync->parts.size; k++)
    add_process(parts, sync->parts.items[k].process);
  for (uint32_t k = 0; k < sync->parts.size; k++) {
    const SyncPart *part = &sync->parts.items[k];
    f->out->has_weak |= part->weak && !PLANTED("local-weak");
    const EdgeId e = first[(size_t)part->process * f->net->events.size + part->event];
    if (!e)
      continue;
    uint64_t *domain = domain_of(f, e - 1);
    for (uint32_t w = 0; w < f->words; w++)
      domain[w] = f->can_fire[e - 1] ? domain[w] & parts[w] : parts[w];
    f->can_fire[e - 1] = true;
  }
  mem_free(f->scratch.mem, parts);
}

static void find_domains(Finder *f) {
  const Net *net = f->net;
  const uint32_t edges = net->edges.size;
  EdgeId *first =
      ARENA_ARRAY(&f->scratch, EdgeId, (size_t)net->processes.size * net->events.size);
  for (EdgeId e = 0; e < edges; e++) {
    const Edge *edge = &net->edges.items[e];
    const size_t pair = (size_t)edge->process * net->events.size + edge->event;
    if (!first[pair])
      first[pair] = e + 1;
    f->alike[e] = first[pair] - 1;
    f->can_fire[f->alike[e]] = net->async[pair];
    if (net->async[pair])
      add_process(domain_of(f, e), edge->process);
  }
  for (uint32_t s = 0; s < net->syncs.size; s++) {
    mem_tick(f->scratch.mem);
    include_sync(f, &net->syncs.items[s], first);
  }
  for (LocationId l = 0; l < net->locations.size; l++) {
    f->alike[edges + l] = edges + l;
    f->can_fire[edges + l] = true;
    add_process(domain_of(f, edges + l), net->locations.items[l].process);
  }
}

static bool is_location(const Finder *f, CellId cell) {
  return cell >= f->access.first_location && cell < f->access.first_clock;
}

// Urgent channels. No time passes while a synchronisation is enabled: this is like an invariant
// of the locations that offer its edges. Whether it is enabled is a cell of its own. An action
// writes it if it enters or leaves such a location, or writes what a guard of the channel reads.

static const Channel *urgent_channel(const Net *net, const Edge *edge) {
  const uint32_t c = net->event_channels ? net->event_channels[edge->event] : 0;
  const Channel *channel = c ? &net->channels.items[c - 1] : NULL;
  const bool stops =
      channel && channel->urgent && (!channel->broadcast || edge->event == channel->send);
  return stops ? channel : NULL;
}

static void find_offered(Finder *f) {
  const Net *net = f->net;
  const size_t channels = net->channels.size;
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const Edge *edge = &net->edges.items[e];
    const Channel *channel = urgent_channel(net, edge);
    f->out->has_urgent |= channel != NULL;
    if (!channel || PLANTED("offers"))
      continue;
    if (!f->offered) {
      f->offered = ARENA_ARRAY(&f->scratch, bool, net->locations.size *channels);
      f->watched = ARENA_ARRAY(&f->scratch, bool, channels * f->cells);
    }
    const size_t c = (size_t)(channel - net->channels.items);
    f->offered[edge->source * channels + c] = true;
    access_expr(&f->access, edge->guard_expr);
    for (uint32_t i = 0; i < f->access.marked.size && !PLANTED("changes"); i++)
      f->watched[c * f->cells + f->access.marked.items[i]] = true;
    access_clear(&f->access);
  }
}

static void mark_offered(Finder *f, LocationId location, uint8_t kind) {
  const size_t channels = f->offered ? f->net->channels.size : 0;
  for (uint32_t c = 0; c < channels; c++)
    if (f->offered[location * channels + c])
      access_mark(&f->access, f->access.cell_count + c, kind);
}

// The marked cells are those of an edge: channels whose guards read what it writes.
static void mark_watched(Finder *f) {
  const uint32_t count = f->access.marked.size;
  const size_t channels = f->offered ? f->net->channels.size : 0;
  for (uint32_t c = 0; c < channels; c++)
    for (uint32_t i = 0; i < count; i++) {
      const CellId cell = f->access.marked.items[i];
      if (f->watched[c * f->cells + cell] && f->access.marks[cell] & ACCESS_WRITE)
        access_mark(&f->access, f->access.cell_count + c, ACCESS_WRITE);
    }
}

// Marks what a user accesses, and nothing else.
static void mark_user(Finder *f, uint32_t user) {
  const Net *net = f->net;
  Access *access = &f->access;
  access_clear(access);
  if (user < net->edges.size) {
    const Edge *edge = &net->edges.items[user];
    access_expr(access, edge->guard_expr);
    access_stmts(access, edge->update_stmts);
    mark_watched(f);
    mark_offered(f, edge->source, ACCESS_WRITE);
    mark_offered(f, edge->target, ACCESS_WRITE);
  } else {
    const LocationId location = user - net->edges.size;
    access_expr(access, net->locations.items[location].invariant_expr);
    mark_offered(f, location, ACCESS_READ);
  }
}

// The location of another process is not a variable that somebody writes now and then.
static void refuse_location(Finder *f, uint32_t user) {
  const Net *net = f->net;
  const bool is_edge = user < net->edges.size;
  report_error(f->report,
               is_edge ? net->edges.items[user].place
                       : net->locations.items[user - net->edges.size].place,
               "local time cannot follow %s that depends on the location of another process; use "
               "--engine zones",
               is_edge ? "an edge" : "an invariant");
}

// What happens must be decided by the processes that take part, at their own time.
static void refuse_channels(Finder *f) {
  const Net *net = f->net;
  const char *why = NULL;
  Place place = net->origin.place;
  for (EdgeId e = 0; e < net->edges.size; e++) {
    const uint32_t c = net->event_channels ? net->event_channels[net->edges.items[e].event] : 0;
    if (c && net->channels.items[c - 1].urgent && net->edges.items[e].is_negated) {
      why = "whether time may pass depends on a clock guard of an urgent channel, which local "
            "time does not follow";
      place = net->edges.items[e].place;
    }
  }
  if (net->priority.is_used)
    why = "priorities compare actions that are possible at the same time, and in local time each "
          "process has its own";
  else if (net->traits.is_listed && !why)
    why = "whether a broadcast receiver takes part depends on a guard, which local time does not "
          "follow";
  else if (net->hooks.before_stmts || net->hooks.after_stmts)
    why = "before_update and after_update make every action depend on every other";
  else if (net->clock_initial)
    why = "a clock does not start with 0, which local time does not follow";
  if (why)
    report_error(f->report, place, "%s; use --engine zones", why);
}

static void note(Finder *f, uint32_t user, CellId cell) {
  const uint8_t kind = f->access.marks[cell];
  const uint64_t *domain = domain_of(f, user);
  uint64_t *owners = f->owners + (size_t)cell * f->words;
  Random random;
  for (uint32_t w = 0; w < f->words; w++)
    owners[w] &= domain[w];
  f->kinds[cell] |= kind;
  // An action that enters or leaves a location that offers a channel writes its cell; the time
  // does not matter.
  f->is_pure[cell] |= !(kind & ACCESS_WRITE) && cell < f->access.cell_count;
  f->sets_clocks[user] |=
      kind & ACCESS_WRITE && cell > f->access.first_clock && cell < f->access.cell_count;
  random_seed(&random, (uint64_t)user * 8 + kind);
  f->signature[cell] += random_next(&random);
}

static void find_owners(Finder *f) {
  memset(f->owners, 0xff, (size_t)f->cells * f->words * sizeof(uint64_t));
  for (uint32_t u = 0; u < f->users; u++) {
    mark_user(f, u);
    for (uint32_t i = 0; i < f->access.marked.size; i++) {
      const CellId cell = f->access.marked.items[i];
      if (is_location(f, cell))
        refuse_location(f, u);
      if (f->can_fire[f->alike[u]])
        note(f, u, cell);
    }
  }
}

static bool is_shared(const Finder *f, CellId cell) {
  if (!(f->kinds[cell] & ACCESS_WRITE) || is_location(f, cell))
    return false;
  const uint64_t *owners = f->owners + (size_t)cell * f->words;
  for (uint32_t w = 0; w < f->words; w++)
    if (owners[w])
      return false;
  return true;
}

// The resource of an earlier variable with the same accesses. (Two that differ and yet have
// one signature may be taken together all the same: a resource has the accesses of both.)
static ResourceId find_same(const Finder *f, CellId cell) {
  for (CellId other = 0; other < cell && cell < f->access.first_location; other++)
    if (f->resource[other] != RESOURCE_NONE && f->signature[other] == f->signature[cell])
      return f->resource[other];
  return RESOURCE_NONE;
}

static void make_resources(Finder *f) {
  Resources *out = f->out;
  const CellId first_clock = f->access.first_clock;
  out->items = ARENA_ARRAY(f->arena, Resource, f->cells);
  for (CellId cell = 0; cell < f->cells; cell++) {
    mem_tick(f->arena->mem);
    f->resource[cell] = RESOURCE_NONE;
    if (!is_shared(f, cell))
      continue;
    ResourceId id = find_same(f, cell);
    if (id == RESOURCE_NONE) {
      id = out->count++;
      const bool is_clock = cell >= first_clock && cell < f->access.cell_count;
      out->items[id].clock = is_clock ? cell - first_clock : 0;
    }
    f->resource[cell] = id;
    Resource *resource = &out->items[id];
    resource->is_read |= f->is_pure[cell];
    resource->is_own |= !resource->clock || (f->kinds[cell] & ACCESS_SET);
  }
  for (ResourceId id = 0; id < out->count; id++) {
    out->items[id].is_own &= out->items[id].is_read;
    if (out->items[id].is_own)
      out->items[id].written = out->written_count++;
  }
}

// Resources among the marked cells that are written, or not.
static ResourceList list_resources(Finder *f, bool is_write) {
  const Access *access = &f->access;
  ResourceId *items = ARENA_ARRAY(f->arena, ResourceId, access->marked.size);
  mem_tick(f->arena->mem);
  uint8_t *kinds = f->kinds; // of resources now, which are fewer than cells
  memset(kinds, 0, f->out->count);
  for (uint32_t i = 0; i < access->marked.size; i++) {
    const CellId cell = access->marked.items[i];
    if (f->resource[cell] != RESOURCE_NONE)
      kinds[f->resource[cell]] |= access->marks[cell];
  }
  uint32_t size = 0;
  for (ResourceId id = 0; id < f->out->count; id++)
    if (kinds[id] && ((kinds[id] & ACCESS_WRITE) != 0) == is_write)
      items[size++] = id;
  return (ResourceList){items, size};
}

static void list_all(Finder *f) {
  Resources *out = f->out;
  out->edge_reads = ARENA_ARRAY(f->arena, ResourceList, f->users);
  out->edge_writes = ARENA_ARRAY(f->arena, ResourceList, f->users);
  out->invariant_reads = out->edge_reads + f->net->edges.size;
  for (uint32_t u = 0; u < f->users && out->count; u++) {
    mark_user(f, u);
    out->edge_reads[u] = list_resources(f, false);
    out->edge_writes[u] = list_resources(f, true);
  }
}

// Cells of variables and clocks, by what the network calls them.
static void name_cells(Finder *f) {
  const Net *net = f->net;
  ResourceId *slots = ARENA_ARRAY(f->arena, ResourceId, net->location_slot + 1);
  ResourceId *clocks = ARENA_ARRAY(f->arena, ResourceId, net->clock_count + 1);
  for (uint32_t v = 0; v < net->variables.size; v++) {
    const Name *variable = &net->variables.items[v];
    const bool is_whole = variable->type->slots > ACCESS_MAX_SLOTS;
    for (uint32_t k = 0; k < variable->type->slots; k++)
      slots[variable->base + k] = f->resource[f->access.first[v] + (is_whole ? 0 : k)];
  }
  clocks[0] = RESOURCE_NONE;
  for (ClockIndex x = 1; x <= net->clock_count; x++)
    clocks[x] = f->resource[f->access.first_clock + x];
  f->out->slot_resource = slots;
  f->out->clock_resource = clocks;
}

// Whether one writes what the other accesses.
static bool conflicts(const Resources *c, EdgeId a, EdgeId b) {
  return resources_meet(c->edge_writes[a], c->edge_writes[b]) ||
         resources_meet(c->edge_writes[a], c->edge_reads[b]) ||
         resources_meet(c->edge_writes[b], c->edge_reads[a]);
}

// Which share of the pairs of edges of different processes commute in local time: all that
// have no process and no resource in common. Only edges that set clocks count: the others commute
// in global time as well. Of a large network a regular sample is taken.
static void find_independence(Finder *f) {
  enum { MAX = 400 };
  const Net *net = f->net;
  const uint32_t step = net->edges.size / MAX + 1;
  uint64_t pairs = 0, independent = 0;
  for (EdgeId a = 0; a < net->edges.size; a += step)
    for (EdgeId b = a + 1; b < net->edges.size; b += step) {
      if (!f->sets_clocks[a] || !f->sets_clocks[b] ||
          net->edges.items[a].process == net->edges.items[b].process)
        continue;
      const uint64_t *x = domain_of(f, a), *y = domain_of(f, b);
      bool meet = conflicts(f->out, a, b);
      for (uint32_t w = 0; w < f->words; w++)
        meet |= (x[w] & y[w]) != 0;
      pairs++;
      independent += !meet;
    }
  f->out->independent = pairs ? (double)independent / (double)pairs : 0;
}

static void allocate(Finder *f) {
  Arena *scratch = &f->scratch;
  const uint32_t cells = f->access.cell_count + f->net->channels.size;
  f->cells = cells;
  f->access.marks = ARENA_ARRAY(scratch, uint8_t, cells); // of channels, too
  f->words = (f->net->processes.size + 63) / 64;
  f->users = f->net->edges.size + f->net->locations.size;
  f->alike = ARENA_ARRAY(scratch, uint32_t, f->users);
  f->domains = ARENA_ARRAY(scratch, uint64_t, (size_t)f->users * f->words);
  f->can_fire = ARENA_ARRAY(scratch, bool, f->users);
  f->sets_clocks = ARENA_ARRAY(scratch, bool, f->users);
  f->owners = ARENA_ARRAY(scratch, uint64_t, (size_t)cells * f->words);
  f->kinds = ARENA_ARRAY(scratch, uint8_t, cells);
  f->is_pure = ARENA_ARRAY(scratch, bool, cells);
  f->signature = ARENA_ARRAY(scratch, uint64_t, cells);
  f->resource = ARENA_ARRAY(scratch, ResourceId, cells);
}

bool resources_find(Resources *out, Arena *arena, const Net *net, Report *report) {
  *out = (Resources){0};
  Finder f = {
      .out = out, .arena = arena, .scratch = {.mem = arena->mem}, .net = net, .report = report};
  access_init(&f.access, &f.scratch, net);
  allocate(&f);
  find_domains(&f);
  find_offered(&f);
  find_owners(&f);
  refuse_channels(&f);
  make_resources(&f);
  list_all(&f);
  name_cells(&f);
  find_independence(&f);
  access_release(&f.access);
  arena_release(&f.scratch);
  return !report || !report_failed(report);
}
