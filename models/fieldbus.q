// All devices can be broken. EXPECT:T
E<> D1.broken && D2.broken && D3.broken
// The master hears from each device, or gives it up, every 21 time units. EXPECT:T
A[] age[1] <= 21 && age[2] <= 21 && age[3] <= 21
// A cycle of healthy devices takes 15 at most. EXPECT:T
A[] !D1.broken && !D2.broken && !D3.broken imply age[1] <= 15
// With a broken device this does not hold. EXPECT:F
A[] age[1] <= 15
