E<> P2.l1
