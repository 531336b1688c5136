// Locks that threads hold only for a moment. A thread that holds one does nothing that may fail.
// All-zero is a free lock. Each lock has its own cache line.
#pragma once

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct Lock {
  alignas(64) atomic_bool is_held;
} Lock;

void lock_wait(Lock *); // until it is the caller's

static inline bool lock_try(Lock *lock) {
  return !atomic_load_explicit(&lock->is_held, memory_order_relaxed) &&
         !atomic_exchange_explicit(&lock->is_held, true, memory_order_acquire);
}

static inline void lock_acquire(Lock *lock) {
  if (!lock_try(lock))
    lock_wait(lock);
}

static inline void lock_release(Lock *lock) {
  atomic_store_explicit(&lock->is_held, false, memory_order_release);
}

// For a thread that polls: call it before the next look.
void lock_pause(void);
