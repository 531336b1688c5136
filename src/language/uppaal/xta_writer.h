// Writes a network that was read from TChecker's format as .xta, for UPPAAL.
//
// A synchronisation of two processes becomes its own channel; one with weak parts becomes a
// broadcast channel. A synchronisation of more than two processes that must take part becomes a
// broadcast, too: variables hold the locations of the others, and the guard of the sender
// includes their guards. So it is one transition, as before, and states correspond one to one.
// What UPPAAL cannot express is refused: several initial locations, for example. An assignment
// that can leave the range of its variable disables the edge in TChecker's language and is an
// error in UPPAAL's: the edge gets a guard.
#pragma once

#include "model/net.h"

bool xta_write(Text *, const Net *, Report *);
