// EXPECT:T
E<> P1.c and x == 2
// EXPECT:F
E<> P1.b and x > 2
