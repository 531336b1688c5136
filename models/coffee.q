// Somebody gets coffee. EXPECT:T
E<> Person.drinking
// The machine brews only for money. EXPECT:T
A[] Machine.brewing imply credit == 1
// The person who waits while it brews waits at most 30 time units for it. EXPECT:T
A[] Machine.brewing && Person.waiting imply w <= 30
// Coffee is there within 25 time units of the coin. No: the choice may come late. EXPECT:F
A[] Machine.brewing imply w <= 25
