// For tests of misuse: runs a function in a child process and tells how it ended.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Whether function(state) aborts. If `words` is not NULL, what it wrote to standard error
// must contain them.
static inline bool aborts(void (*function)(void *state), void *state, const char *words) {
  int ends[2];
  if (pipe(ends))
    return false;
  fflush(NULL);
  const pid_t child = fork();
  if (!child) {
    signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    function(state);
    _exit(0);
  }
  close(ends[1]);
  char output[4096];
  size_t size = 0;
  for (ssize_t got; (got = read(ends[0], output + size, sizeof output - 1 - size)) > 0;)
    size += (size_t)got;
  output[size] = 0;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && (!words || strstr(output, words));
}
