/* EXPECT:T */
A[] Q.B imply other == 1 and a[0] == 7 and result == 22 and grid[1][2] == 8 and count == 2
/* EXPECT:T */
A[] Q.B imply u.f == 3 and u.g[1] and not u.g[0] and s == u
/* EXPECT:F */
E<> Q.B and a[0] != 7
/* EXPECT:T */
E<> total(a) == 12
/* EXPECT:T */
E<> Q.n == 1

/* EXPECT:T */
A[] S.B imply S.n == 7 and S.m == 2 and S.k == 5
/* EXPECT:T */
A[] S.B imply left == - right
/* EXPECT:T */
E<> left == 1 and right == -1
