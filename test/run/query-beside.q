// EXPECT: F
A[] not Lift.closed
E<> Lift.closed // EXPECT: T
A[] n < 2 /* EXPECT: F */
  E<> Lift.closed && \
    Lift.gone
E<> n == 1
