// Quick fixes: what an editor offers at a mistake or a warning with a clear remedy. For mistakes
// it is what the message says ("did you mean `go`?", "write `==`", an expected `;`). For lint it
// concerns statements that compare and were meant to assign, and parts that nothing uses.
#pragma once

#include "plan/service/service_document.h"

#include <jansson.h>

// Code actions for what lies between the offsets. The result belongs to the caller.
json_t *service_fixes(const ServiceDocument *, uint32_t begin, uint32_t end);
