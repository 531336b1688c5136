// E<> P.A
