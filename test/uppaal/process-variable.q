/* EXPECT:E */
E<> P(v).B
/* EXPECT:E */
A[] exists (i : int[0,1]) P(v).B
/* EXPECT:E */
E<> exists (i : int[0,1]) exists (j : int[0,1]) P(i).B and P(j + v).A
/* EXPECT:E */
P(0).B --> P(v).B
/* EXPECT:E */
sup: P(v).l
/* EXPECT:T */
E<> exists (i : int[0,1]) exists (j : int[0,1]) (P(i).B and P(j).A)
