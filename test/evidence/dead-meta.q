A[] forall (i : id_t) P(i).far imply turn == i
E<> exists (i : id_t) P(i).far && turn > i
