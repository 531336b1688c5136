(* Infinite runs: what the queries E[], A<>, --> and buchi: ask for (`tarn help queries`).

   Time need not diverge: infinitely many transitions may take a finite time. With `--non-zeno` only runs in which it does
   are asked for (diverging_run_exists). A condition in which something is an error is read in two ways. To say that there
   is no run it counts as true (may_be), to say that there is one it does not (must_be). So both say more. *)
From Coq Require Import List ZArith QArith.
From Tarn Require Import Spec.
Import ListNotations.

(* What is asked of a run: from some state on, in which a_start is true, or from the first one on (None),
   a_stay is true for ever, also while time passes (None: nothing is asked); and each of a_again is true
   again and again. *)
Record asks := Claim { a_start : option formula; a_stay : option formula; a_again : list formula }.
Definition always (p : formula) : asks := Claim None (Some p) [].                           (* E[] p *)
Definition avoids (p : formula) : asks := Claim None (Some (FNot p)) [].                    (* not A<> p *)
Definition avoids_after (p q : formula) : asks := Claim (Some p) (Some (FNot q)) [].        (* not (p --> q) *)
Definition buchi (ps : list formula) : asks := Claim None None ps.                          (* buchi: p, ... *)

Definition may_be (n : net) (f : formula) (s : state) (v : valuation) : Prop := ~ decided n false s v f.
Definition must_be (n : net) (f : formula) (s : state) (v : valuation) : Prop := decided n true s v f.

(* Time diverges: the delays before the first k transitions exceed, together, each bound for some k. *)
Fixpoint elapsed (d : nat -> Q) (k : nat) : Q := match k with O => 0 | S k => elapsed d k + d k end.
Definition diverges (d : nat -> Q) : Prop := forall bound, exists k, (bound <= elapsed d k)%Q.

Section Runs.
Variable n : net.
Variable claim : asks.
Variable is_so : formula -> state -> valuation -> Prop.       (* may_be n or must_be n *)

Definition stays (s : state) (v : valuation) : Prop :=
  match a_stay claim with None => True | Some f => is_so f s v end.

(* Time passes, and what is asked holds all the while. *)
Definition waits (s : state) (v : valuation) (d : Q) : Prop :=
  passes n s v d /\ forall e, (0 <= e)%Q -> (e <= d)%Q -> stays s (after (stopped n s) e v).

(* Infinitely many transitions: in state s i and at v i time d i passes, and then one is taken. *)
Definition goes_on (s : nat -> state) (v : nat -> valuation) (d : nat -> Q) : Prop :=
  (forall i, waits (s i) (v i) (d i) /\ takes n (s i) (after (stopped n (s i)) (d i) (v i)) (s (S i)) (v (S i))) /\
  forall f, In f (a_again claim) -> forall k, exists i e, (k <= i)%nat /\ (0 <= e)%Q /\ (e <= d i)%Q /\ is_so f (s i) (after (stopped n (s i)) e (v i)).

(* Finitely many: then time passes for ever, or, at once or after a delay, no transition can be taken any more. *)
Inductive ends : state -> valuation -> Prop :=
| ends_idle s v : (forall d, (0 <= d)%Q -> waits s v d) -> ends s v
| ends_stuck s v d : waits s v d -> ~ alive n s (after (stopped n s) d v) ->
    (forall e, passes n s (after (stopped n s) d v) e -> waits s (after (stopped n s) d v) e) -> ends s v
| ends_later s v d s' v' : waits s v d -> takes n s (after (stopped n s) d v) s' v' -> ends s' v' -> ends s v.

(* Where a run begins of which this is asked. *)
Definition origin (s : state) (v : valuation) : Prop :=
  match a_start claim with
  | None => starts n s /\ zero v /\ holds n s v (invariant n s)
  | Some f => reachable n s v /\ is_so f s v
  end.
(* Where such runs come by, as far as they are as asked. *)
Inductive visited : state -> valuation -> Prop :=
| visit_origin s v : origin s v -> stays s v -> visited s v
| visit_wait s v d v' : visited s v -> waits s v d -> same v' (after (stopped n s) d v) -> visited s v'
| visit_step s v s' v' : visited s v -> takes n s v s' v' -> stays s' v' -> visited s' v'.
(* Some run is as asked. Without a condition to stay in, only those with infinitely many transitions are. *)
Definition run_exists : Prop :=
  (exists s v d, origin (s 0%nat) (v 0%nat) /\ goes_on s v d) \/
  (exists s v, a_stay claim <> None /\ origin s v /\ ends s v).

(* Finitely many transitions, and then time passes for ever. *)
Inductive rests : state -> valuation -> Prop :=
| rests_now s v : (forall d, (0 <= d)%Q -> waits s v d) -> rests s v
| rests_later s v d s' v' : waits s v d -> takes n s (after (stopped n s) d v) s' v' -> rests s' v' -> rests s v.
(* Some run is as asked in which time diverges. *)
Definition diverging_run_exists : Prop :=
  (exists s v d, origin (s 0%nat) (v 0%nat) /\ goes_on s v d /\ diverges d) \/
  (exists s v, a_stay claim <> None /\ origin s v /\ rests s v).
End Runs.

(* Extreme values: what the queries `sup`, `inf` and `bounds` ask for, of an expression or of a clock, in the reachable
   states in which p is true. A value that is not reached is approached: it comes within 1 of it. *)
Inductive quantity := Whole (e : expr) | Time (x : clock).
Definition compared (q : quantity) (o : cmp) (c : Z) : formula :=
  FAtom match q with Whole e => AInt (EBin (Cmp o) e (EConst c)) | Time x => AClock x (Clock 0) o (EConst c) end.

Section Values.
Variable n : net.
Variable p : formula.
Definition never_true (f : formula) : Prop := forall s v, reachable n s v -> decided n false s v f.
Definition once_true (f : formula) : Prop := exists s v, reachable n s v /\ decided n true s v f.

Definition greatest (q : quantity) (c : Z) : Prop := never_true (FAnd p (compared q Gt c)) /\ once_true (FAnd p (compared q Ge c)).
Definition below (q : quantity) (c : Z) : Prop := never_true (FAnd p (compared q Ge c)) /\ once_true (FAnd p (compared q Gt (c - 1))).
Definition least (q : quantity) (c : Z) : Prop := never_true (FAnd p (compared q Lt c)) /\ once_true (FAnd p (compared q Le c)).
Definition above (q : quantity) (c : Z) : Prop := never_true (FAnd p (compared q Le c)) /\ once_true (FAnd p (compared q Lt (c + 1))).
(* A clock without an upper bound. *)
Definition unbounded (x : nat) : Prop := forall c, exists s v, reachable n s v /\ decided n true s v p /\ (inject_Z c < val v x)%Q.
End Values.
