#include "zone/wire.h"

#include "dbm/stored/minimal.h"
#include "zone/common.h"

#include <string.h>

// Slots of all dictionaries together, and of one at least and at most.
enum { ALL_SLOTS = 1 << 21, LEAST_SLOTS = 1 << 10, MOST_SLOTS = 1 << 18 };

enum { // what follows the message
  NEW_ZONE = 1,
  NEW_MAP = 2,
  NEW_JOINT = 4,
  UNFINISHED = 8,
  IS_MINIMAL = 16
};

typedef struct WireMessage { // behind the key
  uint32_t slot;
  uint16_t flags;
  uint16_t edges; // of a new joint transition
  // Of an unfinished node.
  uint32_t map, transition;
  // Of a new zone and map.
  uint32_t k, format, clocks;
  uint32_t bytes; // of the zone
} WireMessage;

typedef VEC(bool) Flags;

typedef struct Wire {           // to and from one peer
  ZoneRef *sent, *got;          // by slot
  Flags sent_maps, sent_joints; // by number: it knows it
  Numbers maps, joints;         // by its number: where in `words` they begin
  Numbers words;                // size, then clocks or edges
} Wire;

struct Wires {
  Mem *mem;
  uint32_t peers, mask;
  Wire *wires;
  MinimalRoom room; // if zones are matrices of clock differences
  Bound *matrix;
  char *packed, *minimal;
  VEC(const Edge *) edges; // scratch
};

Wires *wire_new(Zones *zones, uint32_t peers) {
  Mem *mem = zones->mem;
  Wires *wires = mem_alloc(mem, sizeof *wires);
  uint32_t slots = MOST_SLOTS;
  while (slots > LEAST_SLOTS && (uint64_t)slots * peers > ALL_SLOTS)
    slots /= 2;
  *wires = (Wires){.mem = mem, .peers = peers, .mask = slots - 1};
  wires->wires = mem_alloc(mem, peers * sizeof *wires->wires);
  if (zones->space.exchange.finish) {
    const uint32_t n = zones->net->clock_count + 1;
    minimal_init(&wires->room, arena_align(&zones->arena, minimal_room_bytes(n), 0), n);
    wires->matrix = arena_align(&zones->arena, dbm_bytes(n), 0);
    wires->packed = arena_align(&zones->arena, packed_bytes(n, PACKED_32), PACKED_SLACK);
    wires->minimal = arena_align(&zones->arena, minimal_most_bytes(n), MINIMAL_SLACK);
  }
  return wires;
}

void wire_forget(Wires *wires, uint32_t peer) {
  Mem *mem = wires->mem;
  Wire *wire = &wires->wires[peer - 1];
  mem_free(mem, wire->sent);
  mem_free(mem, wire->got);
  vec_release(mem, &wire->sent_maps);
  vec_release(mem, &wire->sent_joints);
  vec_release(mem, &wire->maps);
  vec_release(mem, &wire->joints);
  vec_release(mem, &wire->words);
  *wire = (Wire){0};
}

void wire_release(Wires *wires, Mem *mem) {
  for (uint32_t i = 0; wires && i < wires->peers; i++)
    wire_forget(wires, i + 1);
  if (!wires)
    return;
  vec_release(mem, &wires->edges);
  mem_free(mem, wires->wires);
  mem_free(mem, wires);
}

size_t wire_message_bytes(const Zones *zones) {
  return sizeof(WireMessage) + 16 +
         (zones->net->clock_count + 1 + zones->net->processes.size) * sizeof(uint32_t);
}

size_t wire_least_bytes(void) { return sizeof(WireMessage); }

static Wires *wires_of(const Zones *zones) { return zones->space.exchange.wires; }

static Wire *peer_of(const Zones *zones) {
  return &wires_of(zones)->wires[zones->space.exchange.peer - 1];
}

static uint32_t slot_of(const Wires *wires, ZoneRef zone) {
  return (uint32_t)(zone * UINT64_C(0x9e3779b97f4a7c15) >> 40) & wires->mask;
}

static ZoneRef *slots(Wires *wires, ZoneRef **list) {
  if (!*list)
    *list = mem_alloc(wires->mem, (wires->mask + (size_t)1) * sizeof **list);
  return *list;
}

// Whether a peer knows a number; from now on it does.
static bool knows(Mem *mem, Flags *known, uint32_t number) {
  while (known->size <= number)
    vec_push(mem, known, false);
  const bool result = known->items[number];
  known->items[number] = true;
  return result;
}

static const char *aligned(const char *at, const void *base) {
  return at + (8 - (size_t)(at - (const char *)base) % 8) % 8;
}

// Whether bytes count, and not time: on a network. What a worker writes for itself goes to a
// file.
static bool saves_bytes(const Exchange *exchange) {
  return exchange->saves_bytes && exchange->peer != exchange->number + 1;
}

// Writes a zone by value; where it ends.
static char *put_zone(Zones *zones, WireMessage *message, char *at, const ZoneString *zone) {
  Wires *wires = wires_of(zones);
  const void *entries = zone->entries;
  size_t bytes = zone->bytes;
  message->k = zone->kind;
  message->format = zone->format;
  if (wires->minimal && saves_bytes(&zones->space.exchange)) {
    packed_read(wires->matrix, zone->kind, zone->entries, zone->format);
    const size_t size = minimal_make(&wires->room, wires->minimal, wires->matrix, zone->kind);
    if (size < bytes) {
      message->flags |= IS_MINIMAL;
      entries = wires->minimal;
      bytes = size;
    }
  }
  message->flags |= NEW_ZONE;
  message->bytes = (uint32_t)bytes;
  memcpy(at, entries, bytes);
  return at + bytes;
}

// The zone that is sent: that of the current node, or the one from which it comes.
static ZoneRef sent_zone(Zones *zones, bool is_unfinished) {
  return is_unfinished       ? zones->opened.zone
         : zones->space.zone ? zones->space.zone
                             : zones->time->number(zones);
}

static ZoneString packed_zone(Zones *zones, ZoneRef ref, bool is_unfinished) {
  if (!is_unfinished)
    return zones->time->packed(zones);
  const StoredZone *stored = zonetable_at(&zones->table, ref);
  return (ZoneString){.kind = stored->k,
                      .format = (PackedFormat)stored->format,
                      .entries = stored->entries,
                      .bytes = packed_bytes(stored->k, (PackedFormat)stored->format)};
}

// What the peer does not know yet of the map and transition of an unfinished node.
static char *put_origin(Zones *zones, Wire *wire, WireMessage *message, char *at) {
  Mem *mem = wires_of(zones)->mem;
  const uint32_t singles = zones->net->edges.size;
  const LocVector *vector = zones->opened.vector;
  message->flags |= UNFINISHED;
  message->map = zones->left_map;
  message->transition = zones->left_transition;
  if (!knows(mem, &wire->sent_maps, zones->left_map)) {
    message->flags |= NEW_MAP;
    message->clocks = vector->active.k;
    memcpy(at, vector->active.clocks, vector->active.k * sizeof(uint32_t));
    at += vector->active.k * sizeof(uint32_t);
  }
  if (zones->left_transition > singles &&
      !knows(mem, &wire->sent_joints, zones->left_transition - singles)) {
    size_t size;
    const Edge *const *edges =
        board_at(zones->vectors.common.joints, zones->left_transition - singles, &size);
    message->flags |= NEW_JOINT;
    message->edges = (uint16_t)(size / sizeof *edges);
    for (uint32_t i = 0; i < message->edges; i++, at += sizeof(uint32_t)) {
      const uint32_t edge = (uint32_t)(edges[i] - zones->net->edges.items);
      memcpy(at, &edge, sizeof edge);
    }
  }
  return at;
}

size_t wire_send(Zones *zones, void *to) {
  const Space *space = &zones->space;
  Wires *wires = wires_of(zones);
  Wire *wire = peer_of(zones);
  uint64_t *key = to;
  WireMessage *message = (WireMessage *)(key + space->key_words);
  const bool is_unfinished = space->exchange.is_unfinished;
  const ZoneRef zone = sent_zone(zones, is_unfinished);
  ZoneRef *slot = &slots(wires, &wire->sent)[slot_of(wires, zone)];
  char *at = (char *)(message + 1);
  memcpy(key, space->key, space->key_words * sizeof *key);
  *message = (WireMessage){.slot = slot_of(wires, zone)};
  if (*slot != zone) {
    const ZoneString string = packed_zone(zones, zone, is_unfinished);
    at = put_zone(zones, message, at, &string);
    *slot = zone;
  }
  if (is_unfinished)
    at = put_origin(zones, wire, message, (char *)(uintptr_t)aligned(at, to));
  return (size_t)(at - (char *)to);
}

// What follows `edges` is not read.
size_t wire_refer(const Zones *zones, const uint64_t *key, ZoneRef zone, void *to) {
  const Wires *wires = wires_of(zones);
  const Wire *wire = peer_of(zones);
  const uint32_t slot = slot_of(wires, zone), words = zones->space.key_words;
  if (!wire->sent || wire->sent[slot] != zone)
    return 0;
  uint64_t *message = to;
  for (uint32_t i = 0; i < words; i++)
    message[i] = key[i];
  const WireMessage head = {.slot = slot};
  memcpy(message + words, &head, offsetof(WireMessage, map));
  return words * sizeof *key + offsetof(WireMessage, map);
}

static const WireMessage *message_in(const Zones *zones, const void *message) {
  return (const WireMessage *)((const uint64_t *)message + zones->space.key_words);
}

// The zone that follows the message, packed.
static ZoneString zone_in(Zones *zones, const WireMessage *message) {
  Wires *wires = wires_of(zones);
  ZoneString zone = {.kind = message->k,
                     .format = (PackedFormat)message->format,
                     .entries = message + 1,
                     .bytes = message->bytes};
  if (message->flags & IS_MINIMAL) {
    minimal_read(&wires->room, wires->matrix, zone.kind, message + 1);
    packed_write(wires->packed, wires->matrix, zone.kind, zone.format);
    zone.entries = wires->packed;
    zone.bytes = packed_bytes(zone.kind, zone.format);
  }
  return zone;
}

uint32_t wire_recognise(Zones *zones, const void *from) {
  const WireMessage *message = message_in(zones, from);
  return message->flags & NEW_ZONE ? ZONE_NONE : peer_of(zones)->got[message->slot];
}

void wire_receive(Zones *zones, const void *from) {
  Space *space = &zones->space;
  const WireMessage *message = message_in(zones, from);
  space->load(space, from, wire_recognise(zones, from));
  if (!(message->flags & NEW_ZONE))
    return;
  const ZoneString zone = zone_in(zones, message);
  zones->time->accept(zones, &zone);
  slots(wires_of(zones), &peer_of(zones)->got)[message->slot] = zones->time->number(zones);
}

// Keeps a list of words by the peer's number.
static const char *keep(Mem *mem, Wire *wire, Numbers *starts, uint32_t number, const char *from,
                        uint32_t count) {
  while (starts->size <= number)
    vec_push(mem, starts, 0);
  starts->items[number] = wire->words.size;
  vec_push(mem, &wire->words, count);
  for (uint32_t i = 0; i < count; i++, from += sizeof(uint32_t)) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    vec_push(mem, &wire->words, word);
  }
  return from;
}

static uint32_t find_transition(Zones *zones, const Wire *wire, uint32_t number) {
  Wires *wires = wires_of(zones);
  const uint32_t singles = zones->net->edges.size;
  if (number <= singles)
    return number - 1;
  const uint32_t *words = wire->words.items + wire->joints.items[number - singles];
  vec_clear(&wires->edges);
  for (uint32_t i = 1; i <= *words; i++)
    vec_push(wires->mem, &wires->edges, &zones->net->edges.items[words[i]]);
  return common_find_transition(&zones->vectors, wires->edges.items, *words);
}

WireOrigin wire_origin(Zones *zones, const void *from) {
  Mem *mem = wires_of(zones)->mem;
  Wire *wire = peer_of(zones);
  const WireMessage *message = message_in(zones, from);
  const char *at = (const char *)(message + 1);
  if (message->flags & NEW_ZONE) {
    const ZoneString zone = zone_in(zones, message);
    const Probe probe = {.k = zone.kind, .format = zone.format, .entries = zone.entries};
    slots(wires_of(zones), &wire->got)[message->slot] = zonetable_add(&zones->table, &probe);
    at += message->bytes;
  }
  at = aligned(at, from);
  if (message->flags & NEW_MAP)
    at = keep(mem, wire, &wire->maps, message->map, at, message->clocks);
  if (message->flags & NEW_JOINT)
    keep(mem, wire, &wire->joints, message->transition - zones->net->edges.size, at,
         message->edges);
  const uint32_t *map = wire->words.items + wire->maps.items[message->map];
  return (WireOrigin){.zone = wire->got[message->slot],
                      .vector = common_find_vector(&zones->vectors, map + 1, *map),
                      .transition = find_transition(zones, wire, message->transition)};
}
