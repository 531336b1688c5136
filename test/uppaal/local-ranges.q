// EXPECT:T
A[] not (M1.Processing && M1.x > 10)
// EXPECT:T
E<> M1.Pause && M1.x == 5 && M2.Processing && M2.n == 10 && M2.x == 9
