// The lamp can be bright. EXPECT:T
E<> Lamp.bright
// It does not get bright in less than one time unit. EXPECT:T
A[] Lamp.bright imply x >= 1
// Nothing limits how long it stays bright: the run shows it. EXPECT:F
A[] Lamp.bright imply x < 5
