// SHA-256 (FIPS 180-4) of bytes in memory. Certificates name a model by it.
#pragma once

#include "base/text.h"

enum { SHA256_SIZE = 32 };

void sha256(unsigned char hash[SHA256_SIZE], const void *bytes, size_t size);
// The hash as 64 hexadecimal digits, appended.
void sha256_print(Text *, const unsigned char hash[SHA256_SIZE]);
