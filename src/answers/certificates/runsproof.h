// Writes timed certificates that there is no infinite run of some kind (check/descent.h): from
// a finished search with covering of answers/queries/runs.h, whose nodes have all clocks, and
// whose modes are those of the file.
#pragma once

#include "answers/certificates/certificate.h"

// The same as certificate_write, for one process. The net is that of the search.
bool runsproof_write(FILE *, Mem *, const Net *, Reach *, const CertificateGoal *);
