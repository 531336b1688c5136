#include "zone/message.h"

#include "space/partition.h"
#include "zone/common.h"
#include "zone/wire.h"

#include <string.h>

static void find_partition(Zones *zones) {
  Exchange *exchange = &zones->space.exchange;
  if (!exchange->partition)
    exchange->partition =
        partition_new(&zones->arena, zones->net, &zones->layout, exchange->workers);
}

Space *message_sibling(Space *space, Mem *mem) {
  Zones *zones = (Zones *)space;
  find_partition(zones);
  Space *other = zones->time->sibling(zones, mem);
  other->exchange.partition = space->exchange.partition;
  return other;
}

void message_connect(Space *space) {
  Zones *zones = (Zones *)space;
  find_partition(zones);
  if (space->exchange.finish && !zones->vectors.common.maps) // it has no sibling
    common_share(&zones->vectors, &zones->vectors);
  wire_release(space->exchange.wires, zones->mem);
  space->exchange.wires = wire_new(zones, space->exchange.workers);
}

void message_forget(Space *space, uint32_t peer) {
  Zones *zones = (Zones *)space;
  Exchange *exchange = &space->exchange;
  if (!exchange->wires)
    exchange->wires = wire_new(zones, peer > exchange->workers ? peer : exchange->workers);
  wire_forget(exchange->wires, peer);
}

size_t message_refer(const Space *space, const uint64_t *key, uint32_t zone, void *message) {
  return wire_refer((const Zones *)space, key, zone, message);
}

size_t message_send(Space *space, void *message) {
  Zones *zones = (Zones *)space;
  if (space->exchange.peer)
    return wire_send(zones, message);
  uint64_t *key = message;
  ZoneMessage *zone = (ZoneMessage *)(key + space->key_words);
  size_t bytes = 0;
  memcpy(key, space->key, space->key_words * sizeof *key);
  *zone = (ZoneMessage){space->zone, 0, 0};
  if (space->exchange.is_unfinished)
    *zone = (ZoneMessage){zones->opened.zone, zones->left_map, zones->left_transition};
  else if (!zones->table.shared || !space->zone) {
    const ZoneString packed = zones->time->packed(zones);
    *zone = (ZoneMessage){ZONE_NONE, packed.kind, packed.format};
    bytes = packed.bytes;
    memcpy(zone + 1, packed.entries, bytes);
  }
  return space->key_words * sizeof *key + sizeof *zone + bytes;
}

static ZoneString packed_in(const ZoneMessage *zone) {
  return (ZoneString){
      .kind = zone->kind, .format = (PackedFormat)zone->format, .entries = zone + 1};
}

uint32_t message_recognise(Space *space, const void *message) {
  Zones *zones = (Zones *)space;
  if (space->exchange.peer)
    return wire_recognise(zones, message);
  const uint64_t *key = message;
  const ZoneMessage *zone = (const ZoneMessage *)(key + space->key_words);
  const Probe probe = {
      .k = zone->kind, .format = (PackedFormat)zone->format, .entries = zone + 1};
  return zone->ref             ? zone->ref
         : zones->table.shared ? zonetable_find(&zones->table, &probe)
                               : ZONE_NONE;
}

void message_receive(Space *space, const void *message) {
  Zones *zones = (Zones *)space;
  if (space->exchange.peer) {
    wire_receive(zones, message);
    return;
  }
  const uint64_t *key = message;
  const ZoneMessage *zone = (const ZoneMessage *)(key + space->key_words);
  space->load(space, key, message_recognise(space, message));
  if (space->zone)
    return;
  const ZoneString packed = packed_in(zone);
  zones->time->accept(zones, &packed);
}
