(* Integers of what is extracted, at the ends of their range (proof/Extract.v): they are right, or there are none. *)
module C = Checker

let failed = ref false
let expect name f value =
  let found = try Some (f ()) with Stdlib.Exit -> None in
  if found <> value then (failed := true; Printf.printf "%s: a wrong number\n" name)

let () =
  let least = min_int and most = max_int in
  expect "the match on the least one" (fun () -> C.Z.double least) None;
  expect "the match on the next" (fun () -> C.Z.compare (least + 1) least) None;
  expect "the match on one that is small" (fun () -> C.Z.double (-7)) (Some (-14));
  expect "the match on one that is large" (fun () -> C.Z.double most) None;
  expect "opp" (fun () -> C.Z.opp least) None;
  expect "opp of the greatest" (fun () -> C.Z.opp most) (Some (least + 1));
  expect "add" (fun () -> C.Z.add most 1) None;
  expect "add to the greatest" (fun () -> C.Z.add (most - 1) 1) (Some most);
  expect "add below" (fun () -> C.Z.add least (-1)) None;
  expect "sub" (fun () -> C.Z.sub least 1) None;
  expect "sub of the least" (fun () -> C.Z.sub 0 least) None;
  expect "mul" (fun () -> C.Z.mul (1 lsl 40) (1 lsl 40)) None;
  expect "mul of what fits" (fun () -> C.Z.mul (1 lsl 30) (-(1 lsl 30))) (Some (-(1 lsl 60)));
  expect "mul of the least two" (fun () -> C.Z.mul (-(1 lsl 31)) (-(1 lsl 31))) None;
  expect "mul of the greatest two" (fun () -> C.Z.mul (1 lsl 31) (1 lsl 31)) None;
  expect "mul at the end" (fun () -> C.Z.mul (1 lsl 31 - 1) (-(1 lsl 31))) (Some (-(1 lsl 62) + (1 lsl 31)));
  expect "quot" (fun () -> C.Z.quot least (-1)) None;
  expect "div" (fun () -> C.Z.div least (-1)) None;
  expect "div downwards" (fun () -> C.Z.div (-7) 2) (Some (-4));
  expect "div of a negative one" (fun () -> C.Z.div 7 (-2)) (Some (-4));
  expect "div without a rest" (fun () -> C.Z.div (-8) 2) (Some (-4));
  expect "land" (fun () -> C.Z.coq_land (-4) 7) (Some 4);
  expect "lor" (fun () -> C.Z.coq_lor (-4) 1) (Some (-3));
  expect "lxor" (fun () -> C.Z.coq_lxor (-1) 5) (Some (-6));
  expect "min" (fun () -> C.Z.min (-1) 5) (Some (-1));
  exit (if !failed then 1 else 0)
