#define _GNU_SOURCE // POLLRDHUP
#include "command/serve_server.h"

#if HAS_HTTP
#include "command/interrupt.h"
#include "command/jobs.h"
#include "command/wire.h"

#include <arpa/inet.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum {
  MAX_ENGINES = 16,
  MAX_CONNECTIONS = 256,
  STRANGER_SECONDS = 10, // until a connection that asks for nothing is closed
  IDLE_SECONDS = 120,    // the same once it has had the token
  MAX_EVENTS = 1 << 20,  // bytes that a client has not taken; its engine waits then
  TOKEN_BYTES = 16,
};
#define GRACE 60.0 // seconds after its limit in which a request ends by itself

typedef struct Request Request;

typedef struct Engine {
  struct Engine *next;
  unsigned number;
  pid_t pid; // 0: it has ended
  Wire wire;
  Request *stream;
  Bytes events;
  size_t sent;     // of the events
  uint32_t wanted; // ticket of a check that waits to begin; 0: none
  double wanted_at, started;
  bool is_checking;
} Engine;

struct Request {
  Request *next;
  struct MHD_Connection *connection;
  int file; // its socket
  bool is_refused, is_stream, is_suspended, is_gone, is_large;
  Engine *engine;  // NULL: none, or it has ended
  uint32_t ticket; // 0: not sent to the engine, or answered
  Bytes body, answer;
};

typedef struct Server {
  const HttpLibrary *http;
  const ServeOptions *options;
  struct MHD_Daemon *daemon;
  char token[2 * TOKEN_BYTES + 1], hosts[2][40];
  Engine *engines;
  Request *requests;
  unsigned engine_count, numbers;
  uint32_t tickets;
  bool is_ending; // no connection may wait: libmicrohttpd could not end
} Server;

// Answers of the server itself.

static const char *const headers[][2] = {
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src "
     "'unsafe-inline'; worker-src blob:; img-src data: blob:; connect-src 'self' data: blob:; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}};

static enum MHD_Result queue(const Server *s, struct MHD_Connection *connection, unsigned status,
                             const char *type, struct MHD_Response *response) {
  if (!response)
    return MHD_NO;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    s->http->add_header(response, headers[i][0], headers[i][1]);
  if (type)
    s->http->add_header(response, "Content-Type", type);
  const enum MHD_Result result = s->http->queue(connection, status, response);
  s->http->destroy(response);
  return result;
}

static enum MHD_Result refuse(const Server *s, Request *r, unsigned status, const char *why) {
  r->is_refused = true;
  return queue(s, r->connection, status, "text/plain; charset=utf-8",
               s->http->response(strlen(why), (void *)(uintptr_t)why, MHD_RESPMEM_MUST_COPY));
}

static enum MHD_Result send_bytes(const Server *s, Request *r, const char *type, Bytes *bytes) {
  struct MHD_Response *response =
      s->http->response(bytes->size, bytes->chars, MHD_RESPMEM_MUST_FREE);
  if (response)
    *bytes = (Bytes){0};
  return queue(s, r->connection, MHD_HTTP_OK, type, response);
}

// Engines.

static void resume(const Server *s, Request *r) {
  if (r && r->is_suspended) {
    r->is_suspended = false;
    s->http->resume(r->connection);
  }
}

static void add_event(const Server *s, Engine *e, const char *text, size_t size) {
  static const char head[] = "data: ", tail[] = "\n\n";
  bytes_add(&e->events, head, sizeof head - 1);
  bytes_add(&e->events, text, size);
  bytes_add(&e->events, tail, sizeof tail - 1);
  resume(s, e->stream);
}

static bool is_of(const Request *r, const Engine *e) { return !r->is_stream && r->engine == e; }

// The answer to a request is there, if it has one.
static void finish(const Server *s, Request *r) {
  r->ticket = 0;
  if (!r->is_suspended)
    return;
  if (r->answer.size)
    send_bytes(s, r, "application/json", &r->answer);
  else
    queue(s, r->connection, MHD_HTTP_NO_CONTENT, NULL,
          s->http->response(0, NULL, MHD_RESPMEM_PERSISTENT));
  resume(s, r);
}

static void end_process(Engine *e, int *status) {
  if (!e->pid)
    return;
  kill(-e->pid, SIGKILL); // with the process of its check
  kill(e->pid, SIGKILL);
  waitpid(e->pid, status, 0);
  e->pid = 0;
  wire_release(&e->wire);
  e->wire = (Wire){0};
  e->wanted = 0;
  e->is_checking = false;
}

// The process has ended by itself, or takes too long: clients hear of it, and the stream ends.
static void fail(Server *s, Engine *e, const char *why) {
  int status = 0;
  char text[300];
  end_process(e, &status);
  const char *reason = why                   ? why
                       : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                             : "it has ended";
  int size = snprintf(text, sizeof text,
                      "{\"jsonrpc\":\"2.0\",\"method\":\"tarn/fault\",\"params\":{\"message\":"
                      "\"%s\"}}",
                      reason);
  add_event(s, e, text, (size_t)size);
  size = snprintf(text, sizeof text,
                  "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,\"message\":\"the "
                  "engine has stopped: %s\"}}",
                  reason);
  for (Request *r = s->requests; r; r = r->next)
    if (is_of(r, e) && r->ticket) {
      r->answer.size = 0;
      bytes_add(&r->answer, text, (size_t)size);
      finish(s, r);
    }
}

static void release_engine(Server *s, Engine *e) {
  int status;
  end_process(e, &status);
  for (Request *r = s->requests; r; r = r->next)
    if (is_of(r, e)) {
      if (r->ticket)
        finish(s, r);
      r->engine = NULL;
    }
  for (Engine **at = &s->engines; *at; at = &(*at)->next)
    if (*at == e) {
      *at = e->next;
      break;
    }
  s->engine_count--;
  bytes_release(&e->events);
  free(e);
}

static Engine *begin_engine(Server *s) {
  Engine *e = s->engine_count < MAX_ENGINES ? calloc(1, sizeof *e) : NULL;
  int file;
  const pid_t pid = e ? serve_engine_begin(&s->options->limits, &file) : -1;
  if (pid < 0) {
    free(e);
    return NULL;
  }
  *e = (Engine){.next = s->engines, .number = ++s->numbers, .pid = pid, .wire = {.file = file}};
  s->engines = e;
  s->engine_count++;
  char text[300];
  const int size = snprintf(
      text, sizeof text,
      "{\"jsonrpc\":\"2.0\",\"method\":\"tarn/ready\",\"params\":{\"engine\":%u,\"limits\":{"
      "\"seconds\":%g,\"mib\":%u,\"bytes\":%zu,\"checks\":%u}}}",
      e->number, s->options->limits.seconds, s->options->limits.mib, s->options->request_bytes,
      s->options->jobs);
  add_event(s, e, text, (size_t)size);
  return e;
}

// Deals with a frame that an engine sent.
static void take(Server *s, Engine *e, const Frame *frame, const char *text) {
  if (frame->kind == FRAME_EVENT) {
    add_event(s, e, text, frame->size);
    return;
  }
  if (frame->kind == FRAME_WANT) {
    e->wanted = frame->ticket;
    e->wanted_at = jobs_now();
    return;
  }
  for (Request *r = s->requests; r; r = r->next) {
    if (!is_of(r, e) || r->ticket != frame->ticket || !r->ticket)
      continue;
    if (frame->kind == FRAME_ANSWER)
      bytes_add(&r->answer, text, frame->size);
    else
      finish(s, r);
    break;
  }
  if (frame->kind == FRAME_DONE) {
    e->wanted = 0;
    e->is_checking = false;
    e->started = jobs_now();
  }
}

static void listen_to(Server *s, Engine *e) {
  Frame frame;
  const char *text;
  const bool goes_on = wire_fill(&e->wire);
  while (wire_next(&e->wire, &frame, &text))
    take(s, e, &frame, text);
  if (!goes_on)
    fail(s, e, NULL);
}

// Lets checks begin that wait, the oldest first.
static void grant(const Server *s) {
  for (;;) {
    unsigned running = 0;
    Engine *first = NULL;
    for (Engine *e = s->engines; e; e = e->next) {
      running += e->is_checking;
      if (e->wanted && (!first || e->wanted_at < first->wanted_at))
        first = e;
    }
    if (!first || running >= s->options->jobs)
      return;
    wire_put(&first->wire, FRAME_GRANT, first->wanted, "", 0);
    first->wanted = 0;
    first->is_checking = true;
    first->started = jobs_now();
  }
}

// Ends engines whose request takes much longer than it may.
static void watch(Server *s) {
  for (Engine *e = s->engines; e; e = e->next) {
    bool works = e->is_checking;
    for (const Request *r = s->requests; r && !works; r = r->next)
      works = is_of(r, e) && r->ticket && !e->wanted;
    if (e->pid && works && jobs_now() > e->started + s->options->limits.seconds + GRACE)
      fail(s, e, "the time limit has passed");
  }
}

// Requests.

static bool is_equal(const char *a, const char *b, size_t size) { // in a time that tells nothing
  unsigned char difference = 0;
  for (size_t i = 0; i < size; i++)
    difference |= (unsigned char)(a[i] ^ b[i]);
  return !difference;
}

static const char *header(const Server *s, const Request *r, const char *name) {
  return s->http->header(r->connection, MHD_HEADER_KIND, name);
}

static bool is_ours(const Server *s, const char *host) {
  return host && (!strcmp(host, s->hosts[0]) || !strcmp(host, s->hosts[1]));
}

// What is behind the token in the path; NULL, with the reason: not for us.
static const char *path_of(const Server *s, const Request *r, const char *url, const char **why) {
  static const char scheme[] = "http://";
  const char *origin = header(s, r, "Origin");
  *why = NULL;
  if (!is_ours(s, header(s, r, "Host")))
    *why = "this is not the host that tarn serves\n";
  else if (origin && (strncmp(origin, scheme, sizeof scheme - 1) != 0 ||
                      !is_ours(s, origin + sizeof scheme - 1)))
    *why = "pages of other origins have no access\n";
  else if (strlen(url) < 2 * TOKEN_BYTES + 2 || url[2 * TOKEN_BYTES + 1] != '/' ||
           !is_equal(url + 1, s->token, 2 * TOKEN_BYTES))
    *why = "the address is the one that `tarn serve` printed, with its token\n";
  return *why ? NULL : url + 2 * TOKEN_BYTES + 2;
}

static ssize_t read_events(void *state, uint64_t position, char *buffer, size_t size) {
  Request *r = state;
  Engine *e = r->engine;
  (void)position;
  if (r->is_gone || !e)
    return MHD_CONTENT_READER_END_WITH_ERROR;
  const size_t left = e->events.size - e->sent, count = left < size ? left : size;
  if (!count && !e->pid)
    return MHD_CONTENT_READER_END_OF_STREAM;
  if (count)
    memcpy(buffer, e->events.chars + e->sent, count);
  e->sent += count;
  if (e->sent == e->events.size)
    e->sent = e->events.size = 0;
  return (ssize_t)count;
}

// Called by the main loop for streams that have nothing to say.
static ssize_t read_or_wait(void *state, uint64_t position, char *buffer, size_t size);

static enum MHD_Result begin_stream(Server *s, Request *r);

static enum MHD_Result send_page(const Server *s, Request *r) {
  static const char none[] =
      "<!DOCTYPE html><meta charset=\"utf-8\"><title>tarn</title><p>The engine runs. This tarn "
      "comes without the page of the workbench: in the source tree, <code>tools/deps "
      "workbench</code> and <code>make workbench</code> make it; TARN_WORKBENCH can name it.";
  Bytes page = {0};
  page.chars = s->options->page(s->options->state, &page.size);
  if (!page.chars && !bytes_add(&page, none, sizeof none - 1))
    return MHD_NO;
  const enum MHD_Result result = send_bytes(s, r, "text/html; charset=utf-8", &page);
  bytes_release(&page);
  return result;
}

// A message has come as a whole.
static enum MHD_Result pass_on(Server *s, Request *r) {
  Engine *e = r->engine;
  bool is_first = true;
  if (!e || !e->pid || s->is_ending)
    return refuse(s, r, MHD_HTTP_NOT_FOUND, "there is no such engine, or it has ended\n");
  for (const Request *other = s->requests; other; other = other->next)
    is_first &= !is_of(other, e) || !other->ticket;
  r->ticket = ++s->tickets ? s->tickets : ++s->tickets;
  if (!wire_put(&e->wire, FRAME_MESSAGE, r->ticket, r->body.chars, r->body.size))
    return MHD_NO;
  bytes_release(&r->body);
  if (is_first)
    e->started = jobs_now();
  r->is_suspended = true;
  s->http->suspend(r->connection);
  return MHD_YES;
}

static enum MHD_Result begin_post(Server *s, Request *r, const char *path) {
  const char *type = header(s, r, "Content-Type"), *length = header(s, r, "Content-Length");
  const size_t digits = strspn(path + 4, "0123456789");
  const unsigned long number = strtoul(path + 4, NULL, 10);
  if (!type || strncasecmp(type, "application/json", 16) != 0)
    return refuse(s, r, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "messages are application/json\n");
  if (length && strtoull(length, NULL, 10) > s->options->request_bytes)
    return refuse(s, r, MHD_HTTP_CONTENT_TOO_LARGE,
                  "the message is larger than `tarn serve --request-limit` allows\n");
  r->engine = s->engines;
  while (r->engine && (r->engine->number != number || !digits || path[4 + digits]))
    r->engine = r->engine->next;
  return r->engine && r->engine->pid
             ? MHD_YES
             : refuse(s, r, MHD_HTTP_NOT_FOUND, "there is no such engine, or it has ended\n");
}

static enum MHD_Result begin(Server *s, Request *r, const char *url, const char *method) {
  const char *why, *path = path_of(s, r, url, &why);
  if (!path)
    return refuse(s, r, MHD_HTTP_FORBIDDEN, why);
  s->http->set_option(r->connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)IDLE_SECONDS);
  if (!strncmp(path, "rpc/", 4))
    return strcmp(method, "POST")
               ? refuse(s, r, MHD_HTTP_METHOD_NOT_ALLOWED, "messages are sent by POST\n")
               : begin_post(s, r, path);
  if (strcmp(path, "events") != 0 && *path)
    return refuse(s, r, MHD_HTTP_NOT_FOUND, "tarn serves no files\n");
  if (strcmp(method, "GET") != 0)
    return refuse(s, r, MHD_HTTP_METHOD_NOT_ALLOWED, "this is read by GET\n");
  r->is_refused = !*path; // nothing more is to be done for the page
  return *path ? begin_stream(s, r) : send_page(s, r);
}

static enum MHD_Result add_body(const Server *s, Request *r, const char *data, size_t size) {
  if (r->is_refused)
    return MHD_YES; // it is on its way
  r->is_large |= r->body.size + size > s->options->request_bytes;
  if (r->is_large)
    bytes_release(&r->body);
  return r->is_large || bytes_add(&r->body, data, size) ? MHD_YES : MHD_NO;
}

// Called by libmicrohttpd: first for the headers, then for parts of the body, then for its end.
static enum MHD_Result on_request(void *state, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **own) {
  Server *s = state;
  Request *r = *own;
  (void)version;
  if (!r) {
    r = *own = calloc(1, sizeof *r);
    if (!r)
      return MHD_NO;
    const union MHD_ConnectionInfo *info =
        s->http->connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *r = (Request){.next = s->requests, .connection = connection, .file = info->connect_fd};
    s->requests = r;
    return begin(s, r, url, method);
  }
  if (*size) {
    const enum MHD_Result result = add_body(s, r, data, *size);
    *size = 0;
    return result;
  }
  if (r->is_refused || r->is_stream)
    return MHD_YES;
  return r->is_large ? refuse(s, r, MHD_HTTP_CONTENT_TOO_LARGE,
                              "the message is larger than `tarn serve --request-limit` allows\n")
                     : pass_on(s, r);
}

static void on_completed(void *state, struct MHD_Connection *connection, void **own,
                         enum MHD_RequestTerminationCode code) {
  Server *s = state;
  Request *r = *own;
  (void)connection, (void)code;
  if (!r)
    return;
  *own = NULL;
  for (Request **at = &s->requests; *at; at = &(*at)->next)
    if (*at == r) {
      *at = r->next;
      break;
    }
  if (r->is_stream && r->engine)
    release_engine(s, r->engine);
  bytes_release(&r->body);
  bytes_release(&r->answer);
  free(r);
}

typedef struct Stream {
  Server *server;
  Request *request;
} Stream;

static ssize_t read_or_wait(void *state, uint64_t position, char *buffer, size_t size) {
  const Stream *stream = state;
  Request *r = stream->request;
  const ssize_t count = read_events(r, position, buffer, size);
  if (!count && stream->server->is_ending)
    return MHD_CONTENT_READER_END_OF_STREAM;
  if (!count) {
    r->is_suspended = true;
    stream->server->http->suspend(r->connection);
  }
  return count;
}

static enum MHD_Result begin_stream(Server *s, Request *r) {
  Stream *stream = malloc(sizeof *stream);
  r->engine = stream ? begin_engine(s) : NULL;
  if (!r->engine) {
    free(stream);
    return refuse(s, r, MHD_HTTP_SERVICE_UNAVAILABLE,
                  "there are as many engines as there can be: close other pages\n");
  }
  r->is_stream = true;
  r->engine->stream = r;
  *stream = (Stream){s, r};
  return queue(s, r->connection, MHD_HTTP_OK, "text/event-stream",
               s->http->stream(MHD_SIZE_UNKNOWN, 1 << 14, read_or_wait, stream, free));
}

// The loop.

// A client has gone whose connection libmicrohttpd does not look at.
static void lose(const Server *s, Request *r) {
  r->is_gone = true;
  if (r->is_stream)
    resume(s, r); // its reader ends it
  else if (r->engine && r->engine->pid && r->ticket)
    wire_put(&r->engine->wire, FRAME_CANCEL, r->ticket, "", 0);
}

static int timeout_of(const Server *s) {
  MHD_UNSIGNED_LONG_LONG wanted;
  return s->http->timeout(s->daemon, &wanted) == MHD_YES && wanted < 1000 ? (int)wanted : 1000;
}

static void look(Server *s, int queue_file) {
  struct pollfd ends[1 + MAX_ENGINES + MAX_CONNECTIONS];
  Engine *engines[MAX_ENGINES];
  Request *requests[MAX_CONNECTIONS];
  nfds_t count = 0;
  size_t engine_count = 0, request_count = 0;
  ends[count++] = (struct pollfd){.fd = queue_file, .events = POLLIN};
  for (Engine *e = s->engines; e; e = e->next)
    if (e->pid) {
      const bool takes = e->events.size - e->sent < MAX_EVENTS;
      engines[engine_count++] = e;
      ends[count++] = (struct pollfd){
          .fd = e->wire.file,
          .events = (short)((takes ? POLLIN : 0) | (wire_is_flushed(&e->wire) ? 0 : POLLOUT))};
    }
  for (Request *r = s->requests; r && request_count < MAX_CONNECTIONS; r = r->next)
    if (r->is_suspended && !r->is_gone) {
      requests[request_count++] = r;
      ends[count++] = (struct pollfd){.fd = r->file, .events = POLLRDHUP};
    }
  if (poll(ends, count, timeout_of(s)) > 0) {
    for (size_t i = 0; i < request_count; i++)
      if (ends[1 + engine_count + i].revents)
        lose(s, requests[i]);
    for (size_t i = 0; i < engine_count; i++)
      if (ends[1 + i].revents & (POLLIN | POLLHUP | POLLERR))
        listen_to(s, engines[i]);
  }
}

static void loop(Server *s) {
  const int queue_file = s->http->daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  while (!interrupt_came()) {
    look(s, queue_file);
    s->http->run(s->daemon);
    grant(s);
    for (Engine *e = s->engines; e; e = e->next)
      if (e->pid && !wire_flush(&e->wire))
        fail(s, e, NULL);
    watch(s);
  }
  s->is_ending = true;
  for (Request *r = s->requests; r; r = r->next) {
    r->is_gone = true;
    resume(s, r);
  }
  s->http->run(s->daemon);
}

static bool make_token(Server *s) {
  unsigned char bytes[TOKEN_BYTES];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    return false;
  for (size_t i = 0; i < TOKEN_BYTES; i++)
    snprintf(s->token + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

// The allocator of glibc keeps up to 64 MB of freed blocks once it has seen large ones. With a
// fixed threshold the memory of large messages goes back to the system at once.
#ifdef M_MMAP_THRESHOLD
static void give_back_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }
#else
static void give_back_large_blocks(void) {}
#endif

bool serve_server(const HttpLibrary *http, const ServeOptions *options) {
  Server s = {.http = http, .options = options};
  const struct sockaddr_in address = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)options->port),
                                      .sin_addr = {htonl(INADDR_LOOPBACK)}};
  signal(SIGPIPE, SIG_IGN);
  give_back_large_blocks();
  if (!make_token(&s))
    return false;
  s.daemon = http->start(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, (uint16_t)options->port, NULL,
                         NULL, on_request, &s, MHD_OPTION_SOCK_ADDR, &address,
                         MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
                         MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)STRANGER_SECONDS,
                         MHD_OPTION_NOTIFY_COMPLETED, on_completed, &s, MHD_OPTION_END);
  if (!s.daemon)
    return false;
  const unsigned port = http->daemon_info(s.daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
  char url[120];
  snprintf(s.hosts[0], sizeof s.hosts[0], "127.0.0.1:%u", port);
  snprintf(s.hosts[1], sizeof s.hosts[1], "localhost:%u", port);
  snprintf(url, sizeof url, "http://%s/%s/", s.hosts[0], s.token);
  options->begun(url);
  loop(&s);
  http->stop(s.daemon);
  return true;
}
#endif
