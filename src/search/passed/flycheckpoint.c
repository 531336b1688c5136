#include "search/passed/flycheckpoint.h"

#include "search/passed/fly.h"
#include "search/save/savefile.h"
#include "search/space/needs.h"
#include "search/workers/stream.h"

static const char damage[] = "a part of it is not what was written";

// Byte strings, each with its size, in the order of their numbers.
static void write_strings(SaveFile *save, const Intern *strings) {
  savefile_put_number(save, strings->items.size);
  for (uint32_t i = 0; i < strings->items.size; i++) {
    savefile_put_number(save, strings->items.items[i].size);
    savefile_put(save, strings->items.items[i].bytes, strings->items.items[i].size);
  }
}

// Zones of these lie in the blocks of their groups.
static bool is_in_block(const FlyNode *node) {
  return node->state == FLY_WAITING || node->state == FLY_VISITED;
}

static void write_record(const Reach *reach, SaveFile *save, NodeRef ref, StreamRecord *record) {
  const Fly *fly = reach->fly;
  const Node *node = store_node(fly->store, ref);
  const bool was_pushed = is_in_block(fly_at(fly, ref));
  const size_t bytes = stream_write_node(reach, ref, node->zone, was_pushed, record);
  record->ref = node->group;
  savefile_put(save, record, bytes);
}

static void write_list(SaveFile *save, const FlyRefs *refs) {
  savefile_put_number(save, refs->size);
  savefile_put(save, refs->items, refs->size * sizeof *refs->items);
}

// Groups, each with one of its nodes that has a zone, for the sake of the key.
static void write_groups(Reach *reach, SaveFile *save, StreamRecord *record) {
  const Fly *fly = reach->fly;
  NodeRef *first = mem_alloc(fly->mem, (fly->groups.size + 1) * sizeof *first);
  for (NodeRef ref = fly->nodes.size; ref-- > 0;)
    if (store_node(fly->store, ref)->zone)
      first[store_node(fly->store, ref)->group] = ref;
  savefile_put_number(save, fly->groups.size);
  for (uint32_t i = 0; i < fly->groups.size; i++) {
    savefile_put(save, &fly->groups.items[i], sizeof(FlyGroup));
    write_record(reach, save, first[i], record);
  }
  mem_free(fly->mem, first);
}

static void write(Reach *reach, SaveFile *save) {
  const Fly *fly = reach->fly;
  StreamRecord *record = mem_alloc(reach->mem, stream_record_bytes(reach) + SPACE_SLACK);
  write_strings(save, &fly->table.vectors);
  write_strings(save, &fly->table.ways);
  write_groups(reach, save, record);
  savefile_put_number(save, fly->nodes.size);
  for (NodeRef ref = 0; ref < fly->nodes.size; ref++) {
    savefile_put(save, fly_at(fly, ref), sizeof(FlyNode));
    write_record(reach, save, ref, record);
  }
  write_list(save, &fly->raised);
  write_list(save, &fly->dirty);
  mem_free(reach->mem, record);
}

// The strings get the numbers that they had; `is_way` or vectors.
static bool read_strings(Fly *fly, SaveFile *save, bool is_way) {
  const size_t max = 2 * fly->space->needs->max_k * sizeof(int32_t);
  int32_t *bytes = mem_alloc(fly->mem, max);
  uint64_t count, size;
  bool ok = savefile_get_number(save, &count);
  for (uint64_t i = 0; ok && i < count; i++) {
    ok = savefile_get_number(save, &size) && size <= max && savefile_get(save, bytes, size);
    const uint32_t k = ok ? (uint32_t)(size / (2 * sizeof *bytes)) : 0;
    ok = ok && (is_way ? intern_number(&fly->table.ways, bytes, size)
                       : levels_find(&fly->table, k, bytes, bytes + k)) == i + 1;
  }
  mem_free(fly->mem, bytes);
  return ok;
}

// Reads a record; its node becomes the space's current one if it has a zone.
static bool read_record(Reach *reach, SaveFile *save, StreamRecord *record) {
  if (!savefile_get(save, record, sizeof *record) ||
      record->bytes > stream_record_bytes(reach) - sizeof *record ||
      !savefile_get(save, record + 1, record->bytes))
    return false;
  return !record->bytes || stream_read(reach, record);
}

static bool read_groups(Reach *reach, SaveFile *save, StreamRecord *record) {
  Fly *fly = reach->fly;
  uint64_t count;
  if (!savefile_get_number(save, &count))
    return false;
  for (uint64_t i = 0; i < count; i++) {
    FlyGroup group;
    if (!savefile_get(save, &group, sizeof group) || !read_record(reach, save, record) ||
        !record->bytes || store_group(fly->store) != i)
      return false;
    vec_push(fly->mem, &fly->groups, group);
  }
  return true;
}

static bool is_ref(uint64_t count, NodeRef ref) { return ref < count || ref == NODE_NONE; }

// Whether all that a node refers to exists; its parent is older.
static bool is_sound(const Fly *fly, const FlyNode *node, const StreamRecord *record,
                     uint64_t count) {
  const uint32_t levels = fly->table.vectors.items.size;
  return is_ref(count, node->covered) && is_ref(fly->nodes.size, record->parent) &&
         (node->state < FLY_TENTATIVE || is_ref(count, node->next_covered)) &&
         node->bounds <= levels && node->stay <= levels && node->cut <= levels &&
         node->way <= fly->table.ways.items.size && record->ref < fly->groups.size &&
         node->state <= FLY_SETTLED && node->state != FLY_OPEN;
}

static bool read_node(Reach *reach, SaveFile *save, StreamRecord *record, uint64_t count) {
  Fly *fly = reach->fly;
  Store *store = fly->store;
  FlyNode node;
  if (!savefile_get(save, &node, sizeof node) || !read_record(reach, save, record) ||
      !is_sound(fly, &node, record, count) ||
      (record->bytes != 0) != (is_in_block(&node) || node.state == FLY_TENTATIVE))
    return false;
  fly->space->ordinal = record->ordinal;
  const NodeRef ref = store_new_node(store, record->ref, record->parent);
  store_node(store, ref)->is_stored = record->is_stored;
  store_node(store, ref)->is_visited = record->is_visited;
  *fly_at(fly, pool_add(&fly->nodes)) = node;
  if (node.state == FLY_TENTATIVE) {
    store_node(store, ref)->zone = fly->space->keep(fly->space);
    fly->tentative++;
  }
  if (!is_in_block(&node))
    return true;
  store_append(store, record->ref, ref);
  vec_clear(&store->evicted);
  order_restore(fly->order, ref, record->round, node.state == FLY_WAITING);
  return true;
}

static bool read_list(const Fly *fly, SaveFile *save, FlyRefs *refs) {
  uint64_t count;
  if (!savefile_get_number(save, &count))
    return false;
  for (NodeRef ref; count; count--) {
    if (!savefile_get(save, &ref, sizeof ref) || ref >= fly->nodes.size)
      return false;
    vec_push(fly->mem, refs, ref);
  }
  return true;
}

// Whether no node is covered twice, nor by a node that is covered in this way: so lists end.
static bool has_lists(const Fly *fly) {
  bool *is_met = mem_alloc(fly->mem, fly->nodes.size + (size_t)1);
  bool ok = true;
  for (NodeRef ref = 0; ok && ref < fly->nodes.size; ref++) {
    const FlyNode *by = fly_at(fly, ref);
    for (NodeRef c = by->covered; ok && c != NODE_NONE; c = fly_at(fly, c)->next_covered) {
      const uint8_t state = fly_at(fly, c)->state;
      ok = !is_met[c] && (state == FLY_TENTATIVE || state == FLY_SETTLED) &&
           (is_in_block(by) || (by->state == FLY_TENTATIVE && state == FLY_SETTLED));
      is_met[c] = true;
    }
  }
  mem_free(fly->mem, is_met);
  return ok;
}

static bool read_nodes(Reach *reach, SaveFile *save, StreamRecord *record) {
  Fly *fly = reach->fly;
  uint64_t count;
  if (!savefile_get_number(save, &count) || count >= NODE_NONE)
    return false;
  for (uint64_t i = 0; i < count; i++) {
    mem_tick(fly->mem);
    if (!read_node(reach, save, record, count))
      return false;
  }
  return has_lists(fly) && read_list(fly, save, &fly->raised) &&
         read_list(fly, save, &fly->dirty);
}

// There is one part, with all: nothing is left for the second time.
static const char *read(Reach *reach, const PartSource *source) {
  SaveFile *save = source->save;
  Space *space = reach->space;
  if (source->is_second)
    return NULL;
  if (source->workers != 1)
    return damage;
  StreamRecord *record = mem_alloc(reach->mem, stream_record_bytes(reach) + SPACE_SLACK);
  space->exchange.forget(space, stream_peer(reach));
  const bool ok = read_strings(reach->fly, save, false) && read_strings(reach->fly, save, true) &&
                  read_groups(reach, save, record) && read_nodes(reach, save, record);
  space->exchange.forget(space, stream_peer(reach));
  mem_free(reach->mem, record);
  return ok ? NULL : damage;
}

const PassedParts flycheckpoint = {.write = write, .read = read};
