// Scripts that complete the words of a command line in a shell, made from the tables of options,
// help topics and generators.
#ifndef TARN_IO_COMPLETE_H
#define TARN_IO_COMPLETE_H

#include "base/text.h"

void complete_bash(Text *);
void complete_zsh(Text *);

#endif
