// 1 - 2 is not 0, and what is not 0 is true. EXPECT:T
A[] P.B imply b and not c
// EXPECT:T
A[] P.C imply a[1][1] == 4 and a[1][2] == 8 and g == 2
// The index g - 2 is 0: next() comes after it. EXPECT:T
A[] P.D imply a[0][0] == 8 and a[1][0] == 4
