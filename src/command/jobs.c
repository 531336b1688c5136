#define _POSIX_C_SOURCE 200809L
#include "command/jobs.h"

#include "command/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct Child {
  pid_t pid; // 0: none
  size_t index;
  int pipe;
  char *text;
  size_t size, capacity;
} Child;

double jobs_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool begin(const Jobs *jobs, Child *child, size_t index) {
  int ends[2];
  fflush(NULL);
  if (pipe(ends))
    return false;
  const pid_t pid = fork();
  if (!pid) {
    close(ends[0]);
    FILE *out = fdopen(ends[1], "w");
    if (out)
      jobs->work(jobs->state, index, out);
    _exit(!out || fclose(out) ? 1 : 0);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  *child = (Child){.pid = pid, .index = index, .pipe = ends[0]};
  return true;
}

// Takes what the child has written; false at the end.
static bool take(Child *child) {
  enum { ROOM = 1 << 16 };
  if (child->capacity - child->size < ROOM) {
    char *more = realloc(child->text, child->capacity * 2 + ROOM);
    if (!more)
      return false;
    child->text = more;
    child->capacity = child->capacity * 2 + ROOM;
  }
  const ssize_t count = read(child->pipe, child->text + child->size, ROOM);
  if (count < 0)
    return errno == EINTR;
  child->size += (size_t)count;
  return count > 0;
}

static void end(const Jobs *jobs, Child *child) {
  int status = 0;
  close(child->pipe);
  while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  jobs->done(jobs->state, child->index, child->text ? child->text : "", child->size,
             WIFEXITED(status) && !WEXITSTATUS(status));
  free(child->text);
  *child = (Child){0};
}

// Waits until a child has written or ended, at most a fifth of a second.
static void wait_for(const Jobs *jobs, Child *children) {
  struct pollfd *polled = calloc((size_t)jobs->at_once, sizeof *polled);
  for (int i = 0; polled && i < jobs->at_once; i++)
    polled[i] = (struct pollfd){.fd = children[i].pid ? children[i].pipe : -1, .events = POLLIN};
  if (polled && poll(polled, (nfds_t)jobs->at_once, 200) > 0)
    for (int i = 0; i < jobs->at_once; i++)
      if (polled[i].revents && !take(&children[i]))
        end(jobs, &children[i]);
  free(polled);
}

bool jobs_run(const Jobs *jobs, size_t count) {
  Child *children = calloc((size_t)jobs->at_once, sizeof *children);
  size_t next = 0;
  bool is_ended = !children, is_told = false;
  int running = 0;
  while (children && (running || (next < count && !is_ended))) {
    is_ended |= interrupt_came() || (jobs->deadline > 0 && jobs_now() >= jobs->deadline);
    running = 0;
    for (int i = 0; i < jobs->at_once; i++) {
      if (!children[i].pid && next < count && !is_ended) {
        if (begin(jobs, &children[i], next))
          next++;
        else
          is_ended = true;
      }
      if (children[i].pid && is_ended && !is_told)
        kill(children[i].pid, SIGTERM);
      running += children[i].pid != 0;
    }
    is_told |= is_ended;
    if (running)
      wait_for(jobs, children);
  }
  free(children);
  return next == count && !is_ended;
}
