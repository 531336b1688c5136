/* EXPECT:T */
A[] P.Variable imply i == 1 and x >= 1 and x - y == 1
/* EXPECT:T */
A[] P.Clock imply n == 1 and x == y and x >= 1
/* EXPECT:T */
E<> P.Clock and x == 1
/* EXPECT:T */
E<> P.Variable and x == 1
/* EXPECT:T */
A[] P.Abs imply n == 1 and out == 1
/* EXPECT:T */
E<> P.Const
/* EXPECT:F */
E<> P.Same
/* EXPECT:T */
E<> P.Other
/* EXPECT:F */
E<> one xor two
/* EXPECT:T */
E<> (x < 3 xor P.Other) and (two xor abs(square(0)))
/* EXPECT:T */
E<> P.End and x == 4
/* EXPECT:E */
E<> outside() == 7
