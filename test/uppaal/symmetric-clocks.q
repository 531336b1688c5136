/* EXPECT:T */
A[] not B.l1
/* EXPECT:T */
E<> A.l1 && C.l1
/* EXPECT:F */
E<> B.l1 && A.l1
