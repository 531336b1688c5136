// Batches of messages, which workers send each other (base/team.h).
#ifndef TARN_BASE_BATCH_H
#define TARN_BASE_BATCH_H

#include <stddef.h>
#include <stdint.h>

typedef struct Batch {
  struct Batch *next;
  uint32_t ticket;   // while it is on its way to another process
  uint32_t from, to; // workers; it is memory of the one that it is from, or of a relay
  uint32_t size;     // bytes in use
  char bytes[];      // aligned to 8; TEAM_SLACK more of them are readable
} Batch;

enum { TEAM_SLACK = 64 };

#endif
