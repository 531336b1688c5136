E<> Q.b && r == 1 && s == 18
A[] r <= 1 && s <= 18 && below == -5 && above == 3
