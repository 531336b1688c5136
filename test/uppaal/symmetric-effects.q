/* EXPECT:F */
E<> O.o2 && s != w
/* EXPECT:T */
E<> O.o2 && s == w
