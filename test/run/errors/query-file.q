// Queries beside a model are read with it.
E<> P.A
E<> P.B
