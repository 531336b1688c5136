/* EXPECT:T */
E<> P(-2).B and got == 100
/* EXPECT:F */
E<> P(1).B and x[1] > x[0] + 2 and not P(0).B
/* EXPECT:T */
A[] forall (i : id_t) P(i).A imply x[i] >= 0
/* EXPECT:E */
E<> P(2).B
/* EXPECT:T */
E<> Out.B and Out.i == 1
