// What the libFuzzer targets of UPPAAL's readers have in common: a model or a .q file is read as
// the command reads it, and nothing may crash, hang or be refused without a reason.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool uppaal_input_is_xml(const uint8_t *, size_t); // its first character says so
// Reads a model, shows it, and reads its queries.
void uppaal_input_model(const uint8_t *, size_t);
// Reads a .q file for a small model that has all kinds of names.
void uppaal_input_queries(const uint8_t *, size_t);
