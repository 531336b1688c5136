// A frame can be sent to its end. EXPECT:T
E<> S1.send && x[1] == 808
// Collisions can happen. EXPECT:T
E<> Bus.collision
// Both send at once only for so long: a collision is heard within 52. EXPECT:T
A[] S1.send && S2.send imply x[1] < 52 && x[2] < 52
// Collisions are heard within 26. No: the signal travels there and back. EXPECT:F
A[] S1.send && S2.send imply x[1] < 26
