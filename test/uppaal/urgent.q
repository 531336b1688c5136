/* EXPECT:T */
E<> x > 100
/* time stands still when the switch is on: EXPECT:F */
E<> Switch.On and y > 0
/* EXPECT:F */
E<> Left.T
/* EXPECT:F */
E<> Alone.T
