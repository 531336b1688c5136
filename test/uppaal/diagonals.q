// EXPECT:T
E<> P.B and y >= 4
// EXPECT:T
E<> P.B and y - x == 4 and y <= 6
