/* EXPECT:F */
A<> F.B
/* EXPECT:F */
A<> G.B
/* EXPECT:F */
F.A --> F.B
/* EXPECT:F */
A<> Z.B
/* EXPECT:T */
E[] F.A
/* EXPECT:T */
E[] (F.A and Z.A)
/* EXPECT:T */
A<> (x >= 0)
