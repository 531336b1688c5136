// Certificates of points, and their checker. The layout of the file is in
// model/certificate_format.h.
//
// A certificate is a set of points: a discrete state and one whole value for each clock. Each
// state has a limit for each clock. A value below the limit is exact; the limit itself stands for
// all values from there on. The set holds if
//   - it has every initial state whose invariant holds,
//   - with a point it has the one that a unit of delay leads to, where the invariant allows it,
//     and the targets of all transitions,
//   - no point of it meets the goal, and no transition fails at run time.
// A test that a limit leaves undecided rejects the certificate, as does an update that would need
// a value beyond a limit. So limits that are too small make a certificate fail, never a false
// one hold.
//
// Why whole values are enough: move every moment of a run in real time to the whole number below
// it if its fraction is at most f, else to the one above. Differences of moments that are at most
// c stay so, for whole c (Henzinger, Manna, Pnueli 1992). So the run becomes one of whole delays,
// by the same edges, if each strict test is read as one that is not. That is how they are read
// here. An update to y - d, d > 0, fails where y < d, which is strict; but f can be chosen so
// that one such difference stays below d. Where it matters that a guard does not hold (channels,
// priorities) there are no such certificates.
#pragma once

#include "base/text.h"
#include "check/certificate_reader.h"
#include "model/query.h"

enum { POINTSET_MAX = 1 << 25 }; // points of a certificate

// As certify_check, which calls it.
bool pointset_check(Mem *, const Net *, const Goal *, const char *bytes, size_t size,
                    CertifyCounts *, Text *why);
