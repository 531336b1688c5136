// Errors and warnings as JSON.
#ifndef TARN_IO_MESSAGES_H
#define TARN_IO_MESSAGES_H

struct json_t;

// A list of {"command", "file", "line", "column", "text", "detail"} of what a Report says: who
// says it is always `tarn`. Each message begins with a line of its own, which has a place or not.
// The excerpt with the caret is left out; what follows else, such as a run, is the detail. The
// caller owns the list.
struct json_t *messages_json(const char *text);

#endif
