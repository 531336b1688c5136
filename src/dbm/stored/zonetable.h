// Zone table: stores every zone that a search meets once, packed, for all discrete states. Most
// zones occur in many states. A node needs four bytes for the number of its zone, zones with the
// same number are equal, and what is known of a zone (semantics/zone/memo.h) holds wherever it
// occurs.
//
// A table can be *compact*: then zones are stored in minimal form (dbm/stored/compact.h),
// `format` is that of the packed zone, and all users of the table have a probe with a Compact.
//
// Zones never move. Zones that no node uses are dropped when the owner asks for it.
//
// Threads that search together share their zones: a zone has one number, and every thread can
// read it. Each thread has its own table for the pages that it fills. Looking up a zone takes no
// lock; adding one locks the slots while a slot is filled.
#pragma once

#include "dbm/stored/probe.h"

// For zones of up to n clocks.
void zonetable_init(ZoneTable *, Mem *, uint32_t n);
size_t zonetable_bytes(const ZoneTable *); // memory in use

// Before there is any zone in either: from now on they have their zones in common. The first must
// outlive the others. Not for compact tables.
void zonetable_share(ZoneTable *first, ZoneTable *other);

// The probe's zone: its number, ZONE_NONE if it is not there; or added.
ZoneRef zonetable_find(const ZoneTable *, const Probe *);
ZoneRef zonetable_add(ZoneTable *, const Probe *);
// Zones of another kind (dbm/stored/offsetpack.h), which the table takes as strings of bytes:
// equal ones have the same kind, which fixes their size, format and bytes. Not for compact
// tables.
typedef struct ZoneString {
  uint32_t kind; // StoredZone.k
  PackedFormat format;
  const void *entries;
  size_t bytes;
  uint32_t hash; // of the rest; the table finds it
} ZoneString;

ZoneRef zonetable_find_string(const ZoneTable *, ZoneString);
ZoneRef zonetable_add_string(ZoneTable *, ZoneString);

// Zones that are marked stay when the table is swept; the others are dropped, and their numbers
// may become those of new zones. Users must forget such numbers first. Not for compact
// tables, nor for zones in common.
void zonetable_mark(ZoneTable *, ZoneRef);
bool zonetable_is_marked(const ZoneTable *, ZoneRef);
void zonetable_sweep(ZoneTable *); // takes the marks away

// Index of the first of the numbers that is this one, or at least count. A vector's length must
// be readable behind the last.
uint32_t zonetable_same(ZoneRef, const ZoneRef *, uint32_t count);
// Index of the first of the zones, which have the dimension of the probe's, that covers the
// probe's zone, or count.
uint32_t zonetable_covered(const ZoneTable *, Probe *, const ZoneRef *, uint32_t count);
// First index >= from of a zone that the probe's zone covers, or count.
uint32_t zonetable_covers(const ZoneTable *, Probe *, const ZoneRef *, uint32_t from,
                          uint32_t count);
