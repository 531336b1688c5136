// EXPECT:T
A[] P.B imply r[0] == 15 and r[1] == 3 and r[2] == 2 and r[3] == 7 and r[4] == 7
// EXPECT:T
A[] P.B imply r[5] == 1 and r[6] == 0 and r[7] == 17 and r[8] == 930
// EXPECT:T
A[] P.B imply a[0] == 6 and a[1] == 4 and a[2] == 1 and a[3] == 3
// EXPECT:F
E<> P.B and r[0] != 15
