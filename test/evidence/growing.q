A<> P.b
