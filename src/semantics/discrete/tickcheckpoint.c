#include "semantics/discrete/tickcheckpoint.h"

#include "search/save/savefile.h"
#include "search/workers/mail.h"

static const char damage[] = "a part of it is not what was written";

static Ticks *ticks_in(const Reach *reach) { return (Ticks *)reach->space; }

static void write_trail(const Ticks *ticks, SaveFile *save) {
  const Trail *trail = &ticks->trail;
  const uint32_t renamings = trail->is_on ? trail->renamings.items.size : 0;
  const size_t bytes = renamings ? trail->renamings.items.items[0].size : 0;
  savefile_put_number(save, trail->is_on);
  savefile_put_number(save, renamings);
  savefile_put_number(save, bytes);
  for (uint32_t i = 0; i < renamings; i++)
    savefile_put(save, trail->renamings.items.items[i].bytes, bytes);
  for (uint32_t i = 0; i < trail->marks.size; i++)
    savefile_put(save, pool_at(&trail->marks, i), sizeof(TrailMark));
}

// Key, value and newest mark of a node.
static void write_node(Ticks *ticks, SaveFile *save, uint32_t ref) {
  savefile_put(save, ticks_key(ticks, ref), ticks->space.key_words * sizeof *ticks->key);
  savefile_put_number(save, keytable_value(&ticks->table, ref));
  savefile_put_number(save, trail_newest(&ticks->trail, ref));
}

static void write(Reach *reach, SaveFile *save) {
  Ticks *ticks = ticks_in(reach);
  write_trail(ticks, save);
  savefile_put_number(save, ticks->table.size);
  for (uint32_t ref = 0; ref < ticks->table.size; ref++)
    write_node(ticks, save, ref);
  const uint32_t waiting = order_waiting(reach->waiting);
  savefile_put_number(save, waiting);
  for (uint32_t i = 0; i < waiting; i++)
    savefile_put_number(save, order_at(reach->waiting, i));
}

// The trail of a part, in memory.
typedef struct Marks {
  uint64_t is_on, renamings, bytes; // of each renaming
  char *orders;
  TrailMark *items;
} Marks;

// A number of a mark, + 1, or 0.
static bool is_mark(const PartSource *source, uint64_t mark) {
  return !mark || (mark - 1) / source->workers < source->marks[(mark - 1) % source->workers];
}

static bool read_trail(const PartSource *source, Mem *mem, Marks *marks) {
  const uint64_t count = source->marks[source->number];
  SaveFile *save = source->save;
  if (!savefile_get_number(save, &marks->is_on) ||
      !savefile_get_number(save, &marks->renamings) || marks->renamings > count ||
      !savefile_get_number(save, &marks->bytes) || marks->bytes > UINT16_MAX)
    return false;
  marks->orders = mem_alloc(mem, marks->renamings * marks->bytes + 1);
  marks->items = mem_alloc(mem, (count + 1) * sizeof *marks->items);
  if (!savefile_get(save, marks->orders, marks->renamings * marks->bytes) ||
      !savefile_get(save, marks->items, count * sizeof *marks->items))
    return false;
  for (uint64_t i = 0; i < count; i++)
    if (marks->items[i].renaming > marks->renamings || !is_mark(source, marks->items[i].parent))
      return false;
  return true;
}

// The new number of a mark, + 1, of an old one, + 1.
static uint32_t new_mark(const PartSource *source, uint32_t all, uint64_t old) {
  if (!old)
    return 0;
  const uint32_t worker = (uint32_t)((old - 1) % source->workers), to = worker % all;
  uint64_t index = (old - 1) / source->workers;
  for (uint32_t before = to; before < worker; before += all)
    index += source->marks[before];
  return (uint32_t)(index * all + to + 1);
}

// The first pass: the marks of the part get their places.
static void put_marks(const PartSource *source, Reach *reach, const Marks *marks) {
  const uint32_t all = reach->peers->all;
  Reach *to = peers_member(reach->peers, source->number % all);
  Trail *trail = to ? &ticks_in(to)->trail : NULL;
  for (uint64_t i = 0; trail && trail->is_on && i < source->marks[source->number]; i++) {
    TrailMark mark = marks->items[i];
    mark.parent = new_mark(source, all, mark.parent);
    if (mark.renaming)
      mark.renaming = intern_number(
          &trail->renamings, marks->orders + (mark.renaming - 1) * marks->bytes, marks->bytes);
    trail_append(trail, mark);
  }
}

// A node that was read, for its worker. NODE_NONE if it cannot be.
static NodeRef put_node(Reach *owner, const uint64_t *key, uint64_t value, uint32_t newest) {
  Ticks *ticks = ticks_in(owner);
  bool is_new;
  memcpy(ticks->key, key, ticks->space.key_words * sizeof *key);
  ticks->is_packed = true;
  const NodeRef ref = ticks_add(ticks, &is_new);
  if (!is_new || value > ticks->table.value_mask)
    return NODE_NONE;
  keytable_set_value(&ticks->table, ref, value);
  if (ticks->trail.is_on)
    trail_set_newest(&ticks->trail, ref, newest);
  return ref;
}

// `refs`, by the reference there: the new one among all, NODE_NONE if it is another process's.
static bool read_nodes(const PartSource *source, Reach *reach, const Marks *marks, uint64_t *key,
                       NodeRef *refs, uint64_t size) {
  const uint32_t all = reach->peers->all;
  const size_t key_bytes = reach->space->key_words * sizeof *key;
  for (uint64_t i = 0; i < size; i++) {
    uint64_t value, newest;
    if (!savefile_get(source->save, key, key_bytes) ||
        !savefile_get_number(source->save, &value) ||
        !savefile_get_number(source->save, &newest) || !newest != !marks->is_on ||
        !is_mark(source, newest) ||
        !state_is_in_range(&ticks_in(reach)->layout, ticks_in(reach)->net, key))
      return false;
    mem_tick(reach->mem);
    const uint32_t number = mail_owner_of(reach, key);
    Reach *owner = peers_member(reach->peers, number);
    const NodeRef ref =
        owner ? put_node(owner, key, value, new_mark(source, all, newest)) : NODE_NONE;
    if (owner && ref == NODE_NONE)
      return false;
    refs[i] = owner ? ref * all + number : NODE_NONE;
  }
  return true;
}

static bool read_waiting(const PartSource *source, Reach *reach, const NodeRef *refs,
                         uint64_t size) {
  const uint32_t all = reach->peers->all;
  uint64_t count, old;
  if (!savefile_get_number(source->save, &count))
    return false;
  while (count--) {
    if (!savefile_get_number(source->save, &old) || old >= size)
      return false;
    if (refs[old] != NODE_NONE)
      order_push(peers_member(reach->peers, refs[old] % all)->waiting, refs[old] / all);
  }
  return true;
}

static bool read_list(const PartSource *source, Reach *reach, const Marks *marks) {
  Mem *mem = reach->mem;
  uint64_t size;
  if (!savefile_get_number(source->save, &size) || size >= NODE_NONE)
    return false;
  NodeRef *refs = mem_alloc(mem, (size + 1) * sizeof *refs);
  uint64_t *key = mem_alloc(mem, (reach->space->key_words + 1) * sizeof *key);
  const bool ok = read_nodes(source, reach, marks, key, refs, size) &&
                  read_waiting(source, reach, refs, size);
  mem_free(mem, key);
  mem_free(mem, refs);
  return ok;
}

static const char *read(Reach *reach, const PartSource *source) {
  Marks marks = {0};
  const char *why = NULL;
  if (!read_trail(source, reach->mem, &marks))
    why = damage;
  else if (!marks.is_on && ticks_in(reach)->trail.is_on)
    why = "it has no runs, as it was written with --trace none; go on with that";
  else if (!source->is_second)
    put_marks(source, reach, &marks);
  else if (!read_list(source, reach, &marks))
    why = damage;
  mem_free(reach->mem, marks.orders);
  mem_free(reach->mem, marks.items);
  return why;
}

const PassedParts tickcheckpoint = {.write = write, .read = read};
