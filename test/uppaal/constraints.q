// EXPECT:T
E<> Or.B and x < 1
// EXPECT:F
E<> Or.B and not done and x < 5
// EXPECT:T
E<> Lower.B and y == 2
// EXPECT:F
E<> Lower.B and y < 2
// EXPECT:T
E<> Bound.B and Bound.z == 4
// EXPECT:F
E<> Bound.B and Bound.z < 4
// EXPECT:F
E<> Bound.A and Bound.z > 5
// EXPECT:T
E<> Bound.A and Bound.z == 5
