// EXPECT:T
E<> P(2).B and weight[2] == 7
// EXPECT:F
E<> P(2).B and P(1).A
// EXPECT:F
E<> exists (i : id_t) P(i).B and weight[i] == 1
