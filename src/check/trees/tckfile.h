// A TChecker model as its text says it: the second evaluator's own reader of declarations. It
// was written from the guide and shares nothing with language/tchecker, which has read the text
// without an error before. So this reader reports no mistakes: if it does not understand
// something, it gives up with a reason. Only tckfile_compare knows the network.
//
// Attributes are kept as text; check/trees/tckterms.h reads conditions and statements.
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "check/trees/term.h"
#include "model/net.h"

typedef struct TckSpan { // a piece of the text
  const char *at;
  uint32_t size;
} TckSpan;

typedef struct TckAttribute {
  TckSpan key, value;
} TckAttribute;

// Those of a location or an edge: `count` of TckFile.attributes.
typedef struct TckAttributes {
  uint32_t first, count;
} TckAttributes;

typedef enum TckEntryKind {
  TCK_ENTRY_PROCESS,
  TCK_ENTRY_EVENT,
  TCK_ENTRY_LOCATION,
  TCK_ENTRY_INT,
  TCK_ENTRY_CLOCK,
  TCK_ENTRY_KINDS
} TckEntryKind;

// Something that has a name. Entries of one kind are linked in the order of declaration.
typedef struct TckEntry TckEntry;
struct TckEntry {
  TckEntryKind kind;
  TckSpan name;
  uint32_t index;       // among those of its kind; of a location: in its process
  TckEntry *process;    // of a location
  uint32_t locations;   // of a process
  const Shape *shape;   // of a variable
  uint32_t base, count; // of a variable: its first slot or clock, and how many
  int32_t initial;
  bool is_initial, is_committed, is_urgent;
  TckAttributes attributes;
  TckEntry *next, *same_hash;
};

typedef struct TckEdge {
  const TckEntry *source, *target, *event;
  TckAttributes attributes;
  Place place;
} TckEdge;

typedef struct TckPart {
  const TckEntry *process, *event;
  bool is_weak;
} TckPart;

typedef struct TckFile {
  Arena *arena;
  const Source *source;
  TckEntry *first[TCK_ENTRY_KINDS], **end[TCK_ENTRY_KINDS];
  uint32_t counts[TCK_ENTRY_KINDS];
  TckEntry **buckets;
  uint32_t bucket_count;
  uint32_t slots, clocks;
  VEC(TckEdge) edges;
  VEC(TckPart) parts;
  VEC(uint32_t) sync_ends; // in `parts`, by synchronisation
  VEC(TckAttribute) attributes;
  const char *unknown; // why the text is not understood; NULL: it is
  Place unknown_place;
} TckFile;

void tckfile_read(TckFile *, Arena *, const Source *);

bool tckspan_is(TckSpan, const char *text);
TckSpan tckspan_trim(TckSpan);
Place tckfile_place(const TckFile *, const char *at);

// NULL: there is none. `process`: of a location, else NULL.
const TckEntry *tckfile_find(const TckFile *, TckEntryKind, const TckEntry *process,
                             TckSpan name);
// Whether a location carries a label.
bool tckfile_carries(const TckFile *, const TckEntry *location, TckSpan label);

// The attributes of a location of the network that has been compared.
TckAttributes tckfile_attributes(const TckFile *, const Net *, LocationId);
// What the network has otherwise, appended as a sentence without a dot; nothing if it is the
// same.
void tckfile_compare(const TckFile *, const Net *, Text *difference);
