#include "semantics/zone/message.h"

#include "dbm/stored/minimal.h"
#include "search/workers/partition.h"
#include "semantics/zone/locvector_make.h"

#include <string.h>

// Slots of all dictionaries together, and of one at least and at most.
enum { ALL_SLOTS = 1 << 21, LEAST_SLOTS = 1 << 10, MAX_SLOTS = 1 << 18 };

// What follows the head: of an unfinished node the set of clocks and the edges; a zone by value.
enum { UNFINISHED = 1, BY_VALUE = 2, IS_MINIMAL = 4 };

typedef struct ZoneValue { // before the bytes of a zone
  uint32_t kind, format;   // of the packed zone
  uint64_t bytes;
} ZoneValue;

typedef struct Dictionary { // of one peer, by slot; made when they are needed
  ZoneRef *sent, *got;
} Dictionary;

typedef struct Wires {
  uint32_t peers, mask;
  Dictionary *dictionaries;
  MinimalScratch room; // if zones are matrices of clock differences
  Bound *matrix;
  char *packed, *minimal;
} Wires;

static Wires *new_wires(Zones *zones, uint32_t peers) {
  Mem *mem = zones->mem;
  Wires *wires = mem_alloc(mem, sizeof *wires);
  uint32_t slots = MAX_SLOTS;
  while (slots > LEAST_SLOTS && (uint64_t)slots * peers > ALL_SLOTS)
    slots /= 2;
  *wires = (Wires){.peers = peers, .mask = slots - 1};
  wires->dictionaries = mem_alloc(mem, peers * sizeof *wires->dictionaries);
  if (zones->space.exchange.finish) {
    const uint32_t n = zones->net->clock_count + 1;
    minimal_init(&wires->room, arena_align(&zones->arena, minimal_scratch_bytes(n), 0), n);
    wires->matrix = arena_align(&zones->arena, dbm_bytes(n), 0);
    wires->packed = arena_align(&zones->arena, packed_bytes(n, PACKED_32), PACKED_SLACK);
    wires->minimal = arena_align(&zones->arena, minimal_max_bytes(n), MINIMAL_SLACK);
  }
  return wires;
}

static void forget(Zones *zones, Dictionary *dictionary) {
  mem_free(zones->mem, dictionary->sent);
  mem_free(zones->mem, dictionary->got);
  *dictionary = (Dictionary){0};
}

void message_release(Zones *zones) {
  Wires *wires = zones->space.exchange.wires;
  if (!wires)
    return;
  for (uint32_t i = 0; i < wires->peers; i++)
    forget(zones, &wires->dictionaries[i]);
  mem_free(zones->mem, wires->dictionaries);
  mem_free(zones->mem, wires);
}

void message_partition(Zones *zones) {
  Exchange *exchange = &zones->space.exchange;
  if (!exchange->partition)
    exchange->partition =
        partition_new(&zones->arena, zones->net, &zones->layout, exchange->workers);
}

static void connect(Space *space) {
  Zones *zones = (Zones *)space;
  message_partition(zones);
  message_release(zones);
  space->exchange.wires = new_wires(zones, space->exchange.workers);
}

static void forget_peer(Space *space, uint32_t peer) {
  Zones *zones = (Zones *)space;
  Exchange *exchange = &space->exchange;
  if (!exchange->wires)
    exchange->wires = new_wires(zones, peer > exchange->workers ? peer : exchange->workers);
  forget(zones, &exchange->wires->dictionaries[peer - 1]);
}

static Dictionary *dictionary_of(const Space *space) {
  return &space->exchange.wires->dictionaries[space->exchange.peer - 1];
}

static uint32_t slot_of(const Wires *wires, ZoneRef zone) {
  return (uint32_t)(zone * UINT64_C(0x9e3779b97f4a7c15) >> 40) & wires->mask;
}

static ZoneRef *slot_at(Zones *zones, ZoneRef **slots, uint32_t slot) {
  const Wires *wires = zones->space.exchange.wires;
  if (!*slots)
    *slots = mem_alloc(zones->mem, (wires->mask + (size_t)1) * sizeof **slots);
  return *slots + slot;
}

static ZoneMessage *head_of(const Space *space, const void *message) {
  return (ZoneMessage *)((uint64_t *)(uintptr_t)message + space->key_words);
}

static uint32_t set_words(const LocVectors *vectors) { return vectors->n / 64 + 1; }

static size_t origin_bytes(const Zones *zones, uint32_t edges) {
  return (set_words(&zones->vectors) + (edges + (size_t)1) / 2) * sizeof(uint64_t);
}

// The zone by value of a message that has one.
static ZoneValue *value_of(const Zones *zones, ZoneMessage *head) {
  const size_t origin = head->flags & UNFINISHED ? origin_bytes(zones, head->edges) : 0;
  return (ZoneValue *)((char *)(head + 1) + origin);
}

size_t message_max_bytes(const Zones *zones, size_t zone_bytes) {
  return zones->layout.words * sizeof(uint64_t) + sizeof(ZoneMessage) +
         origin_bytes(zones, zones->net->processes.size) + sizeof(ZoneValue) + zone_bytes;
}

// Where an unfinished node comes from.
static void put_origin(const Zones *zones, ZoneMessage *head) {
  const LocVectors *vectors = &zones->vectors;
  const LocVector *from = zones->opened.vector;
  const Transition *t = locvector_transition(vectors, &from->outgoing[zones->space.ordinal]);
  uint64_t *set = (uint64_t *)(head + 1);
  uint32_t *edges = (uint32_t *)(set + set_words(vectors));
  head->flags |= UNFINISHED;
  head->edges = (uint16_t)t->edge_count;
  memset(set, 0, set_words(vectors) * sizeof *set);
  for (uint32_t i = 1; i < from->active.k; i++)
    set[from->active.clocks[i] / 64] |= (uint64_t)1 << from->active.clocks[i] % 64;
  edges[(t->edge_count - 1) | 1] = 0; // they are padded
  for (uint32_t i = 0; i < t->edge_count; i++)
    edges[i] = (uint32_t)(t->edges[i] - zones->net->edges.items);
}

// Whether bytes count, and not time: on a network. What a worker writes for itself goes to a
// file.
static bool saves_bytes(const Exchange *exchange) {
  return exchange->saves_bytes && exchange->wires && exchange->peer &&
         exchange->peer != SPACE_BY_VALUE && exchange->peer != exchange->number + 1;
}

static ZoneString packed_zone(Zones *zones) {
  if (!zones->space.exchange.is_unfinished)
    return zones->time->packed(zones);
  const StoredZone *stored = zonetable_at(&zones->table, zones->opened.zone);
  return (ZoneString){.kind = stored->k,
                      .format = (PackedFormat)stored->format,
                      .entries = stored->entries,
                      .bytes = packed_bytes(stored->k, (PackedFormat)stored->format)};
}

// The zone by value: where the message ends.
static char *put_zone(Zones *zones, ZoneMessage *head) {
  Wires *wires = zones->space.exchange.wires;
  ZoneString zone = packed_zone(zones);
  ZoneValue *value = value_of(zones, head);
  head->flags |= BY_VALUE;
  if (saves_bytes(&zones->space.exchange) && wires->minimal) {
    packed_read(wires->matrix, zone.kind, zone.entries, zone.format);
    const size_t size = minimal_make(&wires->room, wires->minimal, wires->matrix, zone.kind);
    if (size < zone.bytes) {
      head->flags |= IS_MINIMAL;
      zone.entries = wires->minimal;
      zone.bytes = size;
    }
  }
  *value = (ZoneValue){zone.kind, zone.format, zone.bytes};
  memcpy(value + 1, zone.entries, zone.bytes);
  return (char *)(value + 1) + zone.bytes;
}

static size_t send(Space *space, void *to) {
  Zones *zones = (Zones *)space;
  const bool is_unfinished = space->exchange.is_unfinished;
  ZoneMessage *head = head_of(space, to);
  ZoneRef zone = is_unfinished ? zones->opened.zone : space->zone;
  const bool is_by_value = space->exchange.peer == SPACE_BY_VALUE;
  bool is_known = zones->table.shared && zone && !is_by_value;
  memcpy(to, space->key, space->key_words * sizeof *space->key);
  *head = (ZoneMessage){.zone = is_known ? zone : ZONE_NONE};
  if (space->exchange.peer && !is_by_value) {
    zone = zone ? zone : zones->time->number(zones);
    head->zone = slot_of(space->exchange.wires, zone);
    ZoneRef *slot = slot_at(zones, &dictionary_of(space)->sent, head->zone);
    is_known = *slot == zone;
    *slot = zone;
  }
  if (is_unfinished)
    put_origin(zones, head);
  const char *end = is_known ? (char *)value_of(zones, head) : put_zone(zones, head);
  return (size_t)(end - (char *)to);
}

static size_t refer(const Space *space, const uint64_t *key, uint32_t zone, void *to) {
  const Dictionary *dictionary = dictionary_of(space);
  const uint32_t slot = slot_of(space->exchange.wires, zone);
  if (!dictionary->sent || dictionary->sent[slot] != zone)
    return 0;
  uint64_t *message = to;
  for (uint32_t i = 0; i < space->key_words; i++)
    message[i] = key[i];
  *head_of(space, to) = (ZoneMessage){.zone = slot};
  return space->key_words * sizeof *key + sizeof(ZoneMessage);
}

// The zone by value of a message, packed.
static ZoneString zone_in(const Zones *zones, ZoneMessage *head) {
  Wires *wires = zones->space.exchange.wires;
  const ZoneValue *value = value_of(zones, head);
  ZoneString zone = {.kind = value->kind,
                     .format = (PackedFormat)value->format,
                     .entries = value + 1,
                     .bytes = value->bytes};
  if (head->flags & IS_MINIMAL) {
    minimal_read(&wires->room, wires->matrix, zone.kind, value + 1);
    packed_write(wires->packed, wires->matrix, zone.kind, zone.format);
    zone.entries = wires->packed;
    zone.bytes = packed_bytes(zone.kind, zone.format);
  }
  return zone;
}

static Probe probe_in(const Zones *zones, ZoneMessage *head) {
  const ZoneString zone = zone_in(zones, head);
  return (Probe){.k = zone.kind, .format = zone.format, .entries = zone.entries};
}

static uint32_t recognise(Space *space, const void *message) {
  Zones *zones = (Zones *)space;
  ZoneMessage *head = head_of(space, message);
  if (!(head->flags & BY_VALUE))
    return space->exchange.peer ? dictionary_of(space)->got[head->zone] : head->zone;
  if (space->exchange.peer || !zones->table.shared)
    return ZONE_NONE;
  const Probe probe = probe_in(zones, head);
  return zonetable_find(&zones->table, &probe);
}

static void receive(Space *space, const void *message) {
  Zones *zones = (Zones *)space;
  ZoneMessage *head = head_of(space, message);
  space->load(space, message, recognise(space, message));
  if (space->zone)
    return;
  const ZoneString zone = zone_in(zones, head);
  zones->time->accept(zones, &zone);
  if (space->exchange.peer)
    *slot_at(zones, &dictionary_of(space)->got, head->zone) = zones->time->number(zones);
}

// Numbers of kinds of zones need not be those of the process that wrote them, as sizes are.
static bool is_sound(Space *space, const void *message, size_t bytes) {
  Zones *zones = (Zones *)space;
  ZoneMessage *head = head_of(space, message);
  const size_t least = space->key_words * sizeof(uint64_t) + sizeof *head;
  const bool is_by_value = bytes >= least && head->flags == BY_VALUE;
  if (bytes < least + (is_by_value ? sizeof(ZoneValue) : 0) || (head->flags && !is_by_value) ||
      head->zone > space->exchange.wires->mask ||
      !state_is_in_range(&zones->layout, zones->net, message))
    return false;
  space->load(space, message, ZONE_NONE);
  const ZoneRef *got = dictionary_of(space)->got;
  if (space->failure)
    return false;
  if (!is_by_value)
    return got && got[head->zone] &&
           zonetable_at(&zones->table, got[head->zone])->k ==
               zones->time->form(zones, PACKED_8).kind;
  const ZoneValue *value = value_of(zones, head);
  return value->format <= PACKED_32 && value->bytes <= bytes - least - sizeof *value &&
         value->bytes == zones->time->form(zones, (PackedFormat)value->format).bytes;
}

// The zone that an unfinished node comes from.
static ZoneRef origin_zone(Zones *zones, ZoneMessage *head) {
  if (!zones->space.exchange.peer)
    return head->zone;
  ZoneRef *slot = slot_at(zones, &dictionary_of(&zones->space)->got, head->zone);
  if (head->flags & BY_VALUE) {
    const Probe probe = probe_in(zones, head);
    *slot = zonetable_add(&zones->table, &probe);
  }
  return *slot;
}

MessageOrigin message_origin(Zones *zones, const void *message) {
  LocVectors *vectors = &zones->vectors;
  ZoneMessage *head = head_of(&zones->space, message);
  const uint64_t *set = (const uint64_t *)(head + 1);
  const uint32_t *edges = (const uint32_t *)(set + set_words(vectors));
  for (uint32_t i = 0; i < head->edges; i++)
    vectors->draft.joint[i] = &zones->net->edges.items[edges[i]];
  return (MessageOrigin){
      .zone = origin_zone(zones, head),
      .vector = locvector_receive(vectors, set),
      .transition = locvector_find_transition(vectors, vectors->draft.joint, head->edges, NULL)};
}

const Exchange message_functions = {.connect = connect,
                                    .forget = forget_peer,
                                    .refer = refer,
                                    .is_sound = is_sound,
                                    .send = send,
                                    .receive = receive,
                                    .recognise = recognise};
