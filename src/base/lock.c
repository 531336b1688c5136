#define _POSIX_C_SOURCE 200809L
#include "base/lock.h"

#include <sched.h>

enum { LOOKS = 256 }; // then other threads run, perhaps the one that holds the lock

void lock_pause(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

void lock_wait(Lock *lock) {
  for (unsigned look = 1; !lock_try(lock); look++) {
    if (look % LOOKS == 0)
      sched_yield();
    else
      lock_pause();
  }
}
