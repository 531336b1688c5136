E<> Q.c && k == 9
A[] forall (s : set_t) seen[s] <= 1
A[] Q.b imply k == 9
