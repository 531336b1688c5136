// Reads models and queries into a session. A read that fails leaves only its message.
#pragma once

#include "plan/session.h"

// A model from a file, with or without the queries in the .q file beside it; from a text. 0 or
// -1.
int load_model(Tarn *, const char *path, bool with_queries);
int load_text(Tarn *, const char *text, const char *language);
// The text of a model that another process read, without its queries. 0 or -1.
int load_copy(Tarn *, const char *name, const char *text, size_t size);

// Replaces the queries of the model by those of a file. 0 or -1.
int load_query_file(Tarn *, const char *path, const char *text); // if the path is NULL
