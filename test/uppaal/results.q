/* EXPECT:T */
E<> P(1).D && x == 4
/* EXPECT:F */
E<> P(0).A && P(1).D && x > 4
/* EXPECT:T */
E<> P(1).E
/* EXPECT:T */
A[] i ** 2 <= 4
/* EXPECT:F */
E<> (i == 0 ? rows : squares)[i] == 8
/* EXPECT:T */
A[] packed(i).b ** 2 <= 16 && packed(1).b ** 0 == 1
