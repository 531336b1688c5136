/* EXPECT:T */
A[] R.deadlock_ imply A == 1 and E == 2 and U == 3
/* EXPECT:F */
E<> A > E
/* EXPECT:F */
E<>sup > 0
// EXPECT:E
A nonsense formula
/* EXPECT:T */
E<> R.deadlock_ \
  and U == 3
