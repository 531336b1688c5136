// Restoring: continues a search from a checkpoint (search/save/checkpoint.h).
//
// Every process reads all parts. The first pass gives each node its new reference: the new
// division of work decides the owner, and the nodes of one owner are numbered in the order of the
// parts. All processes find the same references. The second pass makes the nodes that belong to
// this process.
#pragma once

#include "search/save/checkpoint.h"

// Takes up a search that has not begun, after checkpoint_attach. False with the reason in `why`;
// nothing can be done with the search then. True with what the search is, in words.
bool restore_read(Reach *, const char *folder, Text *why);
// Whether the checkpoint there can be read, and these lines are in its head.
bool restore_is_of(Mem *, const char *folder, const char *lines);
