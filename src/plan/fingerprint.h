// The name of a model in certificates and reports: a hash of what `tarn show` prints, without its
// first line, which names the file. So constants that are set on the command line count, and
// layout, comments and names of files do not.
#pragma once

#include "base/sha256.h"
#include "model/net.h"

void fingerprint_model(unsigned char hash[SHA256_SIZE], Mem *, const Net *);
