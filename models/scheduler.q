// Every task runs. EXPECT:T
E<> T3.running
// The processor does one job at a time. EXPECT:T
A[] T1.running + T2.running + T3.running <= 1
// No job misses its deadline. EXPECT:T
A[] !T1.missed && !T2.missed && !T3.missed
// Task 1 answers within 17 time units: it may have to wait for a job of task 3. EXPECT:T
A[] T1.running imply p[1] <= 17
// But not within 12. EXPECT:F
A[] T1.running imply p[1] <= 12
