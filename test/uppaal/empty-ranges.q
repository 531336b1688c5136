/* EXPECT:T */
E<> count == 2 and forall (g : good_t) Good(g).B

/* EXPECT:F */
E<> exists (g : good_t) Good(g).C

/* EXPECT:F */
E<> exists (f : faulty_t) Faulty(f).A

/* EXPECT:T */
A[] (sum (f : faulty_t) seen[f]) == 0
