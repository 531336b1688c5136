// Each process can enter. EXPECT:T
E<> P1.cs
// No two are in the critical section at the same time. EXPECT:T
A[] P1.cs + P2.cs + P3.cs <= 1
