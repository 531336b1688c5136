// `tarn lsp`: the language server, over standard input and output.
#pragma once

#include "command/command.h"

int lsp_command(Command *, int argc, char **argv);
// `tarn mcp`: the server for assistants.
int mcp_command(Command *, int argc, char **argv);
