(* From Coq to OCaml. Integers become machine integers of 63 bits; every operation that could
   leave that range raises an exception instead, and then nothing is accepted. The lines below
   are part of what has to be believed (doc/trust.md). *)
From Coq Require Import Extraction ExtrOcamlBasic ZArith NArith.
From Tarn Require Import Spec Renaming Network Forget Replay Alive AliveSets RunSpec Rounds Endless Lasso Timed Values Points.

Extract Inductive positive => int
  [ "(fun p -> if p >= 0x1000000000000000 then raise Stdlib.Exit else 2 * p + 1)"
    "(fun p -> if p >= 0x1000000000000000 then raise Stdlib.Exit else 2 * p)" "1" ]
  "(fun one zero last p -> if p <= 1 then last () else if p land 1 = 0 then zero (p lsr 1) else one (p lsr 1))".
Extract Inductive Z => int [ "0" "" "(fun x -> - x)" ]
  "(fun zero plus minus z -> if z = 0 then zero () else if z > 0 then plus z else if z = min_int then raise Stdlib.Exit else minus (- z))".
Extract Inductive N => int [ "0" "" ] "(fun zero plus n -> if n = 0 then zero () else plus n)".
Extract Constant Pos.succ => "(fun (x : int) -> if x = max_int then raise Stdlib.Exit else x + 1)".
Extract Constant Pos.add => "(fun (x : int) y -> let s = x + y in if s < 0 then raise Stdlib.Exit else s)".
Extract Constant Z.odd => "(fun (x : int) -> x land 1 = 1)".
Extract Constant Z.leb => "(fun (x : int) y -> x <= y)".
Extract Constant Z.ltb => "(fun (x : int) y -> x < y)".
Extract Constant Z.eqb => "(fun (x : int) y -> x = y)".
Extract Constant Z.max => "(fun (x : int) y -> if x <= y then y else x)".
Extract Constant N.eqb => "(fun (x : int) y -> x = y)".
Extract Constant N.leb => "(fun (x : int) y -> x <= y)".
Extract Constant N.ltb => "(fun (x : int) y -> x < y)".
Extract Constant N.succ => "(fun (x : int) -> if x = max_int then raise Stdlib.Exit else x + 1)".
Extract Constant N.add => "(fun (x : int) y -> let s = x + y in if s < 0 then raise Stdlib.Exit else s)".
Extract Constant Z.quot => "(fun a b -> if b = 0 then 0 else if b = -1 && a = min_int then raise Stdlib.Exit else a / b)".
Extract Constant Z.rem => "(fun a b -> if b = 0 then a else if b = -1 then 0 else a mod b)".
Extract Constant Z.add => "(fun (x : int) y -> let s = x + y in if (x lxor s) land (y lxor s) < 0 then raise Stdlib.Exit else s)".
Extract Constant Z.sub => "(fun (x : int) y -> let s = x - y in if (x lxor y) land (x lxor s) < 0 then raise Stdlib.Exit else s)".
Extract Constant Z.mul => "(fun (x : int) y -> let p = x * y in if - 0x80000000 <= x && x <= 0x80000000 && - 0x80000000 <= y && y <= 0x80000000 && p <> min_int then p else raise Stdlib.Exit)".
Extract Constant Z.min => "(fun (x : int) y -> if x <= y then x else y)".
Extract Constant Z.land => "(fun (x : int) y -> x land y)".
Extract Constant Z.lor => "(fun (x : int) y -> x lor y)".
Extract Constant Z.lxor => "(fun (x : int) y -> x lxor y)".
Extract Constant Z.div => "(fun a b -> if b = 0 then 0 else if b = -1 && a = min_int then raise Stdlib.Exit else if a mod b <> 0 && (a < 0) <> (b < 0) then a / b - 1 else a / b)".
Extract Constant Z.pow => "(fun (x : int) y -> if x = 2 && y >= 0 && y < 61 then 1 lsl y else raise Stdlib.Exit)".
Extract Constant Z.opp => "(fun (x : int) -> if x = min_int then raise Stdlib.Exit else - x)".
Extract Constant Z.div2 => "(fun (x : int) -> x asr 1)".

Extraction "checker.ml" forms_well begins symmetry accepts accepts_run accepts_alive
  always avoids avoids_after buchi runs_check forgets accepts_endless accepts_diverging accepts_points turn_of past meets_b accepts_lasso accepts_timely accepts_stuck decided_b accepts_values accepts_growth.
