(* Runs without end: what the queries E[], A<>, --> and buchi: ask for (`tarn help queries`).

   Time need not diverge: infinitely many transitions may take a finite time. A condition in which
   something is an error counts as true here, so that its absence says more. *)
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

Section Runs.
Variable n : net.
Variable claim : asks.

Definition may_be (f : formula) (s : state) (v : valuation) : Prop := ~ decided n false s v f.
Definition may_stay (s : state) (v : valuation) : Prop :=
  match a_stay claim with None => True | Some f => may_be f s v end.

(* Time passes, and the invariant holds all the while. *)
Definition passes (s : state) (v : valuation) (d : Q) : Prop :=
  (0 <= d)%Q /\ ((d == 0)%Q \/ may_wait n s) /\
  forall e, (0 <= e)%Q -> (e <= d)%Q -> holds n s (delayed e v) (invariant n s).
(* So does what is asked. *)
Definition waits (s : state) (v : valuation) (d : Q) : Prop :=
  passes s v d /\ forall e, (0 <= e)%Q -> (e <= d)%Q -> may_stay s (delayed e v).
(* A joint transition is taken. *)
Definition goes (s : state) (v : valuation) (s' : state) (v' : valuation) : Prop :=
  exists es us, joint n s es /\ holds n s v (guard es) /\ fire n s es = Ok (s', us) /\ ~ negative us v /\
    same v' (set_all us v) /\ holds n s' v' (invariant n s').

(* Infinitely many transitions: in state s i and at v i time d i passes, and then one is taken. *)
Definition goes_on (s : nat -> state) (v : nat -> valuation) (d : nat -> Q) : Prop :=
  (forall i, waits (s i) (v i) (d i) /\ goes (s i) (delayed (d i) (v i)) (s (S i)) (v (S i))) /\
  forall f, In f (a_again claim) -> forall k, exists i e, (k <= i)%nat /\ (0 <= e)%Q /\ (e <= d i)%Q /\ may_be f (s i) (delayed e (v i)).

(* Finitely many: then time passes for ever, or no transition can be taken any more. *)
Inductive ends : state -> valuation -> Prop :=
| ends_idle s v : (forall d, (0 <= d)%Q -> waits s v d) -> ends s v
| ends_stuck s v : ~ alive n s v -> (forall d, passes s v d -> waits s v d) -> ends s v
| ends_later s v d s' v' : waits s v d -> goes s (delayed d v) s' v' -> ends s' v' -> ends s v.

(* Where a run begins of which this is asked. *)
Definition origin (s : state) (v : valuation) : Prop :=
  match a_start claim with
  | None => starts n s /\ zero v /\ holds n s v (invariant n s)
  | Some f => reachable n s v /\ may_be f s v
  end.
(* Some run is as asked. Without a condition to stay in, only those with infinitely many transitions are. *)
Definition run_exists : Prop :=
  (exists s v d, origin (s 0%nat) (v 0%nat) /\ goes_on s v d) \/
  (exists s v, a_stay claim <> None /\ origin s v /\ ends s v).
End Runs.
