// The limits of time and memory. Whoever reaches one has decided nothing: exit status 3. Signals
// of OCaml are looked at only where memory is allocated, so this is C.
#include <caml/mlvalues.h>

#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { STATUS_UNDECIDED = 3 };

CAMLextern void (*caml_fatal_error_hook)(char *format, va_list arguments);

static void give_up(const char *message) {
  (void)!write(STDERR_FILENO, message, strlen(message));
  _exit(STATUS_UNDECIDED);
}

static void at_time_limit(int signal) {
  (void)signal;
  give_up("tarn-proved: undecided: time limit\n");
}

// What OCaml does not survive: no memory in the middle of a collection.
static void at_fatal_error(char *format, va_list arguments) {
  (void)arguments;
  give_up(strstr(format, "memory")
              ? "tarn-proved: undecided: memory limit\n"
              : "tarn-proved: undecided: the run-time system of OCaml failed\n");
}

// Seconds and MiB; 0: no limit.
value tarn_limit(value time, value memory) {
  const double seconds = Double_val(time);
  const long whole = (long)seconds, rest = (long)((seconds - (double)whole) * 1e6);
  const struct itimerval timer = {
      .it_value = {.tv_sec = whole, .tv_usec = whole || rest ? rest : 1}};
  struct sigaction action = {.sa_handler = at_time_limit};
  struct rlimit limit;
  caml_fatal_error_hook = at_fatal_error;
  if (seconds > 0 && (sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &timer, NULL)))
    give_up("tarn-proved: undecided: the system sets no time limit\n");
  if (Long_val(memory) > 0 && !getrlimit(RLIMIT_AS, &limit)) {
    const rlim_t bytes = (rlim_t)Long_val(memory) << 20;
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    if (setrlimit(RLIMIT_AS, &limit))
      give_up("tarn-proved: undecided: the system sets no memory limit\n");
  }
  return Val_unit;
}
