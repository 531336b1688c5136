// Scripts that complete the words of a command line in a shell, made from the tables of options,
// help topics and generators.
#pragma once

#include "base/text.h"

void complete_bash(Text *);
void complete_zsh(Text *);
