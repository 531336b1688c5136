// Writes certificates of models with large constants, from a finished search of engine wide
// (semantics/wide/wide.h), of one worker.
#pragma once

#include "answers/certificates/certificate.h"

// The same as certificate_write, for one process. errno is ERANGE if an entry of a zone is too
// large for a file, or there are too many clocks.
bool wideproof_write(FILE *, Mem *, const Net *, Reach *, const CertificateGoal *);
