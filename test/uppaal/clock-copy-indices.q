/* EXPECT:F */
E<> P.Bad
