// Writes a network as .xta, for UPPAAL and its users: the other way of the front end, for
// networks that were read from TChecker's format.
//
// A synchronisation of two processes becomes a channel of its own, one with weak parts a
// broadcast channel. What UPPAAL has no words for is refused: more than two processes that must
// take part, several initial locations. An assignment that can leave the range of its variable
// disables the edge in TChecker's language and is an error in UPPAAL's: the edge gets a guard.
#ifndef TARN_UPPAAL_XTA_WRITER_H
#define TARN_UPPAAL_XTA_WRITER_H

#include "model/net.h"

bool xta_write(Text *, const Net *, Report *);

#endif
