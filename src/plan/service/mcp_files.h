// Files below one folder, for a server whose callers must not see others. A path is relative to
// the folder. A path that leads out of it is refused: `..`, absolute paths, symbolic links. The
// kernel resolves the path and opens the file in one step, so nobody can exchange a part between
// a check and the use.
#pragma once

#include "base/mem.h"
#include "base/report.h"

typedef struct McpFiles {
  int folder; // file descriptor; -1: there is none
} McpFiles;

bool mcp_files_open(McpFiles *, const char *folder);
void mcp_files_close(McpFiles *);
// The text of a regular file; false, with a reason, if it cannot be had. Name and text are in the
// memory.
bool mcp_files_read(const McpFiles *, const char *path, Mem *, Source *, const char **why);
