A[] P.l0 || P.l1
