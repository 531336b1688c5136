// EXPECT: F
A[] not Lift.closed
E<> Lift.closed // EXPECT: T
A[] n < 2 /* EXPECT: F */
  E<> Lift.closed && \
    Lift.gone
E<> n == 1
E<> Lift.opened && Lift.clsed || Lift.opened
A[] m < 2 && m > 0
A[] Lft.open
