#include "command/lsp_command.h"

#include "command/command_line.h"
#include "command/rpc.h"

enum { PAUSE = 100 }; // milliseconds without input before diagnostics are sent

static void send_message(void *state, const char *message, size_t size) {
  (void)state;
  rpc_write(message, size);
}

int lsp_command(Command *command, int argc, char **argv) {
  const int status = command_line_parse(command, "lsp", argc, argv, 0);
  if (status)
    return status;
  if (command->word_count)
    return command_fail("lsp takes no arguments; see `tarn help lsp`");
  TarnService *service = tarn_service_new(NULL, send_message);
  if (!service)
    return command_fail("out of memory");
  Rpc rpc = {0};
  int ended = 0;
  size_t size;
  while (!ended) {
    if (tarn_service_waits(service) && !rpc_comes(&rpc, PAUSE)) {
      tarn_service_idle(service);
      continue;
    }
    const char *message = rpc_read(&rpc, &size);
    ended = message ? tarn_service_receive(service, message, size) : 2;
  }
  rpc_release(&rpc);
  tarn_service_release(service);
  return ended == 1 ? STATUS_OK : STATUS_NOT_SATISFIED;
}
