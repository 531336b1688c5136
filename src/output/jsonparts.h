// Parts of JSON that several writers share.
#pragma once

#include "base/text.h"
#include "model/net.h"

struct json_t;

struct json_t *jsonparts_text(Text *); // a string; the text is empty then
struct json_t *jsonparts_integers(const int32_t *, uint32_t count);

// Edges as objects that name their process, locations and event, or as their numbers.
struct json_t *jsonparts_edges(const Net *, const Edge *const *, uint32_t count);
struct json_t *jsonparts_edge_numbers(const Net *, const Edge *const *, uint32_t count);
// The location of each process in a state, by their names.
struct json_t *jsonparts_locations(const Net *, const int32_t *state);

// Adds the value to the text, as json_dumps writes it with these flags, and releases it;
// jsonparts_line also adds a newline.
void jsonparts_add(Text *, struct json_t *, size_t flags);
void jsonparts_line(Text *, struct json_t *, size_t flags);
