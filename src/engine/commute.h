// Commuting steps of local time: zones that need not be computed, as another order of the same
// actions has led to them before.
//
// Actions that touch different processes and resources commute exactly (doc/local-time.md): both
// orders make the same local zone. So if the opened node P comes from Q by an action b, the
// result of a at P, where a has nothing in common with b, is that of b where a leads from Q, if
// that node has been opened:
//
//     Q --a--> R        P --a--> what R --b--> leads to
//     |b       |b
//     P --a--> ?
//
// Of each scene the results of the zone that was opened last are kept (localscene_results), and
// where nodes come from: the one that was stored last, and the one that was met last. Nothing is
// looked up in tables, not even the target's scene.
#ifndef TARN_ENGINE_COMMUTE_H
#define TARN_ENGINE_COMMUTE_H

#include "engine/localscene.h"

#define COMMUTE_NOTHING UINT32_MAX // as a result: no node, whatever the reason

typedef struct CommuteOrigin {
  const LocalScene *scene; // Q; NULL: nothing is known of it
  // Of b:
  uint32_t transition, step;
  uint64_t touches;
  uint32_t move; // of Q
  uint32_t next; // move of Q: those that P has, too, are in the same order
} CommuteOrigin;

typedef struct Commute {
  CommuteOrigin origins[LOCAL_ORIGINS];
} Commute;

// A node is opened.
void commute_open(Commute *, const LocalScenes *, LocalScene *, ZoneRef);
// What a move makes of the opened zone, ZONE_NONE if it is not known. If it is, the move is
// linked.
ZoneRef commute_find(Commute *, LocalScenes *, LocalScene *, uint32_t ordinal);
// Zones get new numbers.
void commute_forget(Commute *, LocalScenes *);

#endif
