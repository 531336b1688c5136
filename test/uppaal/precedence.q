/* EXPECT:T */
A[] P.B imply results[0] and not results[1] and not results[2] and not results[3]
/* EXPECT:T */
A[] P.B imply (results[4] and results[5] and results[6] and results[7])
/* EXPECT:F */
E<> P.B and results[1]
// A quantifier takes all that follows.
// EXPECT:F
E<> exists (i : int[0,3]) P.B && i == 3 && !P.B
/* EXPECT:T */
E<> P.B && (sum (i : int[4,7]) results[i]) == 4
