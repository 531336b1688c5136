// Synchronised zones. The synchronised zone of a local zone is the set of its valuations with
// equal local times, as a zone of global time. Covering compares only these
// (doc/notes/local-time.md). They are stored in a table of their own, modulo the abstraction. A
// cache maps local zones and settings to them.
#pragma once

#include "semantics/local/localfiring.h"

// The synchronised zone of the current node, as it is; valid until the next one is made.
const Bound *syncedzone_whole(Local *);
// The same modulo the abstraction, in the table of such zones; and that of another local zone in
// the same setting.
ZoneRef syncedzone_current(Local *);
ZoneRef syncedzone_of(Local *, ZoneRef);
