// A simulation as text for people and as JSON for tools: the present state and the choices, with
// the delays after which they are possible, their guards and updates.
#pragma once

#include "answers/runs/simulate.h"
#include "answers/runs/symbolic.h"
#include "output/answer.h"

// The text tells what the last step has changed. In full, after a delay, at the beginning and
// where nothing is possible it tells the whole state; in full, the zone, too.
void prompt_text(Text *, Simulation *, bool is_full);
void prompt_json(Text *, Simulation *); // one line
void prompt_symbolic_json(Text *, Symbolic *);
// The run so far as an answer to nothing, for the writers of answers.
void prompt_answer(Answer *, Mem *, const Simulation *);
