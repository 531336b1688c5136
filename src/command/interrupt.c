#define _POSIX_C_SOURCE 200809L
#include "command/interrupt.h"

#include "command/progress.h"

#include <signal.h>

static volatile sig_atomic_t interrupted; // set by SIGINT and SIGTERM

static void on_signal(int number) { interrupted = number; }

// Polled by the library: shows progress, and tells whether to stop.
static int on_poll(void *state) {
  progress_poll(state);
  return interrupted;
}

// Who presses Ctrl-C a second time does not want to wait for the end in good order.
void interrupt_watch(Command *command) {
  const struct sigaction once = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  const struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &once, NULL);
  sigaction(SIGTERM, &action, NULL);
  tarn_set_terminate(command->tarn, command, on_poll);
}

bool interrupt_came(void) { return interrupted; }
