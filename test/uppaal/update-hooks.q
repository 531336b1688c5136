// EXPECT:T
A[] P.B imply before == 1 and mine == 10 and after == 11
// EXPECT:F
E<> P.A and before > 0
