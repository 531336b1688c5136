// EXPECT:T
A[] Q.B imply v == 3
// EXPECT:F
E<> Q.B and v == 0
