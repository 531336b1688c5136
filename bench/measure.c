// Runs a command and says what it cost: measure [--cpu] LIMIT OUTPUT COMMAND [ARGUMENT...]
//
// The command is ended after LIMIT seconds (0: never); its standard output goes to OUTPUT. With
// --cpu, seconds are those of the processor, also for the limit: what else runs matters less.
// Prints its exit status, or `limit`, or `signal-N`; the seconds it took; the most memory it had
// resident, in KiB. A program of its own, because the peak that the system keeps for a
// process includes what its parent had resident when it forked: a shell is not small enough.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// In the child. The alarm outlives exec, and nothing measured here catches it.
static void start(bool is_cpu, unsigned limit, const char *output, char **command) {
  const int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, STDOUT_FILENO) < 0) {
    perror(output);
    _exit(127);
  }
  close(file);
  const struct rlimit most = {limit, limit + 1};
  if (is_cpu && limit && setrlimit(RLIMIT_CPU, &most) < 0) {
    perror("measure");
    _exit(127);
  }
  alarm(is_cpu ? 0 : limit);
  execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

int main(int argc, char **argv) {
  const bool is_cpu = argc > 1 && !strcmp(argv[1], "--cpu");
  argc -= is_cpu;
  argv += is_cpu;
  if (argc < 4) {
    fputs("usage: measure [--cpu] LIMIT OUTPUT COMMAND [ARGUMENT...]\n", stderr);
    return 2;
  }
  const double began = now();
  const pid_t child = fork();
  if (child == 0)
    start(is_cpu, (unsigned)strtoul(argv[1], NULL, 10), argv[2], argv + 3);
  int status;
  if (child < 0 || waitpid(child, &status, 0) < 0) {
    perror("measure");
    return 2;
  }
  double seconds = now() - began;
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  if (is_cpu)
    seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  if (WIFEXITED(status))
    printf("%d", WEXITSTATUS(status));
  else if (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU)
    printf("limit");
  else
    printf("signal-%d", WTERMSIG(status));
  printf(" %.6f %ld\n", seconds, usage.ru_maxrss);
  return 0;
}
