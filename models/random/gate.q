// How likely does train 0 cross within 100 units of time?
Pr[<=100](<> Train(0).Cross)

// Is that more likely for train 2, which comes more often?
Pr[<=40](<> Train(2).Cross) >= Pr[<=40](<> Train(0).Cross)

// How many trains wait at most, on average?
E[<=100; 1000](max: sum (i : id_t) Train(i).Stop)

// Never two at once: the zone graph shows it.
A[] forall (i : id_t) forall (j : id_t) (Train(i).Cross && Train(j).Cross imply i == j)
