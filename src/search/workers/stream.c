#include "search/workers/stream.h"

size_t stream_record_bytes(const Reach *reach) {
  return sizeof(StreamRecord) + (reach->space->exchange.message_bytes + 7) / 8 * 8;
}

// The message of a node with this key and zone: its bytes, a multiple of 8.
static uint32_t write_zone(const Reach *reach, const uint64_t *key, uint32_t zone, void *to) {
  Space *space = reach->space;
  space->exchange.peer = stream_peer(reach);
  size_t bytes = space->exchange.refer(space, key, zone, to);
  if (!bytes) {
    space->load(space, key, zone);
    bytes = space->exchange.send(space, to);
  }
  space->exchange.peer = 0;
  return (uint32_t)((bytes + 7) / 8 * 8);
}

size_t stream_write_node(const Reach *reach, NodeRef ref, uint32_t zone, bool was_pushed,
                         StreamRecord *record) {
  const Store *store = &reach->store;
  const Node *node = store_node(store, ref);
  const uint32_t round = was_pushed ? order_round(reach->waiting, ref) : 0;
  *record =
      (StreamRecord){.is_stored = node->is_stored,
                     .is_visited = node->is_visited,
                     .round = round < ORDER_MAX_ROUND ? round & ORDER_MAX_ROUND : ORDER_MAX_ROUND,
                     .ref = ref,
                     .parent = node->parent,
                     .ordinal = node->ordinal};
  if (zone)
    record->bytes = write_zone(reach, store_key(store, node->group), zone, record + 1);
  return sizeof *record + record->bytes;
}

size_t stream_write(Reach *reach, NodeRef *next, void *bytes, size_t room) {
  const Store *store = &reach->store;
  const size_t max = stream_record_bytes(reach);
  size_t size = 0;
  for (; *next < store->nodes.size && size + max <= room; ++*next) {
    const Node *node = store_node(store, *next);
    size += stream_write_node(reach, *next, node->is_stored ? node->zone : 0, true,
                              (StreamRecord *)(void *)((char *)bytes + size));
  }
  return size;
}

const StreamRecord *stream_at(const void *bytes, size_t at) {
  return (const StreamRecord *)(const void *)((const char *)bytes + at);
}

size_t stream_next(const void *bytes, size_t at) {
  return at + sizeof(StreamRecord) + stream_at(bytes, at)->bytes;
}

bool stream_fits(const Reach *reach, const void *bytes, size_t at, size_t size) {
  const size_t left = size - at, least = reach->space->key_words * sizeof(uint64_t);
  if (left < sizeof(StreamRecord) || at % sizeof(uint64_t))
    return false;
  const uint32_t own = stream_at(bytes, at)->bytes;
  return own <= left - sizeof(StreamRecord) && own % sizeof(uint64_t) == 0 &&
         (!own || own >= least);
}

bool stream_read(const Reach *reach, const StreamRecord *record) {
  Space *space = reach->space;
  space->exchange.peer = stream_peer(reach);
  const bool is_sound = space->exchange.is_sound(space, record + 1, record->bytes);
  if (is_sound)
    space->exchange.receive(space, record + 1);
  space->exchange.peer = 0;
  space->ordinal = record->ordinal;
  return is_sound;
}
