// A simulation as text for people and as JSON for tools: the present state, its clocks and its
// zone, and the choices with the delays after which they are possible, their guards and updates.
#ifndef TARN_IO_PROMPT_H
#define TARN_IO_PROMPT_H

#include "answers/runs/simulate.h"
#include "output/answer.h"

void prompt_text(Text *, Simulation *);
void prompt_json(Text *, Simulation *); // one line
// The run so far as an answer to nothing, for the writers of answers.
void prompt_answer(Answer *, Mem *, const Simulation *);

#endif
