// EXPECT:T
E<> P.B and x == 2 and y == 1
// EXPECT:F
E<> x > 2
