// Errors and warnings as JSON.
#pragma once

struct json_t;

// The text of a user. Bytes that are no UTF-8 become question marks: JSON has no others.
struct json_t *messages_text(const char *);

// A list of {"command", "file", "line", "column", "text", "detail"} of what a Report says: who
// says it is always `tarn`. Each message begins with a line of its own, which has a place or not.
// The excerpt with the caret is left out; what follows else, such as a run, is the detail. The
// caller owns the list.
struct json_t *messages_json(const char *text);
