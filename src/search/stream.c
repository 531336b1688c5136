#include "search/stream.h"

size_t stream_record_bytes(const Reach *reach) {
  return sizeof(StreamRecord) + (reach->space->exchange.message_bytes + 7) / 8 * 8;
}

uint32_t stream_write_zone(Space *space, const uint64_t *key, uint32_t zone, uint32_t peer,
                           void *to) {
  space->exchange.peer = peer;
  size_t bytes = space->exchange.refer(space, key, zone, to);
  if (!bytes) {
    space->load(space, key, zone);
    bytes = space->exchange.send(space, to);
  }
  space->exchange.peer = 0;
  return (uint32_t)((bytes + 7) / 8 * 8);
}

size_t stream_write(Reach *reach, NodeRef *next, uint32_t peer, void *bytes, size_t room) {
  const Store *store = &reach->store;
  const Order *order = reach->waiting;
  const size_t most = stream_record_bytes(reach);
  size_t size = 0;
  for (; *next < store->nodes.size && size + most <= room; ++*next) {
    const Node *node = store_node(store, *next);
    StreamRecord *record = (StreamRecord *)(void *)((char *)bytes + size);
    const uint32_t round = order_round(order, *next);
    *record = (StreamRecord){.is_stored = node->is_stored,
                             .is_visited = node->is_visited,
                             .round = round < ORDER_MOST_ROUND ? round & ORDER_MOST_ROUND
                                                               : ORDER_MOST_ROUND,
                             .ref = *next,
                             .parent = node->parent,
                             .ordinal = node->ordinal};
    if (node->is_stored)
      record->bytes = stream_write_zone(reach->space, store_key(store, node->group), node->zone,
                                        peer, record + 1);
    size += sizeof *record + record->bytes;
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

bool stream_is_sound(Space *space, const StreamRecord *record, uint32_t peer) {
  space->exchange.peer = peer;
  const bool is_sound = space->exchange.is_sound(space, record + 1, record->bytes);
  space->exchange.peer = 0;
  return is_sound;
}

void stream_read(Space *space, const StreamRecord *record, uint32_t peer) {
  space->exchange.peer = peer;
  space->exchange.receive(space, record + 1);
  space->exchange.peer = 0;
  space->ordinal = record->ordinal;
}
