// Checks a certificate right after it was written, with the code that `tarn certify` runs.
#pragma once

#include "plan/session.h"

// Checks the certificate in the file that the options name, for at most so many seconds. If it is
// rejected, the file is removed and there is an error. If there is too little time or memory, or
// it is not in a regular file, a warning says that it is unchecked.
void recheck_certificate(Tarn *, double max_seconds);
