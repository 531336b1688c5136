/* EXPECT:E */
inf: a[n]
/* EXPECT:E */
sup: a[n]
/* EXPECT:T */
sup{n < 3}: a[n]
