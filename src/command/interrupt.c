#define _POSIX_C_SOURCE 200809L
#include "command/interrupt.h"

#include "command/progress.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t interrupted; // set by SIGINT and SIGTERM

static struct timespec first; // signal

static double since(const struct timespec *past, const struct timespec *now) {
  return (double)(now->tv_sec - past->tv_sec) + (double)(now->tv_nsec - past->tv_nsec) * 1e-9;
}

// A second Ctrl-C ends the program at once. One signal can come twice: timeout(1) sends it to the
// process and to its group.
static void on_signal(int number) {
  const double same = 0.2; // seconds
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!interrupted)
    first = now;
  else if (number == SIGINT && since(&first, &now) > same) {
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
  }
  interrupted = number;
}

// Polled by the library: shows progress, and tells whether to stop.
static int on_poll(void *state) {
  progress_poll(state);
  return interrupted;
}

void interrupt_watch(Command *command) {
  const struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  tarn_set_terminate(command->tarn, command, on_poll);
}

bool interrupt_came(void) { return interrupted; }
