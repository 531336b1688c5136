/* EXPECT:T */
A[] busy <= 2 and (sum (i : id_t) Robot(i).Driving) == busy
/* EXPECT:T */
E<> r[3].step == 6 && r[7].step == 4 && r[3].sensor[1] == 196
/* EXPECT:F */
E<> r[3].x != 0 && r[3].step == 0
