// Checks whether a node of a certificate covers a zone in a discrete state, as the certificate
// claims. With renamings (check/renaming.h) it may cover the state under other names: then the
// state and the origins of its clocks are renamed first, as the certificate's `to` says. Where
// variables are dead (check/forgotten.h) it covers all of their values.
#pragma once

#include "check/nodezone.h"

typedef struct Subsumer {
  Mem *mem;
  Certificate *certificate;
  NodeBound *entry; // the zone that is to be covered, over the clocks of the covering node
  NodeBound *cover; // the zone of the covering node
  Origin *columns;  // scratch
  // With renamings and dead variables: the state; with renamings where its clocks were, and
  // scratch for both.
  int32_t *renamed, *scratch;
  ClockIndex *from, *scratch_clocks;
  Origin *renamed_origin;
} Subsumer;

void subsumer_init(Subsumer *, Mem *, Certificate *);

// The state under the names of the covering node, with dead variables set back; NULL if the
// renaming that was read last is not allowed.
const int32_t *subsumer_rename(Subsumer *, const int32_t *state);
// After subsumer_rename: where the clocks of the renamed state come from, and which clock it was.
const Origin *subsumer_origins(Subsumer *, const Origin *);
ClockIndex subsumer_clock(const Subsumer *, ClockIndex);

// Whether there is such a node, and it has this state and mode.
bool subsumer_is_in(const Subsumer *, uint32_t node, const int32_t *state, uint32_t mode);
// Makes `entry`: the zone after a transition with these origins, for a node.
void subsumer_enter(Subsumer *, const NodeBound *zone, const NodeBounds *, uint32_t node,
                    const Origin *);
// Whether the node covers `entry`. The certificate's place to read is lost.
bool subsumer_covers(Subsumer *, uint32_t node);
