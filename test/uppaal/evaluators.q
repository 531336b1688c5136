// EXPECT:T
E<> P.E and kept[0] == 1
// EXPECT:T
A[] P.E imply (n == 5 and result == -1 and kept[2] == 0)
// EXPECT:T
A[] P.A imply x <= 4
// EXPECT:T
A[] P.B imply (result == 3 or result == 6 or result == 10)
// EXPECT:F
A[] P.A imply not (x > 3 or y > 2)
