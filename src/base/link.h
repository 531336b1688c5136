// Links: send bytes between the processes of one program. Each process has a number, its rank.
// All of them run the same search (base/relay.h). Only one thread at a time may use a link.
//
// Messages of one tag from one rank to another arrive in the order in which they were sent. None
// is lost: if one process dies, all do.
#pragma once

#include "base/mem.h"

// What a message is: a batch for a worker; a word between relays; what is said before and after a
// search.
typedef enum LinkTag { LINK_BATCH = 1, LINK_WORD, LINK_TALK } LinkTag;
#define LINK_ANY UINT32_MAX // of any rank

typedef struct Link Link;
struct Link {
  uint32_t ranks, rank;
  uint32_t neighbours; // ranks on this machine, this one included
  // Begins to send. The bytes must stay as they are until `is_sent` is true for the ticket, which
  // is once for each. A batch counts as sent only when its receiver has begun to take it.
  uint32_t (*send)(Link *, uint32_t to, LinkTag, const void *bytes, size_t size);
  bool (*is_sent)(Link *, uint32_t ticket);
  // Whether a message of this tag, from this rank or LINK_ANY, has come in; its sender and size.
  // Then it can be taken.
  bool (*has_come)(Link *, LinkTag, uint32_t rank, uint32_t *from, size_t *size);
  void (*take)(Link *, LinkTag, uint32_t from, void *bytes, size_t size);
  void (*close)(Link *); // when no process sends or waits
};

// The link of this process, NULL if it is alone. If it is one of several and this program was
// built without a transport, `error` says so.
Link *link_open(Mem *, const char **error);

// Sends and waits until it has been sent; waits for a message and takes it. Waiting leaves the
// processor to others. The memory is the caller's, with one more byte, 0, behind it.
void link_tell(Link *, uint32_t to, const void *bytes, size_t size);
void *link_hear(Link *, Mem *, uint32_t from, size_t *size);
// The same for a message whose size is known.
void link_hear_into(Link *, uint32_t from, void *bytes, size_t size);
