E<> P0.l3
