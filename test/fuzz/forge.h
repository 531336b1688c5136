// Forged evidence: takes a certificate or a run apart, changes it as somebody would who wants it
// to pass, and writes it again. Numbers become extreme, negative or huge, denominators wrong,
// zones wider or narrower, bounds are swapped, nodes and steps dropped, doubled and exchanged.
//
// It knows the formats (src/model/certificate_format.h, `tarn help json`) and shares no code with
// what reads them.
#pragma once

#include <stddef.h>

// A new certificate, allocated; `query` replaces the one that it is for, as labels or not, if it
// is not NULL, and so does the hash, of the model. Bytes that are no certificate become other
// bytes.
char *forge_certificate(unsigned long long *random, const char *bytes, size_t size,
                        const char *query, const unsigned char *hash, size_t *forged_size);
// Whether a certificate, of any version, says that it is about this query. If not, it may be
// about all states.
int forge_asks(const char *bytes, size_t size, const char *query);
// What a certificate of extreme values claims, allocated; NULL if it is none, or does not end
// where the bytes end.
char *forge_claims(const char *bytes, size_t size);
// As forge_certificate, for the JSON of runs. `changes` 0: only the query is changed.
char *forge_run(unsigned long long *random, const char *json, const char *query,
                unsigned changes);
