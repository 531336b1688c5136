E<> sum == 3
A[] forall (i : id_t) forall (j : id_t) P(i).busy_ && P(j).busy_ imply i == j
A[] not deadlock
