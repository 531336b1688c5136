/* EXPECT:T */
A<> G.B
/* EXPECT:T */
G.A --> G.B
/* EXPECT:F */
E[] G.A
