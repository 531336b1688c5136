(* Certificates of points (src/check/pointset.h): whole values of the clocks are enough.

   A point is a discrete state with one whole value for each clock. Each state has limits: a value below the
   limit is exact, the limit stands for all values from there on. A valuation v is seen from a moment a as
   the whole values ceil(a) - ceil(a - v x). Conditions that v meets these meet too, strict ones read as if they were not.
   The set of points has every reachable state as it is seen from every moment: then it suffices that it is closed
   under units of delay. That something gets negative is seen from the moment 0, where values are rounded down. *)
From Coq Require Import List ZArith NArith QArith Qround Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Replay Alive.
Import ListNotations.
Open Scope Z_scope.

(* ---- Whole values ---- *)

Definition ceil (a : Q) : Z := Qceiling a.
Lemma ceil_le a b : (a <= b)%Q -> ceil a <= ceil b.
Proof. apply Qceiling_resp_le. Qed.
Lemma ceil_shift a c : ceil (a + inject_Z c) = ceil a + c.
Proof.
  unfold ceil. apply Z.le_antisymm.
  - assert (H : (a + inject_Z c <= inject_Z (Qceiling a + c))%Q) by (rewrite inject_Z_plus; pose proof (Qle_ceiling a); lra).
    apply Qceiling_resp_le in H. rewrite Qceiling_Z in H. exact H.
  - assert (H : (a <= inject_Z (Qceiling (a + inject_Z c) - c))%Q).
    { rewrite inject_sub. pose proof (Qle_ceiling (a + inject_Z c)). lra. }
    apply Qceiling_resp_le in H. rewrite Qceiling_Z in H. lia.
Qed.
Lemma ceil_eq a b : (a == b)%Q -> ceil a = ceil b.
Proof. intro E. apply Z.le_antisymm; apply ceil_le; lra. Qed.

Definition whole := nat -> Z.                         (* of clock 0, too: that is 0 *)
Definition seen (a : Q) (v : valuation) : whole := fun x => ceil a - ceil (a - val v x).
Definition later (m : Z) (u : whole) : whole := fun x => match x with O => 0 | S _ => u x + m end.

Lemma seen_0 a v : seen a v 0%nat = 0.
Proof. unfold seen. simpl. rewrite (ceil_eq (a - 0) a) by lra. lia. Qed.
Lemma seen_nonneg a v x : nonneg v -> 0 <= seen a v x.
Proof.
  intro N. unfold seen. pose proof (nonneg_val v x N). assert (ceil (a - val v x) <= ceil a) by (apply ceil_le; lra). lia.
Qed.
Lemma seen_same a v w x : same v w -> seen a v x = seen a w x.
Proof. intro S. unfold seen. rewrite (ceil_eq (a - val v x) (a - val w x)); [trivial|]. rewrite (same_val _ _ S x). lra. Qed.
Lemma seen_zero a v x : zero v -> seen a v x = 0.
Proof.
  intro Z. unfold seen. rewrite (ceil_eq (a - val v x) a); [lia|]. destruct x; simpl; [lra|]. rewrite (Z x). lra.
Qed.
Lemma seen_delayed a d v x : (0 <= d)%Q -> seen a (delayed d v) x = later (ceil a - ceil (a - d)) (seen (a - d) v) x.
Proof.
  intro P. destruct x as [|x]; [apply seen_0|]. unfold seen, later. simpl. unfold delayed.
  rewrite (ceil_eq (a - (v x + d)) (a - d - v x)) by lra. lia.
Qed.

(* Conditions, strict ones as if they were not. *)
Definition closed (t : test) (u : whole) : Prop := INF <= t_bound t \/ u (t_i t) - u (t_j t) <= Z.div2 (t_bound t).
Lemma seen_meets t v a : meets t v -> closed t (seen a v).
Proof.
  unfold meets, closed, seen, diff. intros [M|M]; [auto|right]. unfold half in M.
  assert (L : (val v (t_i t) - val v (t_j t) <= inject_Z (Z.div2 (t_bound t)))%Q) by (destruct (Z.odd (t_bound t)); lra).
  assert (H : (a - val v (t_j t) <= a - val v (t_i t) + inject_Z (Z.div2 (t_bound t)))%Q) by lra.
  apply ceil_le in H. rewrite ceil_shift in H. lia.
Qed.
Lemma closed_between t u m k : u 0%nat = 0 -> 0 <= k <= m -> closed t u -> closed t (later m u) -> closed t (later k u).
Proof.
  unfold closed, later. intros Z K [A|A] [B|B]; auto. right. destruct (t_i t), (t_j t); rewrite ?Z in *; lia.
Qed.
Lemma closed_eq t u w : (forall x, u x = w x) -> closed t u -> closed t w.
Proof. unfold closed. intros E. rewrite !E. trivial. Qed.

(* ---- Points ---- *)

(* What a point says about a clock: its value, at least; and whether that is exact. *)
Definition value (l p : list Z) (x : nat) : Z :=
  match x with O => 0 | S k => Z.min (nth k p 0) (nth k l 0) end.
Definition is_exact (l p : list Z) (x : nat) : bool := match x with O => true | S k => nth k p 0 <? nth k l 0 end.
Definition stands_for (l p : list Z) (u : whole) : Prop :=
  forall x, value l p x <= u x /\ (is_exact l p x = true -> u x = value l p x).

Inductive truth := No | Yes | Unknown.
Definition test_at (l p : list Z) (t : test) : truth :=
  if INF <=? t_bound t then Yes
  else
    let c := Z.div2 (t_bound t) in let i := t_i t in let j := t_j t in
    if (i =? j)%nat then if 0 <=? c then Yes else No
    else if negb (is_exact l p i) && negb (is_exact l p j) then Unknown
    else if value l p i - value l p j <=? c then if is_exact l p i then Yes else Unknown
    else if is_exact l p j then No else Unknown.
Fixpoint tests_at (l p : list Z) (ts : list test) : truth :=
  match ts with
  | [] => Yes
  | t :: ts => match test_at l p t, tests_at l p ts with No, _ | _, No => No | Yes, r => r | Unknown, _ => Unknown end
  end.
Lemma test_no l p u t : stands_for l p u -> closed t u -> test_at l p t <> No.
Proof.
  intros S C H. unfold test_at in H. destruct (Z.leb_spec INF (t_bound t)); [discriminate|].
  destruct C as [C|C]; [lia|]. cbv zeta in H. destruct (Nat.eqb_spec (t_i t) (t_j t)) as [E|E].
  - destruct (Z.leb_spec 0 (Z.div2 (t_bound t))); [discriminate|]. rewrite E in C. lia.
  - destruct (S (t_i t)) as [Ai Bi], (S (t_j t)) as [Aj Bj].
    destruct (_ && _); [discriminate|]. destruct (Z.leb_spec (value l p (t_i t) - value l p (t_j t)) (Z.div2 (t_bound t))).
    + destruct (is_exact l p (t_i t)); discriminate.
    + destruct (is_exact l p (t_j t)); [|discriminate]. rewrite (Bj eq_refl) in C. lia.
Qed.
Lemma tests_no l p u ts : stands_for l p u -> (forall t, In t ts -> closed t u) -> tests_at l p ts <> No.
Proof.
  intros S A. induction ts as [|t ts IH]; simpl; [discriminate|].
  pose proof (test_no l p u t S (A t (or_introl eq_refl))) as H. specialize (IH (fun t I => A t (or_intror I))).
  destruct (test_at l p t), (tests_at l p ts); congruence.
Qed.

(* A unit of delay. *)
Fixpoint delay (l p : list Z) : list Z :=
  match l, p with
  | b :: l, a :: p => (if a <? b then a + 1 else b) :: delay l p
  | _, _ => []
  end.
Fixpoint moves_on (l p : list Z) : bool :=
  match l, p with b :: l, a :: p => (a <? b) || moves_on l p | _, _ => false end.

Lemma delay_nth l : forall p k, length p = length l -> nth k (delay l p) 0 =
  if (k <? length l)%nat then if nth k p 0 <? nth k l 0 then nth k p 0 + 1 else nth k l 0 else 0.
Proof.
  induction l as [|b l IH]; intros [|a p] k E; simpl in *; try discriminate; [destruct k; trivial|].
  destruct k as [|k]; simpl; [trivial|]. rewrite IH by lia. trivial.
Qed.
Lemma moves_on_nth l : forall p k, length p = length l -> moves_on l p = false -> nth k l 0 <= nth k p 0.
Proof.
  induction l as [|b l IH]; intros [|a p] k E M; simpl in *; try discriminate; [destruct k; lia|].
  apply orb_false_iff in M. destruct M as [A M]. apply Z.ltb_ge in A. destruct k as [|k]; [trivial|]. apply IH; [lia|trivial].
Qed.

Lemma stands_delay l p u m : length p = length l -> (forall x, 0 <= u x) -> 0 <= m ->
  stands_for l p (later m u) -> stands_for l (if moves_on l p then delay l p else p) (later (m + 1) u).
Proof.
  intros E N M S x. specialize (S x). destruct x as [|k]; [simpl; split; [lia|trivial]|].
  cbn [value is_exact later] in *. specialize (N (Datatypes.S k)). destruct S as [A B]. destruct (moves_on l p) eqn:Mo.
  - rewrite delay_nth by trivial. destruct (Nat.ltb_spec k (length l)) as [L|L].
    + destruct (Z.ltb_spec (nth k p 0) (nth k l 0)) as [H|H].
      * specialize (B eq_refl). split; [lia|]. intro. lia.
      * split; [lia|]. rewrite Z.ltb_irrefl. discriminate.
    + rewrite (nth_overflow l) by trivial. rewrite (nth_overflow l) in A by trivial. split; [lia|]. rewrite Z.ltb_irrefl. discriminate.
  - pose proof (moves_on_nth l p k E Mo) as H. split; [lia|]. intro C. apply Z.ltb_lt in C. lia.
Qed.

(* Where updates lead to; None: a limit hides a value. *)
Definition entry (l p : list Z) (o : origins) (x : nat) (to : Z) : option Z :=
  let (y, d) := origin o x in
  let z := value l p y + d in
  if (0 <=? z) && (is_exact l p y || (to <=? z)) then Some (Z.min z to) else None.
Fixpoint entries (l p : list Z) (o : origins) (x : nat) (to : list Z) : option (list Z) :=
  match to with
  | [] => Some []
  | b :: to =>
    match entry l p o x b, entries l p o (S x) to with Some z, Some r => Some (z :: r) | _, _ => None end
  end.
Lemma entries_nth l p o to : forall x r, entries l p o x to = Some r -> length r = length to /\
  forall k, (k < length to)%nat -> entry l p o (x + k) (nth k to 0) = Some (nth k r 0).
Proof.
  induction to as [|b to IH]; intros x r E; simpl in E; [injection E as <-; split; [trivial|simpl; intros; lia]|].
  destruct (entry l p o x b) as [z|] eqn:Z; [|discriminate]. destruct (entries l p o (S x) to) as [r'|] eqn:R; [|discriminate].
  injection E as <-. destruct (IH _ _ R) as [L H]. split; [simpl; lia|]. intros [|k] K; simpl.
  - rewrite Nat.add_0_r. exact Z.
  - rewrite <- Nat.add_succ_comm. apply H. simpl in K. lia.
Qed.

Lemma seen_set a us v x : seen a (set_all us v) x = seen a v (fst (origin (origins_of us) x)) + snd (origin (origins_of us) x).
Proof.
  pose proof (comes_all us v x) as C. destruct (origin (origins_of us) x) as [y d]; cbn [fst snd] in *. unfold seen.
  rewrite (ceil_eq (a - val (set_all us v) x) (a - val v y + inject_Z (- d))).
  - rewrite ceil_shift. lia.
  - rewrite C, inject_Z_opp. lra.
Qed.
Lemma stands_entries l p a us v l' r : stands_for l p (seen a v) -> nonneg (set_all us v) ->
  entries l p (origins_of us) 1 l' = Some r -> stands_for l' r (seen a (set_all us v)).
Proof.
  intros S N E x. destruct (entries_nth _ _ _ _ _ _ E) as [L H]. pose proof (seen_nonneg a _ x N) as P.
  destruct x as [|k]; [rewrite seen_0; simpl; split; [lia|trivial]|]. cbn [value is_exact].
  destruct (Nat.lt_ge_cases k (length l')) as [K|K].
  2: { rewrite !nth_overflow by lia. split; [lia|]. rewrite Z.ltb_irrefl. discriminate. }
  specialize (H k K). cbn [Nat.add] in H. unfold entry in H. rewrite seen_set in *.
  destruct (origin (origins_of us) (Datatypes.S k)) as [y d]; cbn [fst snd] in *. destruct (S y) as [A B].
  destruct (_ && _) eqn:C; [|discriminate]. injection H as <-. apply andb_prop in C. destruct C as [C1 C2]. apply Z.leb_le in C1.
  apply orb_prop in C2. destruct C2 as [C2|C2].
  - rewrite (B C2) in *. split; [lia|]. intro F. apply Z.ltb_lt in F. lia.
  - apply Z.leb_le in C2. split; [lia|]. intro F. apply Z.ltb_lt in F. lia.
Qed.

(* ---- The check ---- *)

(* What is read from a file: states with their limits and the numbers of their points. Where a state and a point
   are is only a hint. *)
Record grid := Grid {
  g_groups : N; g_group_at : N -> (state * list Z) * (N * N); g_point_at : N -> list Z;
  g_find_state : state -> N; g_find_point : N -> list Z -> N }.

Section Points.
Variable n : net.
Variable goal : state -> option (list (list test)).
Variable c : grid.

Definition group_is (g : N) (s : state) : bool := (g <? g_groups c)%N && state_eqb (fst (fst (g_group_at c g))) s.
Definition has_point (g : N) (p : list Z) : bool :=
  let '(_, (a, b)) := g_group_at c g in
  let k := g_find_point c g p in
  (a <=? k)%N && (k <? a + b)%N && list_eqb Z.eqb (g_point_at c k) p.
Definition leads (l p : list Z) (o : origins) (s : state) : bool :=
  let g := g_find_state c s in
  group_is g s && match entries l p o 1 (snd (fst (g_group_at c g))) with None => false | Some r => has_point g r end.

(* It leads nowhere, and sets no clock to less than another one. *)
Definition is_blocked (inv : list test) (m : move state) : bool :=
  match m_out _ m with
  | None => false
  | Some (us, target) =>
    forallb (fun a => 0 <=? snd a) (assigned [] us) &&
    match target with None => true | Some (ts, _) => clash (ts ++ m_tests _ m ++ inv) end
  end.
(* Tests may exclude each other where a limit hides that; inv is the invariant. *)
Definition check_move (inv : list test) (l p : list Z) (m : move state) : bool :=
  match tests_at l p (m_tests _ m) with
  | No => true
  | Unknown => false
  | Yes =>
    match m_out _ m with
    | None => false
    | Some (us, target) =>
      forallb (fun a => 0 <=? value l p (fst a) + snd a) (assigned [] us) &&
      match target with
      | None => true
      | Some (ts, s) =>
        match tests_at l p ts with No => true | Unknown => false | Yes => leads l p (origins_of us) s end ||
        clash (ts ++ m_tests _ m ++ inv)
      end
    end
  end || clash (m_tests _ m ++ inv) || is_blocked inv m.
Definition check_delay (g : N) (l p : list Z) (ts : list test) : bool :=
  if moves_on l p then
    match tests_at l (delay l p) ts with No => true | Unknown => false | Yes => has_point g (delay l p) end
  else true.
Definition meets_no (l p : list Z) (cs : option (list (list test))) : bool :=
  match cs with None => false | Some cs => forallb (fun c => match tests_at l p c with No => true | _ => false end) cs end.
Definition check_point (g : N) (l : list Z) (ts : list test) (d : bool) (cs : option (list (list test))) (ms : list (N * move state)) (p : list Z) : bool :=
  (length p =? length l)%nat &&
  match tests_at l p ts with
  | No => true
  | Unknown => false
  | Yes => meets_no l p cs && forallb (fun m => check_move ts l p (snd m)) ms && (negb d || check_delay g l p ts)
  end.
Definition check_state (t : list (list (list edge))) (g : N) : bool :=
  let '((s, l), (a, b)) := g_group_at c g in
  match net_inv n s with
  | None => true
  | Some ts =>
    let d := net_can_delay n s in let cs := goal s in let ms := net_moves n t s in
    all_of b a (fun k => check_point g l ts d cs ms (g_point_at c k))
  end.
Definition check_start (s : state) : bool :=
  match net_inv n s with
  | None => true
  | Some ts =>
    if forallb (fun t => ONE <=? t_bound t) ts then
      let g := g_find_state c s in
      group_is g s && has_point g (map (Z.min 0) (snd (fst (g_group_at c g))))
    else true
  end.
Definition check_points : bool :=
  let t := table n in
  forallb (starts_well n) (net_initial n) && forallb check_start (net_initial n) && all_of (g_groups c) 0 (check_state t).

(* ---- Correctness ---- *)

Hypothesis accepted : check_points = true.
Hypothesis all_run : unrated n = true.

(* A point of the set, with its limits. *)
Definition in_set (s : state) (l p : list Z) : Prop :=
  exists g a b k, (g < g_groups c)%N /\ g_group_at c g = ((s, l), (a, b)) /\ (a <= k < a + b)%N /\ g_point_at c k = p.
Definition within (s : state) (u : whole) : Prop := exists l p, in_set s l p /\ stands_for l p u.

Lemma parts_of : forallb (starts_well n) (net_initial n) = true /\ forallb check_start (net_initial n) = true /\
  forall g, (g < g_groups c)%N -> check_state (table n) g = true.
Proof.
  pose proof accepted as A. unfold check_points in A. cbv zeta in A. apply andb_prop in A. destruct A as [A C].
  apply andb_prop in A. destruct A as [A B]. split; [trivial|]. split; [trivial|]. intros g G. apply (all_of_in _ _ _ C). lia.
Qed.
Lemma point_checked s l p ts : in_set s l p -> net_inv n s = Some ts ->
  exists g, (forall q, has_point g q = true -> in_set s l q) /\
            check_point g l ts (net_can_delay n s) (goal s) (net_moves n (table n) s) p = true.
Proof.
  intros (g & a & b & k & G & E & K & <-) I. destruct parts_of as (_ & _ & C). specialize (C g G).
  unfold check_state in C. rewrite E, I in C. exists g. split; [|exact (all_of_in _ _ _ C k K)].
  intros q H. unfold has_point in H. rewrite E in H. apply andb_prop in H. destruct H as [H Q]. apply andb_prop in H. destruct H as [H1 H2].
  apply N.leb_le in H1. apply N.ltb_lt in H2. exists g, a, b, (g_find_point c g q). repeat (split; trivial).
  apply (list_eqb_eq Z.eqb); [|trivial]. intros x y. apply Z.eqb_eq.
Qed.
Lemma found_in g s p : group_is g s = true -> has_point g p = true -> in_set s (snd (fst (g_group_at c g))) p.
Proof.
  intros G H. unfold group_is in G. apply andb_prop in G. destruct G as [G E]. apply N.ltb_lt in G. apply state_eqb_eq in E.
  unfold has_point in H. destruct (g_group_at c g) as [[s' l] [a b]] eqn:Q. cbn [fst snd] in *. subst s'.
  apply andb_prop in H. destruct H as [H P]. apply andb_prop in H. destruct H as [H1 H2].
  apply N.leb_le in H1. apply N.ltb_lt in H2. exists g, a, b, (g_find_point c g p). repeat (split; trivial).
  apply (list_eqb_eq Z.eqb); [|trivial]. intros x y. apply Z.eqb_eq.
Qed.

(* Where the invariant holds the point is checked as a whole. *)
Lemma point_means s l p u ts : in_set s l p -> stands_for l p u -> net_inv n s = Some ts -> (forall t, In t ts -> closed t u) ->
  exists g, (forall q, has_point g q = true -> in_set s l q) /\ length p = length l /\ meets_no l p (goal s) = true /\
    (forall j m, In (j, m) (net_moves n (table n) s) -> check_move ts l p m = true) /\
    (net_can_delay n s = true -> check_delay g l p ts = true).
Proof.
  intros I S E A. destruct (point_checked s l p ts I E) as (g & H & C). exists g. split; [trivial|].
  unfold check_point in C. apply andb_prop in C. destruct C as [L C]. apply Nat.eqb_eq in L. split; [trivial|].
  pose proof (tests_no l p u ts S A) as T. destruct (tests_at l p ts); [congruence| |discriminate].
  apply andb_prop in C. destruct C as [C D]. apply andb_prop in C. destruct C as [C M]. split; [trivial|]. split.
  - intros j m Im. rewrite forallb_forall in M. exact (M _ Im).
  - intro W. rewrite W in D. exact D.
Qed.

Lemma within_eq s u w : (forall x, u x = w x) -> within s u -> within s w.
Proof. intros E (l & p & I & S). exists l, p. split; [trivial|]. intro x. rewrite <- E. apply S. Qed.

Lemma later_0 u : u 0%nat = 0 -> forall x, u x = later 0 u x.
Proof. intros Z [|x]; simpl; [trivial|lia]. Qed.
Lemma within_later s u ts : net_inv n s = Some ts -> net_can_delay n s = true -> within s u -> u 0%nat = 0 -> (forall x, 0 <= u x) ->
  (forall t, In t ts -> closed t u) -> forall m, (forall t, In t ts -> closed t (later (Z.of_nat m) u)) -> within s (later (Z.of_nat m) u).
Proof.
  intros E W I Z P A m. induction m as [|m IH]; intro B.
  - eapply within_eq; [apply later_0; trivial|exact I].
  - assert (C : forall t, In t ts -> closed t (later (Z.of_nat m) u)).
    { intros t T. apply (closed_between t u (Z.of_nat (Datatypes.S m))); auto. lia. }
    destruct (IH C) as (l & p & J & S). destruct (point_means s l p _ ts J S E C) as (g & H & L & _ & _ & D). specialize (D W).
    pose proof (stands_delay l p u (Z.of_nat m) L P ltac:(lia) S) as S'.
    replace (Z.of_nat m + 1) with (Z.of_nat (Datatypes.S m)) in S' by lia. unfold check_delay in D. destruct (moves_on l p).
    + pose proof (tests_no l (delay l p) _ ts S' B) as T. destruct (tests_at l (delay l p) ts); [congruence| |discriminate].
      exists l, (delay l p). auto.
    + exists l, p. auto.
Qed.

(* A reachable state, seen from any moment. *)
Definition here_is (s : state) (v : valuation) : Prop :=
  nonneg v /\ holds n s v (invariant n s) /\ forall a, within s (seen a v).
Lemma closed_inv s v a ts : holds n s v (invariant n s) -> net_inv n s = Some ts -> forall t, In t ts -> closed t (seen a v).
Proof.
  intros H E t T. destruct (holds_inv n s v H) as (ts' & E' & A). rewrite E in E'. injection E' as <-. apply seen_meets, A, T.
Qed.

(* What the check of a transition says about a valuation that can take it. *)
Lemma move_means s v j m : here_is s v -> In (j, m) (net_moves n (table n) s) -> all_hold (m_tests _ m) v ->
  exists us target, m_out _ m = Some (us, target) /\ ~ negative us v /\
    forall ts s', target = Some (ts, s') -> all_hold ts v -> forall a, within s' (seen a (set_all us v)).
Proof.
  intros (N & H & W) I A.
  destruct (holds_inv n s v H) as (ts0 & E & A0).
  assert (Both : all_hold (m_tests _ m ++ ts0) v) by (apply all_hold_app; trivial).
  destruct (is_blocked ts0 m) eqn:Bl.
  { unfold is_blocked in Bl. destruct (m_out _ m) as [[us target]|]; [|discriminate]. exists us, target. split; [trivial|].
    apply andb_prop in Bl. destruct Bl as [P T]. split.
    - intro G. destruct (negative_assigned us [] v v (comes_nil v) G) as ([y d] & Ia & L). cbn [fst snd] in L.
      rewrite forallb_forall in P. specialize (P _ Ia). cbn [snd] in P. apply Z.leb_le in P. apply inj_le in P.
      change (inject_Z 0) with 0%Q in P. pose proof (nonneg_val v y N). lra.
    - intros ts s' -> B a. exfalso. apply (clash_sound _ v N T). apply all_hold_app; trivial. }
  assert (K : forall a, exists l p us target, stands_for l p (seen a v) /\ m_out _ m = Some (us, target) /\
            forallb (fun a => 0 <=? value l p (fst a) + snd a) (assigned [] us) = true /\
            match target with None => True | Some (ts, s') => tests_at l p ts = No \/ leads l p (origins_of us) s' = true \/ clash (ts ++ m_tests _ m ++ ts0) = true end).
  { intro a. destruct (W a) as (l & p & Ip & S).
    destruct (point_means s l p _ ts0 Ip S E (closed_inv s v a ts0 H E)) as (g & _ & _ & _ & M & _). specialize (M _ _ I).
    unfold check_move in M. rewrite Bl, orb_false_r in M. apply orb_prop in M.
    destruct M as [M|M]; [|exfalso; exact (clash_sound _ v N M Both)]. pose proof (tests_no l p _ (m_tests _ m) S (fun t T => seen_meets t v a (A t T))) as T.
    destruct (tests_at l p (m_tests _ m)); [congruence| |discriminate]. destruct (m_out _ m) as [[us target]|]; [|discriminate].
    apply andb_prop in M. destruct M as [M1 M2]. exists l, p, us, target. repeat (split; trivial).
    destruct target as [[ts s']|]; [|trivial]. apply orb_prop in M2. destruct M2 as [M2|M2]; [|auto].
    destruct (tests_at l p ts); [auto|auto|discriminate]. }
  destruct (K 0%Q) as (l & p & us & target & S & O & P & _). exists us, target. split; [trivial|].
  assert (NN : ~ negative us v).
  { intro G. destruct (negative_assigned us [] v v (comes_nil v) G) as ([y d] & Ia & L). cbn [fst snd] in L.
    rewrite forallb_forall in P. specialize (P _ Ia). cbn [fst snd] in P. apply Z.leb_le in P. destruct (S y) as [B _].
    assert (Q : 0 <= seen 0 v y + d) by lia. unfold seen in Q. rewrite (ceil_eq 0 (inject_Z 0)) in Q by reflexivity.
    unfold ceil at 1 in Q. rewrite Qceiling_Z in Q.
    assert (R : (0 - val v y <= inject_Z (ceil (0 - val v y)))%Q) by apply Qle_ceiling.
    assert (T : ceil (0 - val v y) <= d) by lia. apply inj_le in T. lra. }
  split; [trivial|]. intros ts s' -> B a. destruct (K a) as (l1 & p1 & us1 & target1 & S1 & O1 & _ & T1).
  rewrite O in O1. injection O1 as <- <-. destruct T1 as [T1|T1].
  { exfalso. exact (tests_no l1 p1 _ ts S1 (fun t T => seen_meets t v a (B t T)) T1). }
  destruct T1 as [T1|T1].
  2: { exfalso. apply (clash_sound _ v N T1). apply all_hold_app; trivial. }
  unfold leads in T1. apply andb_prop in T1. destruct T1 as [G T1].
  destruct (entries _ _ _ _ _) as [r|] eqn:R; [|discriminate].
  exists (snd (fst (g_group_at c (g_find_state c s')))), r. split; [apply found_in; trivial|].
  eapply stands_entries; eauto. apply nonneg_set; trivial.
Qed.

Lemma start_is s v : starts n s -> zero v -> holds n s v (invariant n s) -> here_is s v.
Proof.
  intros S Z H. split; [intro x; rewrite (Z x); lra|]. split; [trivial|]. intro a.
  destruct parts_of as (_ & C & _). rewrite forallb_forall in C. specialize (C s (starts_in n s S)). unfold check_start in C.
  destruct (holds_inv n s v H) as (ts & E & A). rewrite E in C.
  assert (T : forallb (fun t => ONE <=? t_bound t) ts = true).
  { assert (V : forall x, (val v x == 0)%Q) by (intros [|x]; simpl; [lra|apply Z]).
    apply forallb_forall. intros t It. apply Z.leb_le. apply sat_zero. eapply sat_eq; [|exact (A _ It)].
    unfold diff. rewrite (V (t_i t)), (V (t_j t)). lra. }
  rewrite T in C. apply andb_prop in C. destruct C as [G P]. set (l := snd (fst (g_group_at c (g_find_state c s)))) in *.
  exists l, (map (Z.min 0) l). split; [apply found_in; trivial|]. intro x. rewrite (seen_zero a v x Z).
  destruct x as [|k]; [simpl; split; [lia|trivial]|]. cbn [value is_exact].
  destruct (Nat.lt_ge_cases k (length l)) as [K|K].
  - rewrite (nth_map_gen (Z.min 0) l k 0 0) by trivial. split; [lia|]. intro F. apply Z.ltb_lt in F. lia.
  - rewrite !nth_overflow by (rewrite ?map_length; trivial). split; [lia|]. rewrite Z.ltb_irrefl. discriminate.
Qed.
Lemma wait_is s v d v' : here_is s v -> passes n s v d -> same v' (after (stopped n s) d v) -> here_is s v'.
Proof.
  intros (N & H & W) (P & M & I) S. rewrite (unrated_stopped n s all_run) in *. change (after []) with delayed in *.
  assert (H' : holds n s v' (invariant n s)).
  { apply holds_same with (delayed d v); [intro x; symmetry; apply S|]. apply I; lra. }
  split; [intro x; rewrite (S x); unfold delayed; specialize (N x); lra|]. split; [trivial|]. intro a.
  apply within_eq with (later (ceil a - ceil (a - d)) (seen (a - d) v)).
  { intro x. rewrite <- seen_delayed by trivial. symmetry. apply seen_same. trivial. }
  set (m := ceil a - ceil (a - d)). assert (Pm : 0 <= m) by (unfold m; assert (ceil (a - d) <= ceil a) by (apply ceil_le; lra); lia).
  destruct M as [Z|M].
  - assert (E : m = 0) by (unfold m; rewrite (ceil_eq (a - d) a); [lia|]; rewrite Z; lra). rewrite E.
    eapply within_eq; [apply later_0, seen_0|apply W].
  - destruct (holds_inv n s v H) as (ts & E & _). rewrite <- (Z2Nat.id m) by trivial.
    apply (within_later s _ ts); trivial; [apply may_wait_b; trivial|apply seen_0|intro; apply seen_nonneg; trivial|apply (closed_inv s v); trivial|].
    intros t T. rewrite Z2Nat.id by trivial. apply closed_eq with (seen a v').
    + intro x. unfold m. rewrite <- seen_delayed by trivial. apply seen_same. trivial.
    + apply (closed_inv s v' a ts); trivial.
Qed.
Lemma step_is s v s' v' : here_is s v -> takes n s v s' v' -> here_is s' v'.
Proof.
  intros I (es & us & J & G & Ro & F & Nn & S & H).
  destruct (judge_holds n _ _ _ G) as (ts & E & A). pose proof H as H1. apply (holds_same n _ _ _ _ S) in H1.
  destruct (invariants_hold n _ _ H1) as (ts' & E' & A').
  destruct (moves_in n s v es ts (Some (us, Some (map (back (origins_of us)) ts', s'))) (proj1 I) (holds_inv n _ _ (proj1 (proj2 I))) J (not_false_holds n _ _ _ G) Ro) as (j & mv & K & Tm & Om).
  { unfold result. rewrite E, F, E'. trivial. }
  { exact A. }
  destruct (move_means s v j _ I K Tm) as (us2 & target & O & NN & Co). rewrite Om in O. injection O as <- <-.
  specialize (Co _ _ eq_refl (all_hold_back _ _ _ A')). split.
  - intro x. rewrite (S x). apply nonneg_set; [apply I|trivial].
  - split; [trivial|]. intro a. eapply within_eq; [|apply (Co a)]. intro x. apply seen_same. intro y. symmetry. apply S.
Qed.
Lemma reachable_is s v : reachable n s v -> here_is s v.
Proof.
  induction 1 as [s v S Z H|s v d v' R IH P S|s v s' v' R IH T];
    [apply start_is|eapply wait_is|eapply step_is]; eauto.
Qed.
Lemma goal_is_not_met s v : here_is s v -> ~ meets_goal state goal s v.
Proof.
  intros (N & H & W) M. destruct (holds_inv n s v H) as (ts & E & _). destruct (W 0%Q) as (l & p & I & S).
  destruct (point_means s l p _ ts I S E (closed_inv s v 0 ts H E)) as (_ & _ & _ & G & _).
  unfold meets_goal in M. destruct (goal s) as [cs|]; [|discriminate]. destruct M as (d & Id & A). cbn [meets_no] in G.
  rewrite forallb_forall in G. specialize (G d Id).
  pose proof (tests_no l p _ d S (fun t T => seen_meets t v 0 (A t T))) as X. destruct (tests_at l p d); congruence.
Qed.
Lemma nothing_fails s v : here_is s v -> ~ step_fails n s v.
Proof.
  intros I F. apply fails_in in F; [|apply I|apply holds_inv, I]. destruct F as (j & m & K & A & O).
  destruct (move_means s v j m I K A) as (us & target & E & NN & _). rewrite E in O. tauto.
Qed.
End Points.

Definition accepts_points (n : net) (q : formula) (c : grid) : bool :=
  forms_well n && begins n && unrated n && check_points n (fun s => clauses n true s q) c.

Theorem accepts_points_correct n q c : accepts_points n q c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof.
  unfold accepts_points. intro H. apply andb_prop in H. destruct H as [H A]. apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [W B].
  split; [apply forms_well_sound, W|]. split; [apply begins_sound, B|]. split.
  - destruct (parts_of n _ c A) as (C & _). intros (s & S & E). rewrite forallb_forall in C. specialize (C _ (starts_in _ _ S)).
    unfold starts_well in C. destruct (invariants_fail _ _ E) as (ts & J). rewrite J in C. discriminate.
  - intros s v R. apply (reachable_is n _ c A U) in R. split; [|eapply nothing_fails; eauto].
    destruct (clauses_sound n s v q true) as [M|D]; [|exact D]. exfalso. apply (goal_is_not_met n _ c A s v R). exact M.
Qed.
