// EXPECT:T
A[] One.a imply x <= 4.0
// EXPECT:T
E<> One.a && n == 2
// EXPECT:F
E<> n > 2
// EXPECT:T
A[] not (One.b && n != 2)
// EXPECT:E
E<> energy > 2
// EXPECT:E
E<> spent > 2
// EXPECT:T
E<> load > 2
