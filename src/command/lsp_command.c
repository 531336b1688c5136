#include "command/lsp_command.h"

#include "command/command_line.h"
#include "command/rpc.h"

#include <stdlib.h>

enum { PAUSE = 100 }; // milliseconds without input before diagnostics are sent

typedef struct Server {
  Rpc rpc;
  TarnService *service;
} Server;

static void send_message(void *state, const char *message, size_t size) {
  const Server *server = state;
  rpc_write(&server->rpc, message, size);
}

static void show_message(void *state, const char *message, size_t size) {
  const Server *server = state;
  tarn_service_notice(server->service, message, size);
}

static void look_ahead(void *state) {
  Server *server = state;
  rpc_look_ahead(&server->rpc, server, show_message);
}

// Until the input or the client ends it.
static int serve(Server *server) {
  tarn_service_set_poll(server->service, server, look_ahead);
  int ended = 0;
  size_t size;
  while (!ended) {
    if (tarn_service_waits(server->service) && !rpc_comes(&server->rpc, PAUSE)) {
      tarn_service_idle(server->service);
      continue;
    }
    const char *message = rpc_read(&server->rpc, &size);
    ended = message ? tarn_service_receive(server->service, message, size) : 2;
  }
  rpc_release(&server->rpc);
  tarn_service_release(server->service);
  return ended;
}

int lsp_command(Command *command, int argc, char **argv) {
  const int status = command_line_parse(command, "lsp", argc, argv, 0);
  if (status)
    return status;
  if (command->word_count)
    return command_fail("lsp takes no arguments; see `tarn help lsp`");
  Server server = {0};
  server.service = tarn_service_new(&server, send_message);
  if (!server.service)
    return command_fail("out of memory");
  return serve(&server) == 1 ? STATUS_OK : STATUS_NOT_SATISFIED;
}

static unsigned long number_or(const char *text, unsigned long initial) {
  return text ? strtoul(text, NULL, 10) : initial;
}

int mcp_command(Command *command, int argc, char **argv) {
  const int status = command_line_parse(command, "mcp", argc, argv, 0);
  if (status)
    return status;
  if (command->word_count)
    return command_fail("mcp takes no arguments; see `tarn help mcp`");
  const double seconds = command->time_limit ? strtod(command->time_limit, NULL) : 60;
  const unsigned long mib = number_or(command->memory_limit, 2048),
                      kib = number_or(command->output_limit, 1024);
  if (seconds <= 0 || !mib || !kib)
    return command_fail("the limits of mcp cannot be 0");
  Server server = {.rpc = {.has_lines = true}};
  server.service = tarn_mcp_new(command->root, seconds, (unsigned)mib, (size_t)kib << 10, &server,
                                send_message);
  if (!server.service)
    return command_fail("the folder %s cannot be opened", command->root ? command->root : "");
  serve(&server); // until the input ends
  return STATUS_OK;
}
