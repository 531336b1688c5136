// Writes a network in TChecker's language; the text reads back as the same network.
#pragma once

#include "model/net.h"

// Edges that no transition can have, on channels that no other process uses, are left out.
void tck_write(Text *, const Net *);

// The names of the labels of a location, ` a,b`.
void tck_write_labels(Text *, const Net *, const Location *);
