E<> P.goal
