// Writes certificates of points (check/pointset.h) from a finished search in points: all of them,
// by discrete state, in chains that delay makes.
#pragma once

#include "answers/certificates/certificate.h"

// The space is one of semantics/discrete/points.h, not reduced by symmetry, of a model without
// tested differences of clocks. False if the file cannot be written; errno says why.
bool pointproof_write(FILE *, Mem *, const Net *, Space *, const CertificateGoal *);
