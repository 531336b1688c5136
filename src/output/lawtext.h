// Explains the laws of random runs (`tarn check --explain` of statistical queries): for each
// location, how long a process stays and what it chooses, and what may be surprising.
#pragma once

#include "semantics/stochastic/laws.h"

// Lines for people. Processes of one template that read alike are told once.
void lawtext_write(Text *, const Laws *);
// What may surprise: windows with gaps, several inputs that can be enabled at once, rates that an
// invariant makes meaningless, delays without a law. One line each, with its place.
void lawtext_warn(const Laws *, Report *);
