// EXPECT:F
E<> P.A and x > 0
// EXPECT:T
E<> P.B and x > 3
