#include "check/trees/twin.h"

#include "check/trees/tckterms.h"

#include <string.h>

void twin_differs(Twin *t, Place place, const char *what) {
  Resolver *r = &t->resolver;
  if (r->difference.size)
    return;
  if (place.source) {
    report_place(&r->difference, place);
    text_add(&r->difference, ": ");
  }
  text_add(&r->difference, what);
}

// What is not known as a whole may look different.
const char *twin_difference(const Twin *t) {
  return !t->resolver.lost && t->resolver.difference.size ? text_chars(&t->resolver.difference)
                                                          : NULL;
}

static void note_unknown(Twin *t, Place place, const char *why) {
  t->unknown++;
  if (t->why_unknown)
    return;
  t->why_unknown = why;
  t->unknown_place = place;
}

// Processes.

typedef struct ProcessMaker {
  Twin *t;
  const Named *named;
  int32_t priority;
  const Shape **params;
  VEC(int32_t) values;
} ProcessMaker;

static Space *bind_arguments(Twin *t, const MakerNode *maker, Space *outer) {
  Resolver *r = &t->resolver;
  Space *space = space_new(r, maker->of->instance ? t->system : t->globals);
  const Tree *arg = maker->instance->list;
  for (const VarNode *p = maker->of->params; p && arg; p = p->next, arg = arg->next)
    resolve_argument(r, space, p, outer, arg);
  return space;
}

static void make_locations(Twin *t, ProcessId process, const TemplateNode *template,
                           Space *space) {
  const Net *net = t->net;
  const Process *there = &net->processes.items[process];
  uint32_t k = 0;
  for (const LocationNode *l = template->locations; l; l = l->next) {
    if (l->is_branch || !l->name)
      continue;
    space_add(&t->resolver, space, l->name, NAMED_LOCATION)->first = k;
    const LocationId id = there->first_location + k++;
    const Location *location = id < net->locations.size ? &net->locations.items[id] : NULL;
    if (k > there->location_count || !location || strcmp(location->name, l->name) != 0 ||
        location->process != process || location->initial != (l->id == template->init) ||
        location->urgent != l->is_urgent || location->committed != l->is_committed ||
        net->by_location.urgent[id] != (l->is_urgent || l->is_committed) ||
        net->by_location.committed[id] != l->is_committed)
      twin_differs(t, l->place, "the network has another location");
  }
  if (k != there->location_count)
    twin_differs(t, template->place, "the network has other locations");
}

// Edges.

typedef struct EdgeFinder {
  Twin *t;
  ProcessId process;
  const TemplateNode *template;
  Space *space;        // of the process
  Space *branch_space; // with what the branch selects, which does not see what the edge does
  Space *ids;          // locations by their ids
  const EdgeId *there; // the edges of the process in the network
  uint32_t count, next;
  const EdgeNode *edge, *branch;
  LocationId source, target;
  VEC(int32_t) choices;
} EdgeFinder;

static const VarNode *select_at(const EdgeFinder *f, uint32_t k, bool *is_there) {
  const VarNode *v = f->edge->select;
  for (; v && k; k--)
    v = v->next;
  if (!v && f->branch)
    for (v = f->branch->select; v && k; k--)
      v = v->next;
  *is_there = v;
  return v;
}

static bool has_choices(const EdgeFinder *f, const Edge *edge) {
  Text text = {.mem = f->t->resolver.mem};
  bool is_there;
  for (uint32_t k = 0; k < f->choices.size; k++) {
    const VarNode *v = select_at(f, k, &is_there);
    text_addf(&text, "%s%s=%d", k ? ", " : "", v->name, (int)f->choices.items[k]);
  }
  const bool same = f->choices.size
                        ? edge->select_text && !strcmp(text_chars(&text), edge->select_text)
                        : !edge->select_text;
  text_release(&text);
  return same;
}

static bool is_of(const EdgeFinder *f, const Edge *edge) {
  return edge->place.source == f->edge->place.source &&
         edge->place.offset == f->edge->place.offset && edge->source == f->source &&
         edge->target == f->target && has_choices(f, edge);
}

static const EdgeNode *synchronised(const TwinEdge *e) {
  return !e->edge->channel && e->branch ? e->branch : e->edge;
}

static void resolve_edge(Twin *t, TwinEdge *e) {
  Resolver *r = &t->resolver;
  if (e->is_resolved)
    return;
  e->is_resolved = true;
  if (t->listed) {
    const TckAttributes attributes = t->listed->edges.items[e - t->edges.items].attributes;
    e->guards[0] = tckterms_condition(t->listed, attributes, "provided");
    e->update = tckterms_updates(t->listed, attributes);
    return;
  }
  e->guards[0] = resolve_condition(r, e->space, e->edge->guard);
  if (e->branch)
    e->guards[1] = resolve_condition(r, e->branch_space, e->branch->guard);
  if (synchronised(e)->channel)
    e->channel = resolve_channel(r, synchronised(e) == e->edge ? e->space : e->branch_space,
                                 synchronised(e)->channel);
  e->update = resolve_updates(r, e->space, e->edge->update, e->branch_space,
                              e->branch ? e->branch->update : NULL);
}

static uint32_t channel_at(const Net *net, EventId event) {
  return net->event_channels ? net->event_channels[event] - 1 : NET_NONE;
}

static bool is_listed(const Twin *t, const EdgeId *edges, uint32_t count, uint32_t channel) {
  for (uint32_t i = 0; i < count; i++)
    if (t->channel_of[edges[i]] == channel)
      return true;
  return false;
}

// Takes the edges of the network that are this one, for its channels.
static uint32_t take_edges(EdgeFinder *f, const TwinEdge *made, uint32_t index) {
  Twin *t = f->t;
  const Net *net = t->net;
  const bool is_synchronised = synchronised(made)->channel;
  const bool sends = synchronised(made)->direction == SYNC_SEND;
  const uint32_t first = f->next;
  while (f->next < f->count && is_of(f, &net->edges.items[f->there[f->next]])) {
    const EdgeId id = f->there[f->next];
    const EventId event = net->edges.items[id].event;
    const uint32_t channel = channel_at(net, event);
    if ((!is_synchronised && f->next > first) ||
        is_listed(t, f->there + first, f->next - first, channel))
      break; // of another branch to the same location
    t->edge_of[id] = index;
    t->channel_of[id] = channel;
    const Channel *c = channel == NET_NONE ? NULL : &net->channels.items[channel];
    if (is_synchronised != (channel != NET_NONE) ||
        (c && event != (sends ? c->send : c->receive)))
      twin_differs(t, made->edge->place, "the edge of the network synchronises otherwise");
    f->next++;
  }
  return f->next - first;
}

static void watch(Twin *t, uint32_t index) {
  TwinEdge *e = &t->edges.items[index];
  e->next = t->watched[e->source];
  t->watched[e->source] = index + 1;
}

static void make_edge(EdgeFinder *f, Space *space) {
  Twin *t = f->t;
  Resolver *r = &t->resolver;
  TwinEdge made = {.edge = f->edge,
                   .branch = f->branch,
                   .source = f->source,
                   .space = space,
                   .branch_space = f->branch_space};
  const uint32_t index = t->edges.size;
  const uint32_t count = take_edges(f, &made, index);
  bool is_watched = false;
  if (!count) {
    resolve_edge(t, &made);
    is_watched = !resolve_is_never(r, &made.guards[0]) && !resolve_is_never(r, &made.guards[1]);
  } else if (synchronised(&made)->channel) {
    uint32_t channel = NET_NONE;
    resolve_edge(t, &made);
    is_watched = !resolve_fixed_channel(r, &made.channel, &channel) ||
                 !is_listed(t, f->there + f->next - count, count, channel);
  }
  vec_push(r->mem, &t->edges, made);
  if (is_watched)
    watch(t, index);
}

static void choose(EdgeFinder *f, Space *space) {
  Resolver *r = &f->t->resolver;
  bool is_there;
  const VarNode *select = select_at(f, f->choices.size, &is_there);
  if (!is_there) {
    make_edge(f, space);
    return;
  }
  bool is_own = false; // of the edge, not of the branch
  for (const VarNode *v = f->edge->select; v; v = v->next)
    is_own |= v == select;
  Space *outer = is_own ? space : f->branch_space;
  int32_t low = 1, high = 0;
  ResolverFrame frame = {0};
  r->frame = &frame;
  r->unknown = NULL;
  const bool is_known = resolve_range(r, outer, select->type, &low, &high);
  r->frame = NULL;
  if (!is_known || !select->name) {
    resolver_gives_up(r, select->place, "the values of a `select` are not known");
    return;
  }
  for (int64_t value = low; value <= high; value++) {
    Space *inner = space_new(r, outer);
    resolve_number(r, inner, select->name, (int32_t)value);
    vec_push(r->mem, &f->choices, (int32_t)value);
    if (!is_own)
      f->branch_space = inner;
    choose(f, is_own ? inner : space);
    if (!is_own)
      f->branch_space = outer;
    (void)vec_pop(&f->choices);
  }
}

static bool find_location(const EdgeFinder *f, const char *id, LocationId *location,
                          bool *is_branch) {
  const Named *named = id ? space_find_here(f->ids, id) : NULL;
  if (!named)
    return false;
  *location = f->t->net->processes.items[f->process].first_location + named->first;
  *is_branch = named->count;
  return true;
}

static void make_edges(EdgeFinder *f) {
  uint32_t k = 0;
  bool is_branch;
  f->ids = space_new(&f->t->resolver, NULL);
  for (const LocationNode *l = f->template->locations; l; l = l->next) {
    Named *named = space_add(&f->t->resolver, f->ids, l->id, NAMED_LOCATION);
    named->first = k;
    named->count = l->is_branch;
    k += !l->is_branch;
  }
  for (const EdgeNode *edge = f->template->edges; edge; edge = edge->next) {
    f->edge = edge;
    if (!find_location(f, edge->source, &f->source, &is_branch) || is_branch ||
        !find_location(f, edge->target, &f->target, &is_branch))
      continue;
    if (!is_branch) {
      choose(f, f->space);
      continue;
    }
    for (f->branch = f->template->edges; f->branch; f->branch = f->branch->next)
      if (f->branch->source == edge->target &&
          find_location(f, f->branch->target, &f->target, &is_branch) && !is_branch)
        choose(f, f->space);
  }
  if (f->next != f->count)
    twin_differs(f->t, f->t->net->edges.items[f->there[f->next]].place,
                 "the network has an edge that the file does not have");
  vec_release(f->t->resolver.mem, &f->choices);
}

static void make_all_edges(Twin *t) {
  const Net *net = t->net;
  Mem *mem = t->resolver.mem;
  uint32_t *first = mem_alloc(mem, (net->processes.size + 2) * sizeof *first);
  EdgeId *there = mem_alloc(mem, (net->edges.size + 1) * sizeof *there);
  for (uint32_t p = 0; p < net->processes.size + 2; p++)
    first[p] = 0;
  for (EdgeId e = 0; e < net->edges.size; e++)
    first[net->edges.items[e].process + 2]++;
  for (ProcessId p = 0; p < net->processes.size; p++)
    first[p + 2] += first[p + 1];
  for (EdgeId e = 0; e < net->edges.size; e++)
    there[first[net->edges.items[e].process + 1]++] = e;
  for (ProcessId p = 0; p < t->processes.size && !twin_difference(t) && !t->resolver.lost; p++) {
    const char *name = net->processes.items[p].template_name;
    const TemplateNode *template = t->resolver.document->templates;
    while (template && template->name != name)
      template = template->next;
    EdgeFinder f = {.t = t,
                    .process = p,
                    .template = template,
                    .space = t->processes.items[p].own,
                    .branch_space = t->processes.items[p].own,
                    .there = there + first[p],
                    .count = first[p + 1] - first[p]};
    make_edges(&f);
  }
}

static void make_process(ProcessMaker *m) {
  Twin *t = m->t;
  Resolver *r = &t->resolver;
  const MakerNode *maker = m->named->maker;
  const ProcessId id = t->processes.size;
  Text name = {.mem = r->mem};
  text_add(&name, m->named->name);
  for (uint32_t k = 0; k < m->values.size; k++)
    text_addf(&name, "%s%d", k ? "," : "(", (int)m->values.items[k]);
  if (m->values.size)
    text_add_char(&name, ')');
  const Process *there = id < t->net->processes.size ? &t->net->processes.items[id] : NULL;
  if (!there || strcmp(there->name, text_chars(&name)) != 0 ||
      there->template_name != maker->template->name || there->priority != m->priority) {
    resolver_differs(r, "the network has another process than `%s`", text_chars(&name));
    text_release(&name);
    return;
  }
  text_add_char(&name, '.');
  r->prefix = arena_keep(&t->arena, &name);
  Space *params = space_new(r, maker->instance ? t->system : t->globals);
  uint32_t k = 0;
  for (const VarNode *p = maker->params; p; p = p->next, k++) {
    resolve_number(r, params, p->name, m->values.items[k]);
    space_find_here(params, p->name)->shape = m->params[k];
  }
  for (; maker->instance; maker = maker->of)
    params = bind_arguments(t, maker, params);
  for (const VarNode *p = maker->template->params; p; p = p->next)
    resolve_variable_param(r, params, p);
  Space *own = space_new(r, params);
  resolve_declarations(r, own, maker->template->decls);
  make_locations(t, id, maker->template, own);
  vec_push(r->mem, &t->processes, ((ProcessSpaces){own, params}));
  r->prefix = NULL;
}

static void expand(ProcessMaker *m, uint32_t k, uint32_t count) {
  if (twin_difference(m->t) || m->t->resolver.lost)
    return;
  if (k == count) {
    make_process(m);
    return;
  }
  for (int64_t value = m->params[k]->low; value <= m->params[k]->high; value++) {
    vec_push(m->t->resolver.mem, &m->values, (int32_t)value);
    expand(m, k + 1, count);
    (void)vec_pop(&m->values);
  }
}

static void make_processes(Twin *t, const LevelNode *item) {
  Resolver *r = &t->resolver;
  const Named *named = item->expr && item->expr->kind == NODE_NAME
                           ? space_find(t->system, item->expr->name)
                           : NULL;
  if (!named || named->kind != NAMED_MAKER || !named->maker->template) {
    twin_differs(t, t->resolver.document->system_place, "a process of the system is not known");
    return;
  }
  uint32_t count = 0;
  for (const VarNode *p = named->maker->params; p; p = p->next)
    count++;
  ProcessMaker m = {.t = t,
                    .named = named,
                    .priority = (int32_t)item->level,
                    .params = ARENA_ARRAY(&t->arena, const Shape *, count)};
  ResolverFrame frame = {0};
  uint32_t k = 0;
  for (const VarNode *p = named->maker->params; p; p = p->next) {
    Shape *shape = ARENA_NEW(&t->arena, Shape);
    *shape = (Shape){.kind = SHAPE_INT, .data = 1};
    r->frame = &frame;
    r->unknown = NULL;
    if (!resolve_range(r, named->maker->instance ? t->system : t->globals, p->type, &shape->low,
                       &shape->high))
      resolver_gives_up(r, p->place, "the values of a parameter are not known");
    r->frame = NULL;
    m.params[k++] = shape;
  }
  const uint32_t first = t->processes.size;
  expand(&m, 0, count);
  vec_release(r->mem, &m.values);
  if (first == t->processes.size)
    return;
  Named *set = space_add(r, t->asked, named->name, NAMED_PROCESSES);
  set->first = first;
  set->count = t->processes.size - first;
  set->params = m.params;
  set->param_count = count;
}

static void declare_maker(Twin *t, const char *name, MakerNode maker) {
  MakerNode *kept = ARENA_NEW(&t->arena, MakerNode);
  *kept = maker;
  if (name)
    space_add(&t->resolver, t->system, name, NAMED_MAKER)->maker = kept;
}

static void declare_instance(Twin *t, const DeclNode *decl) {
  const Named *of = decl->template_name ? space_find(t->system, decl->template_name) : NULL;
  MakerNode maker = {.instance = decl, .params = decl->params};
  if (of && of->kind == NAMED_MAKER) {
    maker.of = of->maker;
    maker.template = of->maker->template;
  }
  declare_maker(t, decl->name, maker);
}

// Channels and what happens together.

static void compare_priorities(Twin *t, const DeclNode *decls) {
  const Net *net = t->net;
  Resolver *r = &t->resolver;
  int32_t *levels = ARENA_ARRAY(&t->arena, int32_t, net->channels.size);
  int32_t other = 0;
  bool is_used = false;
  for (const DeclNode *d = decls; d; d = d->next) {
    if (d->kind != DECL_PRIORITY)
      continue;
    is_used = true;
    other = -1;
    for (const LevelNode *l = d->levels; l; l = l->next)
      other = l->expr ? other : (int32_t)l->level;
    for (uint32_t c = 0; c < net->channels.size; c++)
      levels[c] = other;
    for (const LevelNode *l = d->levels; l; l = l->next) {
      if (!l->expr)
        continue;
      uint32_t channel = 0, count = 0;
      const Label label = resolve_channels(r, t->globals, l->expr, &count);
      if (!resolve_fixed_channel(r, &label, &channel))
        resolver_gives_up(r, l->expr->place, "a channel with a priority is not known");
      for (uint32_t k = 0; k < count && channel + k < net->channels.size; k++)
        levels[channel + k] = (int32_t)l->level;
    }
  }
  for (const LevelNode *item = t->resolver.document->system; item; item = item->next)
    is_used |= item->level > 0;
  bool same = net->priority.is_used == is_used && (!is_used || net->priority.tau == other);
  for (uint32_t c = 0; is_used && c < net->channels.size; c++)
    same &= net->channels.items[c].priority == levels[c];
  if (!same)
    resolver_differs(r, "the network has other priorities");
}

static bool uses(const bool *users, const Net *net, ProcessId p, EventId event) {
  return users[(size_t)p * net->events.size + event];
}

static bool is_part(const SyncPart *part, ProcessId process, EventId event, bool weak) {
  return part->process == process && part->event == event && part->weak == weak;
}

static bool is_broadcast(const Net *net, const bool *users, const Sync *sync, const Channel *c,
                         ProcessId sender) {
  uint32_t k = 1;
  bool ok =
      sync->broadcast && sync->parts.size && is_part(sync->parts.items, sender, c->send, false);
  for (ProcessId p = 0; ok && p < net->processes.size; p++)
    if (p != sender && uses(users, net, p, c->receive)) {
      ok = k < sync->parts.size && is_part(&sync->parts.items[k], p, c->receive, true);
      k++;
    }
  return ok && k == sync->parts.size;
}

static bool is_pair(const Sync *sync, const Channel *c, ProcessId sender, ProcessId receiver) {
  return !sync->broadcast && sync->parts.size == 2 &&
         is_part(&sync->parts.items[0], sender, c->send, false) &&
         is_part(&sync->parts.items[1], receiver, c->receive, false);
}

// Each pair of processes that can send and receive, and each sender of a broadcast, once.
static void compare_syncs(Twin *t) {
  const Net *net = t->net;
  Mem *mem = t->resolver.mem;
  const size_t size = (size_t)net->processes.size * net->events.size + 1;
  bool *users = mem_alloc(mem, size), ok = true;
  memset(users, 0, size);
  for (EdgeId e = 0; e < net->edges.size; e++)
    users[(size_t)net->edges.items[e].process * net->events.size + net->edges.items[e].event] =
        true;
  uint32_t next = 0;
  for (uint32_t i = 0; i < net->channels.size; i++) {
    const Channel *c = &net->channels.items[i];
    for (ProcessId s = 0; s < net->processes.size; s++) {
      if (!uses(users, net, s, c->send))
        continue;
      for (ProcessId p = 0; ok && !c->broadcast && p < net->processes.size; p++)
        if (p != s && uses(users, net, p, c->receive)) {
          ok = next < net->syncs.size && net->syncs.items[next].channel == i + 1 &&
               is_pair(&net->syncs.items[next], c, s, p);
          next++;
        }
      if (ok && c->broadcast) {
        ok = next < net->syncs.size && net->syncs.items[next].channel == i + 1 &&
             is_broadcast(net, users, &net->syncs.items[next], c, s);
        next++;
      }
    }
  }
  if (!ok || next != net->syncs.size)
    resolver_differs(&t->resolver, "the network has other synchronisations");
}

// The hooks are declared with the names that are known at their place; later ones do not matter.
static void find_hooks(Twin *t, Space *space, const DeclNode *decls) {
  for (const DeclNode *d = decls; d; d = d->next)
    if (d->kind == DECL_BEFORE || d->kind == DECL_AFTER)
      *(d->kind == DECL_BEFORE ? &t->before : &t->after) =
          resolve_block(&t->resolver, space, d->body);
}

static void build(Twin *t) {
  Resolver *r = &t->resolver;
  const Document *document = r->document;
  t->globals = space_new(r, NULL);
  t->system = space_new(r, t->globals);
  t->asked = space_new(r, t->system);
  resolve_declarations(r, t->globals, document->decls);
  for (const TemplateNode *p = document->templates; p; p = p->next)
    declare_maker(t, p->name, (MakerNode){.template = p, .params = p->params});
  for (const DeclNode *d = document->system_decls; d; d = d->next) {
    DeclNode one = *d;
    one.next = NULL;
    if (d->kind == DECL_INSTANCE)
      declare_instance(t, d);
    else
      resolve_declarations(r, t->system, &one);
  }
  for (const LevelNode *item = document->system; item; item = item->next)
    make_processes(t, item);
  r->processes = t->processes.items;
  if (t->processes.size != t->net->processes.size)
    resolver_differs(r, "the network has other processes");
  if (r->channel != t->net->channels.size)
    resolver_differs(r, "the network has other channels");
  if (!t->net->invalid_is_error)
    resolver_differs(r, "the network does not see values out of range as errors");
  if (twin_difference(t) || r->lost)
    return;
  find_hooks(t, t->globals, document->decls);
  find_hooks(t, t->system, document->system_decls);
  compare_priorities(t, document->decls);
  make_all_edges(t);
  compare_syncs(t);
}

// A TChecker model: the edges are those of the network.
static void build_listed(Twin *t) {
  const Net *net = t->net;
  t->listed = ARENA_NEW(&t->arena, TckFile);
  tckfile_read(t->listed, &t->arena, net->origin.place.source);
  t->evaluator.is_checked = t->resolver.evaluator.is_checked = true;
  if (t->listed->unknown) {
    resolver_gives_up(&t->resolver, t->listed->unknown_place, t->listed->unknown);
    return;
  }
  tckfile_compare(t->listed, net, &t->resolver.difference);
  for (EdgeId e = 0; e < net->edges.size && !twin_difference(t); e++) {
    vec_push(t->resolver.mem, &t->edges, (TwinEdge){0});
    t->edge_of[e] = e;
    t->channel_of[e] = NET_NONE;
  }
}

Twin *twin_new(Mem *owner, const Net *net) {
  const bool is_listed = !net->origin.uppaal && net->origin.place.source;
  if ((!net->origin.document && !is_listed) || net->reading.is_statistical)
    return NULL;
  Mem *mem = mem_part(owner);
  Twin *t = mem_alloc(mem, sizeof *t);
  *t = (Twin){.arena = {.mem = mem}, .net = net};
  resolver_init(&t->resolver, mem, &t->arena, net, net->origin.document);
  evaluator_init(&t->evaluator, mem);
  t->evaluator.unit = net_unit(net);
  t->evaluator.first_slot = net->location_slot;
  t->resolver.evaluator.first_slot = net->location_slot;
  t->resolver.evaluator.unit = net_unit(net);
  t->edge_of = ARENA_ARRAY(&t->arena, uint32_t, net->edges.size);
  t->channel_of = ARENA_ARRAY(&t->arena, uint32_t, net->edges.size);
  t->invariants = ARENA_ARRAY(&t->arena, Label *, net->locations.size);
  t->is_rated = ARENA_ARRAY(&t->arena, bool, net->clock_count + 1);
  t->is_read = ARENA_ARRAY(&t->arena, bool, net->clock_count + 1);
  t->lacks_rates = ARENA_ARRAY(&t->arena, bool, net->locations.size);
  t->watched = ARENA_ARRAY(&t->arena, uint32_t, net->locations.size);
  for (EdgeId e = 0; e < net->edges.size; e++)
    t->edge_of[e] = NET_NONE;
  if (is_listed)
    build_listed(t);
  else
    build(t);
  return t;
}

void twin_free(Twin *t) {
  if (t)
    mem_release_part(t->resolver.mem);
}

const TwinEdge *twin_edge(Twin *t, EdgeId id) {
  TwinEdge *e = &t->edges.items[t->edge_of[id]];
  resolve_edge(t, e);
  return e;
}

static const LocationNode *location_node(const Twin *t, LocationId id) {
  const Location *location = &t->net->locations.items[id];
  const char *name = t->net->processes.items[location->process].template_name;
  const TemplateNode *template = t->resolver.document->templates;
  while (template && template->name != name)
    template = template->next;
  const LocationNode *l = template ? template->locations : NULL;
  for (; l; l = l->next)
    if (!l->is_branch && l->name && !strcmp(l->name, location->name))
      return l;
  return NULL;
}

static Label resolve_invariant(Twin *t, LocationId id) {
  const LocationNode *node = location_node(t, id);
  const ProcessId process = t->net->locations.items[id].process;
  return resolve_condition(&t->resolver, t->processes.items[process].own,
                           node ? node->invariant : NULL);
}

const Label *twin_invariant(Twin *t, LocationId id) {
  if (t->invariants[id])
    return t->invariants[id];
  Label *label = ARENA_NEW(&t->arena, Label);
  *label = t->listed ? tckterms_condition(t->listed, tckfile_attributes(t->listed, t->net, id),
                                          "invariant")
                     : resolve_invariant(t, id);
  t->invariants[id] = label;
  return label;
}

Label twin_query(Twin *t, const Tree *tree) {
  if (t->listed)
    return tckterms_query(t->listed, &t->resolver.evaluator, tree);
  t->resolver.is_query = true;
  const Label label = resolve_condition(&t->resolver, t->asked, tree);
  t->resolver.is_query = false;
  return label;
}

// An edge that the network has for some of its channels only, perhaps for none.
static void look_at(Twin *t, TwinEdge *e, uint32_t index, const int32_t *state) {
  uint32_t channel = NET_NONE;
  resolve_edge(t, e);
  const Label *labels[] = {&e->guards[0], &e->guards[1], &e->channel};
  for (int i = 0; i < 3; i++)
    if (labels[i]->unknown) {
      note_unknown(t, labels[i]->place, labels[i]->unknown);
      return;
    }
  if (evaluator_condition(&t->evaluator, &e->guards[0], state) == FORMULA_FALSE ||
      evaluator_condition(&t->evaluator, &e->guards[1], state) == FORMULA_FALSE)
    return;
  const bool has_channel = synchronised(e)->channel;
  if (has_channel && !evaluator_channel(&t->evaluator, &e->channel, state, &channel)) {
    for (EdgeId id = 0; id < t->net->edges.size; id++) // an edge stays for the error
      if (t->edge_of[id] == index)
        return;
  }
  const Location *source = &t->net->locations.items[e->source];
  for (uint32_t k = 0; k < source->edge_count; k++) {
    const EdgeId id = t->net->out[source->first_edge + k];
    if (t->edge_of[id] == index && t->channel_of[id] == channel)
      return;
  }
  twin_differs(t, e->edge->place, "the network lacks an edge that can be taken");
}

void twin_state(Twin *t, const int32_t *state) {
  for (ProcessId p = 0; p < t->net->processes.size && !twin_difference(t); p++) {
    const LocationId l = net_location_at(t->net, p, state);
    for (uint32_t at = t->watched[l]; at; at = t->edges.items[at - 1].next)
      look_at(t, &t->edges.items[at - 1], at - 1, state);
  }
}
