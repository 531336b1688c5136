A[] Q.b imply y >= 2
E<> Q.a && y > 4
