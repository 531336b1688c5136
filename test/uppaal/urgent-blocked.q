// EXPECT:T
E<> ready and x == 1
// time stood still when ready became true, whenever that was: EXPECT:T
E<> ready and x == 7
// EXPECT:F
E<> P.B
// without a partner time passes: EXPECT:T
E<> R.A and x > 5
// EXPECT:F
E<> R.B
