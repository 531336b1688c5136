// EXPECT:F
E<> Q.B && a == b
// EXPECT:F
E<> Q.C && a != b
// EXPECT:T
A[] Q.C imply a == b && a.n == 7 && a.z[1] >= 5 && c[1] == b
// EXPECT:T
E<> Q.D && c[0] == b && a != b
// EXPECT:T
A[] f(4).in[i].u[2] == 4
// EXPECT:T
A[] f(4).in[1].u[i] == 0
// EXPECT:T
A[] forall (k : int[0,2]) f(5).in[1].u[k] == (k == 2 ? 5 : 0)
// EXPECT:E
E<> f(4).q[i + 1] == 0
