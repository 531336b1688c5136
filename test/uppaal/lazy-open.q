/* EXPECT:F */
E<> P2.l1 && i >= (0 + 0) % 4
