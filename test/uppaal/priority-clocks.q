/* before 1 nothing is higher: EXPECT:T */
E<> Low.T and x < 1
/* from 1 on tau is, until it is done: EXPECT:F */
E<> Low.U and seen == 0
/* EXPECT:T */
E<> Low.U and seen == 1 and x < 2
/* between 2 and 4 the high channel is, until it was used: EXPECT:F */
E<> Low.V and High.S
/* EXPECT:T */
E<> Low.V and High.T
/* EXPECT:T */
E<> Low.U and High.S and x == 4
/* and after 6, though its target cannot be entered: EXPECT:F */
E<> Low.W and High.S
/* EXPECT:T */
E<> x > 10
/* EXPECT:F */
E<> High.Never
