// Clocks that follow differential equations: the solution from a moment on, as a chain of
// polynomials. Dormand and Prince's method of order 5 with an error estimate of order 4, and
// Hairer's interpolation of order 4 within a step (DP80, HNW93).
#pragma once

#include "base/vec.h"

// Computes the derivatives at the values; false ends the integration.
typedef bool CurveDerivative(void *context, const double *values, double *derivatives);

typedef struct CurvePiece {
  double start, length;
  uint32_t first; // of its coefficients, 5 for each value
} CurvePiece;

typedef struct Curve {
  Mem *mem;
  uint32_t count; // values
  double tolerance;
  CurveDerivative *derivative;
  void *context;
  VEC(CurvePiece) pieces;
  VEC(double) coefficients;
  double *room; // ends of the chain, stages
  double end;   // the chain reaches from 0 to here
  double step;  // to be tried next
  bool is_empty;
} Curve;

void curve_init(Curve *, Mem *, uint32_t count, double tolerance, CurveDerivative *,
                void *context);

void curve_start(Curve *, const double *values); // at delay 0
// Makes the chain reach a delay; false if the derivative fails or steps become too short.
bool curve_reach(Curve *, double delay);
void curve_at(const Curve *, double delay, double *values); // of a delay that it reaches
// The end of the quarter of a piece in which a delay lies, for the search for events, which
// assumes that the curve is simple within it.
double curve_next(const Curve *, double delay);
