// EXPECT:T
E<> P.B
// EXPECT:T
E<> P.C
// EXPECT:T
E<> P.B and x > 5
