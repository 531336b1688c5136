#define _DEFAULT_SOURCE
#include "command/serve_command.h"

#include "command/command_line.h"
#include "command/interrupt.h"
#include "command/serve_server.h"
#include "command/workbench_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if HAS_HTTP
// A page finds what it stored, such as a draft, if its port is the same as the last time.
enum { PORT = 8327 };

static char *page(void *state, size_t *size) {
  const Command *command = state;
  return workbench_page(command->model,
                        "<script type=\"application/json\" id=\"server-data\">{}</script>", size);
}

static void begun(const char *url) {
  printf("%s\n", url);
  fflush(stdout);
  fputs("tarn: open this address in a browser; Ctrl+C ends the server\n", stderr);
}

static unsigned half_of_memory(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (unsigned)((unsigned long)pages / 2 * (unsigned long)size >> 20)
                               : 2048;
}

static unsigned number_or(const char *text, unsigned initial) {
  return text ? (unsigned)strtoul(text, NULL, 10) : initial;
}

static int serve(Command *command) {
  HttpLibrary http;
  if (!http_library_load(&http))
    return command_fail("`tarn serve` needs libmicrohttpd, which is not installed (Debian: "
                        "libmicrohttpd12; `tools/deps serve`)");
  ServeOptions options = {
      .port = number_or(command->port, PORT),
      .limits = {.seconds = command->time_limit ? strtod(command->time_limit, NULL) : 3600,
                 .mib = number_or(command->memory_limit, half_of_memory())},
      .request_bytes = (size_t)number_or(command->request_limit, 64) << 20,
      .jobs = number_or(command->jobs, 2),
      .state = command,
      .page = page,
      .begun = begun};
  if (options.limits.seconds <= 0 || !options.limits.mib || !options.request_bytes ||
      !options.jobs)
    return command_fail("the limits of serve cannot be 0");
  if (command->model && access(command->model, R_OK))
    return command_fail("%s cannot be read", command->model);
  if (!workbench_has_page())
    command_say("this tarn comes without the page of the workbench: in the source tree, "
                "`tools/deps workbench` and `make workbench` make it; the engine is served\n");
  interrupt_watch(command);
  bool has_served = serve_server(&http, &options);
  if (!has_served && !command->port) {
    options.port = 0;
    has_served = serve_server(&http, &options);
  }
  return has_served ? STATUS_OK
                    : command_fail("port %u of 127.0.0.1 cannot be used", options.port);
}
#else
static int serve(Command *command) {
  (void)command;
  return command_fail("this tarn was built without libmicrohttpd, which `tarn serve` needs: "
                      "install libmicrohttpd-dev (`tools/deps serve`) and build again");
}
#endif

int serve_command(Command *command, int argc, char **argv) {
  const int status = command_line_parse(command, "serve", argc, argv, 0);
  if (status)
    return status;
  return command->word_count > 1 ? command_fail("serve takes one model; see `tarn help serve`")
                                 : serve(command);
}
