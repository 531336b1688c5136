E<> P0.l2
