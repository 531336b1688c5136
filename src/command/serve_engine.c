#define _DEFAULT_SOURCE
#include "command/serve_engine.h"

#include "command/jobs.h"
#include "command/wire.h"
#include "tarn.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  PAUSE = 100,           // milliseconds without messages before diagnostics are sent
  MAX_CANCELLING = 4096, // bytes of a message that cancels another one
  REQUEST_CANCELLED = -32800,
  REQUEST_FAILED = -32803,
};
#define GRACE 10.0 // seconds after the limit in which a check ends by itself

typedef struct EngineProcess {
  TarnService *service;
  Wire wire; // to the server; in the process of a check, to the engine
  EngineLimits limits;
  uint32_t ticket;   // of the message that is dealt with
  bool has_answered; // it
  pid_t check;       // the process of a check; 0: none
} EngineProcess;

// An answer is `{"jsonrpc":"2.0","id":...,"result"` or `"error"`; all else is a notification for
// the stream.
static bool is_answer(const char *text) {
  static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";
  if (strncmp(text, head, sizeof head - 1) != 0)
    return false;
  const char *at = text + sizeof head - 1;
  if (*at == '"')
    for (at++; *at && *at != '"'; at++)
      at += *at == '\\' && at[1];
  at += strcspn(at, ",");
  return !strncmp(at, ",\"result\"", 9) || !strncmp(at, ",\"error\"", 8);
}

static void put(EngineProcess *e, FrameKind kind, const char *text, size_t size) {
  if (!wire_put(&e->wire, kind, e->ticket, text, size) || !wire_flush_all(&e->wire))
    _exit(1); // the server has gone
}

static void send_message(void *state, const char *message, size_t size) {
  EngineProcess *e = state;
  const bool answers = is_answer(message);
  e->has_answered |= answers;
  put(e, answers ? FRAME_ANSWER : FRAME_EVENT, message, size);
}

static void send_error(EngineProcess *e, json_t *id, int code, const char *why) {
  json_t *message = json_pack("{s:s, s:O, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id, "error",
                              "code", code, "message", why);
  char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
  if (text)
    put(e, FRAME_ANSWER, text, strlen(text));
  free(text);
  json_decref(message);
}

// Whether a frame that has come takes back the present request.
static bool cancels(const EngineProcess *e, const json_t *id, const Frame *frame,
                    const char *text) {
  if (frame->kind == FRAME_CANCEL)
    return frame->ticket == e->ticket;
  if (frame->kind != FRAME_MESSAGE || frame->size > MAX_CANCELLING)
    return false;
  json_t *json = json_loadb(text, frame->size, JSON_ALLOW_NUL, NULL);
  const char *method = json_string_value(json_object_get(json, "method"));
  const bool does = method && !strcmp(method, "$/cancelRequest") &&
                    json_equal(json_object_get(json_object_get(json, "params"), "id"), id);
  json_decref(json);
  return does;
}

typedef struct News {
  bool is_cancelled, is_granted;
} News;

// What has come from the server meanwhile. Messages stay.
static News look(EngineProcess *e, const json_t *id) {
  News news = {false, false};
  Frame frame;
  const char *text;
  while (wire_look_ahead(&e->wire, &frame, &text)) {
    news.is_granted |= frame.kind == FRAME_GRANT && frame.ticket == e->ticket;
    news.is_cancelled |= cancels(e, id, &frame, text);
  }
  return news;
}

static void hear(EngineProcess *e) {
  if (wire_fill(&e->wire))
    return;
  if (e->check > 0)
    kill(e->check, SIGKILL);
  exit(0); // the server has gone
}

// Waits until the check may begin; false: it was cancelled before.
static bool wait_for_grant(EngineProcess *e, const json_t *id) {
  put(e, FRAME_WANT, "", 0);
  for (;;) {
    const News news = look(e, id);
    if (news.is_cancelled || news.is_granted)
      return !news.is_cancelled;
    struct pollfd server = {.fd = e->wire.file, .events = POLLIN};
    poll(&server, 1, -1);
    hear(e);
  }
}

// In the process of a check.
static void work(EngineProcess *e, int file, const char *message, size_t size) {
  close(e->wire.file);
  wire_release(&(Wire){.in = e->wire.in, .out = e->wire.out});
  e->wire = (Wire){.file = file};
  tarn_service_receive(e->service, message, size);
  wire_release(&e->wire);
  tarn_service_release(e->service);
  exit(0);
}

static void pass_on(EngineProcess *e, Wire *check) {
  Frame frame;
  const char *text;
  while (wire_next(check, &frame, &text)) {
    e->has_answered |= frame.kind == FRAME_ANSWER;
    put(e, frame.kind, text, frame.size);
  }
}

// Passes on what the check says until it ends. NULL, or why it was ended.
static const char *follow(EngineProcess *e, const json_t *id, Wire *check) {
  const double end = jobs_now() + e->limits.seconds + GRACE;
  for (;;) {
    struct pollfd ends[] = {{.fd = check->file, .events = POLLIN},
                            {.fd = e->wire.file, .events = POLLIN}};
    poll(ends, 2, 1000);
    if (ends[1].revents) {
      hear(e);
      if (look(e, id).is_cancelled)
        return "cancelled";
    }
    if (ends[0].revents) {
      const bool goes_on = wire_fill(check);
      pass_on(e, check);
      if (!goes_on)
        return NULL;
    }
    if (jobs_now() > end)
      return "the time limit has passed";
  }
}

static void check_granted(EngineProcess *e, json_t *id, const char *message, size_t size) {
  int ends[2], status = 0;
  const bool has_ends = !socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  const pid_t pid = has_ends ? fork() : -1;
  if (!pid) {
    close(ends[0]);
    work(e, ends[1], message, size);
  }
  if (has_ends)
    close(ends[1]);
  if (pid < 0) {
    if (has_ends)
      close(ends[0]);
    send_error(e, id, REQUEST_FAILED, "no process can be started for the check");
    return;
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  e->check = pid;
  Wire wire = {.file = ends[0]};
  const char *why = follow(e, id, &wire);
  if (why)
    kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  e->check = 0;
  wire_release(&wire);
  if (e->has_answered)
    return;
  char text[100];
  const int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  snprintf(text, sizeof text, "the check has stopped: %s",
           signal_number ? strsignal(signal_number) : "no answer");
  send_error(e, id, why && !strcmp(why, "cancelled") ? REQUEST_CANCELLED : REQUEST_FAILED,
             why ? why : text);
}

static void check(EngineProcess *e, json_t *id, const char *message, size_t size) {
  Bytes copy = {0};            // what comes meanwhile moves the message
  e->wire.seen = e->wire.used; // what came while others were dealt with may take this one back
  if (!bytes_add(&copy, message, size))
    send_error(e, id, REQUEST_FAILED, "out of memory");
  else if (wait_for_grant(e, id))
    check_granted(e, id, copy.chars, copy.size);
  else
    send_error(e, id, REQUEST_CANCELLED, "cancelled");
  bytes_release(&copy);
}

static bool is_check(const char *method) {
  return method && (!strcmp(method, "tarn/check") || !strcmp(method, "workspace/executeCommand"));
}

// 0, or not if the client wants the engine to end.
static int answer(EngineProcess *e, const char *message, size_t size) {
  json_t *json = json_loadb(message, size, JSON_ALLOW_NUL, NULL);
  json_t *id = json_object_get(json, "id");
  const bool is_one = id && (json_is_string(id) || json_is_integer(id)) &&
                      is_check(json_string_value(json_object_get(json, "method")));
  int ended = 0;
  json_incref(id);
  json_decref(json);
  if (is_one)
    check(e, id, message, size);
  else
    ended = tarn_service_receive(e->service, message, size);
  if (id)
    json_decref(id);
  return ended;
}

static void serve(EngineProcess *e) {
  for (int ended = 0; !ended;) {
    Frame frame;
    const char *text;
    if (wire_next(&e->wire, &frame, &text)) {
      if (frame.kind != FRAME_MESSAGE)
        continue;
      e->ticket = frame.ticket;
      e->has_answered = false;
      ended = answer(e, text, frame.size);
      put(e, FRAME_DONE, "", 0);
      continue;
    }
    struct pollfd server = {.fd = e->wire.file, .events = POLLIN};
    const bool waits = tarn_service_waits(e->service);
    if (!poll(&server, 1, waits ? PAUSE : -1)) {
      e->ticket = 0;
      tarn_service_idle(e->service);
    } else if (!wire_fill(&e->wire)) {
      break;
    }
  }
}

// All files but the standard ones and the socket are the server's: connections must not stay open
// because of us.
static void close_others(int kept) {
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) {
    for (int file = STDERR_FILENO + 1; file < 4096; file++)
      if (file != kept)
        close(file);
    return;
  }
  int files[4096], count = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) && count < 4096;) {
    const int file = atoi(entry->d_name);
    if (file > STDERR_FILENO && file != kept && file != dirfd(folder))
      files[count++] = file;
  }
  closedir(folder);
  while (count)
    close(files[--count]);
}

static void engine(const EngineLimits *limits, int file) {
  EngineProcess e = {.wire = {.file = file}, .limits = *limits};
  signal(SIGINT, SIG_IGN); // the server ends us
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  close_others(file);
  fcntl(file, F_SETFL, O_NONBLOCK);
  e.service = tarn_service_new(&e, send_message);
  if (!e.service)
    _exit(1);
  tarn_service_set_limits(e.service, limits->seconds, limits->mib);
  serve(&e);
  tarn_service_release(e.service);
  wire_release(&e.wire);
}

pid_t serve_engine_begin(const EngineLimits *limits, int *file) {
  int ends[2];
  fflush(NULL);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return -1;
  const pid_t pid = fork();
  if (!pid) {
    setpgid(0, 0);
    engine(limits, ends[1]);
    exit(0);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return -1;
  }
  setpgid(pid, pid); // parent and child both do it: either may come first
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *file = ends[0];
  return pid;
}
