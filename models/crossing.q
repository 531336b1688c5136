// Walkers can get green. EXPECT:T
E<> Walkers.green
// Cars are stopped while walkers walk or clear the road. EXPECT:T
A[] (Walkers.green || Walkers.clearing) imply Cars.stopped
// Who has pressed the button gets green within 25 time units. EXPECT:T
A[] asked == 1 imply w <= 25
// Not within 20. EXPECT:F
A[] asked == 1 imply w <= 20
