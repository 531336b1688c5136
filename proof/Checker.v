(* The checker of certificates, for any discrete part given by functions, and its correctness.

   A certificate is a set of nodes: a discrete state, a zone over some of the clocks, and bounds
   L and U of these clocks. A node stands for all valuations that one of its zone simulates.
   Where a transition leads may be covered by a node under other names.
   Nothing in a certificate is believed. It is read through functions, so that it need not be in
   memory as a whole; all that matters is that they are functions. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation.
Import ListNotations.
Open Scope Z_scope.

(* ---- Updates ---- *)

(* Where the value of a clock comes from: clock y + d of before. *)
Definition origins := list (nat * (nat * Z)).
Fixpoint origin (o : origins) (x : nat) : nat * Z :=
  match o with [] => (x, 0) | (y, a) :: o => if (x =? y)%nat then a else origin o x end.
Definition value_of (o : origins) (u : upd) : nat * Z :=
  let (y, d) := origin o (u_y u) in (y, d + u_c u).
Definition origin_step (o : origins) (u : upd) : origins :=
  match u_x u with O => o | S _ => (u_x u, value_of o u) :: o end.
Definition origins_of (us : list upd) : origins := fold_left origin_step us [].
(* All values that clocks get on the way. *)
Fixpoint assigned (o : origins) (us : list upd) : list (nat * Z) :=
  match us with [] => [] | u :: us => value_of o u :: assigned (origin_step o u) us end.

Definition comes (o : origins) (v w : valuation) : Prop :=
  forall x, (val w x == val v (fst (origin o x)) + inject_Z (snd (origin o x)))%Q.

Lemma comes_nil v : comes [] v v.
Proof. intro x; simpl. change (inject_Z 0) with 0%Q. lra. Qed.

Lemma value_of_eq o v w u : comes o v w ->
  (val w (u_y u) + inject_Z (u_c u) == val v (fst (value_of o u)) + inject_Z (snd (value_of o u)))%Q.
Proof.
  intro C. pose proof (C (u_y u)) as E. unfold value_of. destruct (origin o (u_y u)) as [y d]; simpl in *.
  rewrite E, inject_Z_plus. lra.
Qed.

Lemma comes_step o v w u : comes o v w -> comes (origin_step o u) v (set1 u w).
Proof.
  intros C x. unfold origin_step, set1. destruct (u_x u) as [|k]; [apply C|].
  pose proof (value_of_eq _ _ _ u C) as E. destruct (value_of o u) as [y d].
  destruct x as [|x]; simpl in *; [apply (C O)|].
  destruct (x =? k)%nat; simpl; [rewrite E; lra|apply (C (S x))].
Qed.

Lemma comes_all us v : comes (origins_of us) v (set_all us v).
Proof.
  unfold origins_of, set_all.
  assert (G : forall us o w, comes o v w ->
    comes (fold_left origin_step us o) v (fold_left (fun v u => set1 u v) us w)).
  { clear us. induction us as [|u us IH]; intros; simpl; [trivial|]. apply IH, comes_step; trivial. }
  apply G, comes_nil.
Qed.

Lemma negative_assigned us : forall o v w, comes o v w -> negative us w ->
  exists a, In a (assigned o us) /\ (val v (fst a) + inject_Z (snd a) < 0)%Q.
Proof.
  induction us as [|u us IH]; intros o v w C N; simpl in N; [destruct N|].
  destruct N as [N|N].
  - exists (value_of o u). split; [left; trivial|]. rewrite <- (value_of_eq _ _ _ u C). trivial.
  - destruct (IH _ _ _ (comes_step _ _ _ u C) N) as (a & I & L). exists a; split; [right|]; trivial.
Qed.

Definition nonneg (v : valuation) : Prop := forall k, (0 <= v k)%Q.
Lemma nonneg_val v x : nonneg v -> (0 <= val v x)%Q.
Proof. intro N. destruct x; simpl; [lra|apply N]. Qed.

Lemma nonneg_set us : forall v, nonneg v -> ~ negative us v -> nonneg (set_all us v).
Proof.
  induction us as [|u us IH]; intros v N G; [exact N|]. simpl in G.
  apply (IH (set1 u v)); [|tauto]. intro k. unfold set1. destruct (u_x u) as [|m]; [apply N|].
  destruct (k =? m)%nat; [|apply N].
  destruct (Qlt_le_dec (val v (u_y u) + inject_Z (u_c u)) 0); [tauto|trivial].
Qed.

(* A test of the clocks after updates, as one of those before. *)
Definition back (o : origins) (t : test) : test :=
  let (i, c) := origin o (t_i t) in let (j, d) := origin o (t_j t) in
  Test i j (shift (t_bound t) (d - c)).

Lemma inject_sub a b : (inject_Z (a - b) == inject_Z a - inject_Z b)%Q.
Proof. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. lra. Qed.

Lemma back_sound o v w t : comes o v w -> meets t w -> meets (back o t) v.
Proof.
  intros C M. unfold meets, back, diff in *. pose proof (C (t_i t)) as A; pose proof (C (t_j t)) as B.
  destruct (origin o (t_i t)) as [i c], (origin o (t_j t)) as [j d]; cbn [fst snd t_i t_j t_bound] in *.
  eapply sat_eq; [|apply sat_shift; exact M]. rewrite A, B, inject_sub. lra.
Qed.

(* Tests that no valuation meets: two of them, or one alone. *)
Definition clash2 (t u : test) : bool :=
  (sum (t_bound t) (t_bound u) <? ONE) && (t_i t =? t_j u)%nat && (t_j t =? t_i u)%nat.
Definition clash1 (t : test) : bool :=
  ((t_i t =? t_j t)%nat || (t_j t =? 0)%nat) && (t_bound t <? ONE).
Definition clash (ts : list test) : bool :=
  existsb (fun t => clash1 t || existsb (clash2 t) ts) ts.

Lemma clash_sound ts v : nonneg v -> clash ts = true -> ~ all_hold ts v.
Proof.
  intros N C A. apply existsb_exists in C. destruct C as (t & I & C). pose proof (A _ I) as T.
  unfold meets, diff in T. apply orb_prop in C. destruct C as [C|C].
  - unfold clash1 in C. apply andb_prop in C. destruct C as [E L]. apply Z.ltb_lt in L.
    assert (ONE <= t_bound t); [|lia]. apply orb_prop in E. destruct E as [E|E]; apply Nat.eqb_eq in E; rewrite E in T; apply sat_zero.
    + eapply sat_eq; [|exact T]. lra.
    + pose proof (nonneg_val v (t_i t) N). destruct T as [T|T]; [left; trivial|right].
      cbn [val] in T. destruct (Z.odd (t_bound t)); lra.
  - apply existsb_exists in C. destruct C as (u & J & C). pose proof (A _ J) as U. unfold meets, diff in U.
    unfold clash2 in C. apply andb_prop in C. destruct C as [C F]. apply andb_prop in C. destruct C as [L E].
    apply Nat.eqb_eq in E, F. apply Z.ltb_lt in L. rewrite <- E, <- F in U.
    assert (ONE <= sum (t_bound t) (t_bound u)); [|lia]. apply sat_zero.
    eapply sat_eq; [|apply sat_sum; [exact T|exact U]]. lra.
Qed.

(* ---- Nodes ---- *)

(* The clocks that a node has (clock 0 is position 0 and not in the list), and their bounds. *)
Record frame := Frame { f_clocks : list nat; f_bounds : bounds }.
Definition proj (f : frame) (v : valuation) : valuation :=
  fun p => match nth_error (f_clocks f) p with Some x => val v x | None => 0%Q end.

Fixpoint find (cs : list nat) (x p : nat) : option nat :=
  match cs with [] => None | c :: cs => if (c =? x)%nat then Some p else find cs x (S p) end.
Definition position (f : frame) (x : nat) : option nat :=
  match x with O => Some O | _ => find (f_clocks f) x 1 end.

Lemma find_nth cs x : forall p q, find cs x p = Some q ->
  (p <= q)%nat /\ nth_error cs (q - p) = Some x.
Proof.
  induction cs as [|c cs IH]; intros p q F; simpl in F; [discriminate|].
  destruct (Nat.eqb_spec c x) as [->|NE].
  - injection F as <-. split; [lia|]. rewrite Nat.sub_diag. trivial.
  - destruct (IH _ _ F) as [L E]. split; [lia|]. replace (q - p)%nat with (S (q - S p)) by lia. exact E.
Qed.
Lemma position_val f x p v : position f x = Some p -> val (proj f v) p = val v x.
Proof.
  unfold position. destruct x as [|x]; intro E; [injection E as <-; trivial|].
  destruct (find_nth _ _ _ _ E) as [L N]. destruct p as [|p]; [lia|]. simpl. unfold proj.
  replace (S p - 1)%nat with p in N by lia. rewrite N. trivial.
Qed.
Lemma position_below f x p : position f x = Some p -> (p <= length (f_clocks f))%nat.
Proof.
  unfold position. destruct x as [|x]; intro E; [injection E as <-; lia|].
  destruct (find_nth _ _ _ _ E) as [L N].
  assert (nth_error (f_clocks f) (p - 1) <> None) by congruence. apply nth_error_Some in H. lia.
Qed.

Lemma nonneg_proj f v : nonneg v -> nonneg (proj f v).
Proof. intros N k. unfold proj. destruct (nth_error _ _); [apply nonneg_val; trivial|lra]. Qed.

Lemma proj_same f v w : same v w -> same (proj f v) (proj f w).
Proof. intros S k. unfold proj. destruct (nth_error _ _); [apply same_val; trivial|reflexivity]. Qed.

Lemma sim_of_same b v w : same v w -> sim b v w.
Proof.
  intro S. split; [intro x; split; left; rewrite (S x); lra|]. intros t _ _. apply sat_eq. unfold diff.
  pose proof (same_val _ _ S (t_i t)); pose proof (same_val _ _ S (t_j t)). lra.
Qed.
Lemma sim_same b u v w : same u v -> sim b v w -> sim b u w.
Proof. intros E S. eapply sim_trans; [apply sim_of_same; exact E|exact S]. Qed.

(* A node sees a test, at positions, if its bounds make it hold for whoever simulates. *)
Definition at_least (l : lu) (c : Z) : bool :=
  match l with NoBound => false | Bound d => c <=? d | Infinite => true end.
Definition is_infinite (l : lu) : bool := match l with Infinite => true | _ => false end.
Definition is_same_test (t u : test) : bool := (t_i t =? t_i u)%nat && (t_j t =? t_j u)%nat && (t_bound t =? t_bound u).
Definition sees (b : bounds) (t : test) : bool :=
  match t_i t, t_j t with
  | O, O => true
  | O, j => at_least (lo_at b j) (- Z.div2 (t_bound t))
  | i, O => (t_bound t <? ONE) || at_least (up_at b i) (Z.div2 (t_bound t))
  | i, j => is_infinite (lo_at b i) && is_infinite (up_at b i) &&
            is_infinite (lo_at b j) && is_infinite (up_at b j) || existsb (is_same_test t) (b_d b)
  end.

Lemma sees_sound b t v w : sim b v w -> nonneg v -> meets t v -> sees b t = true -> meets t w.
Proof.
  intros [S G] NN H V.
  assert (Gt : is_gap t -> existsb (is_same_test t) (b_d b) = true -> meets t w).
  { intros P E. apply existsb_exists in E. destruct E as (u & I & E). unfold is_same_test in E.
    apply andb_prop in E. destruct E as [E Er]. apply andb_prop in E. destruct E as [Ei Ej].
    apply Nat.eqb_eq in Ei, Ej. apply Z.eqb_eq in Er. destruct t as [i j r], u as [i' j' r']. cbn in Ei, Ej, Er. subst i' j' r'. exact (G _ I P H). }
  unfold sees in V. unfold meets, diff in *. destruct t as [i j r]; cbn [t_i t_j t_bound] in *.
  destruct i as [|i], j as [|j].
  - exact H.
  - destruct H as [H|H]; [left; trivial|].
    right. cbn [val] in *. destruct (S j) as [L _]. unfold half in *.
    assert (A : (v j <= w j \/ - inject_Z (Z.div2 r) < w j)%Q).
    { destruct L as [L|L]; [auto|right]. destruct (lo_at b (Datatypes.S j)) as [|c|]; simpl in L, V;
        [discriminate| |contradiction]. apply Z.leb_le in V. apply inj_le in V.
      rewrite inject_Z_opp in V. lra. }
    destruct (Z.odd r); destruct A; lra.
  - apply orb_prop in V. destruct V as [V|V].
    { exfalso. apply Z.ltb_lt in V. assert (ONE <= r); [|lia]. apply sat_zero.
      destruct H as [H|H]; [left; trivial|]. right. cbn [val] in H. pose proof (NN i). destruct (Z.odd r); lra. }
    destruct H as [H|H]; [left; trivial|].
    right. cbn [val] in *. destruct (S i) as [_ U]. unfold half in *.
    assert (A : (w i <= v i \/ inject_Z (Z.div2 r) < v i)%Q).
    { destruct U as [U|U]; [auto|right]. destruct (up_at b (Datatypes.S i)) as [|c|]; simpl in U, V;
        [discriminate| |contradiction]. apply Z.leb_le in V. apply inj_le in V. lra. }
    destruct (Z.odd r); destruct A; lra.
  - apply orb_prop in V. destruct V as [V|V]; [|apply Gt; trivial; split; discriminate].
    destruct H as [H|H]; [left; trivial|].
    right. cbn [val] in *. apply andb_prop in V. destruct V as [V V4].
    apply andb_prop in V. destruct V as [V V3]. apply andb_prop in V. destruct V as [V1 V2].
    destruct (S i) as [Li Ui], (S j) as [Lj Uj].
    destruct (lo_at b (Datatypes.S i)); try discriminate. destruct (up_at b (Datatypes.S i)); try discriminate.
    destruct (lo_at b (Datatypes.S j)); try discriminate. destruct (up_at b (Datatypes.S j)); try discriminate.
    simpl in *. destruct Li; [|contradiction]. destruct Ui; [|contradiction].
    destruct Lj; [|contradiction]. destruct Uj; [|contradiction]. destruct (Z.odd r); lra.
Qed.

(* The tests that a node sees, at its positions. *)
Definition place (f : frame) (t : test) : list test :=
  match position f (t_i t), position f (t_j t) with
  | Some p, Some q => let t' := Test p q (t_bound t) in if sees (f_bounds f) t' then [t'] else []
  | _, _ => []
  end.
Fixpoint place_all (f : frame) (ts : list test) : list test :=
  match ts with [] => [] | t :: ts => place f t ++ place_all f ts end.

Lemma place_all_sound f ts v w : sim (f_bounds f) (proj f v) w -> nonneg v -> all_hold ts v ->
  all_hold (place_all f ts) w.
Proof.
  intros S N A. induction ts as [|t ts IH]; intros t' I; [destruct I|]. simpl in I.
  apply in_app_or in I. destruct I as [I|I].
  2: { apply IH; trivial. intros u J; apply A; right; trivial. }
  unfold place in I. destruct (position f (t_i t)) as [p|] eqn:P; [|destruct I].
  destruct (position f (t_j t)) as [q|] eqn:Q; [|destruct I].
  destruct (sees (f_bounds f) (Test p q (t_bound t))) eqn:V; [destruct I as [<-|[]]|destruct I].
  eapply sees_sound; [exact S|apply nonneg_proj; trivial| |exact V].
  specialize (A t (or_introl eq_refl)). unfold meets, diff in *. cbn [t_i t_j t_bound].
  rewrite (position_val _ _ _ _ P), (position_val _ _ _ _ Q). exact A.
Qed.

(* A test may be seen because of the zone: where a clock is at most L, who is simulated has no more of it than
   who simulates; where it is at most U, no less. *)
Definition low (l : lu) (r : Z) : bool :=
  (r <? INF) && match l with NoBound => false | Bound c => r <=? 2 * c + 1 | Infinite => true end.
Definition sees_in (b : bounds) (z : dbm) (t : test) : bool :=
  sees b t ||
  ((t_i t =? 0)%nat || low (up_at b (t_i t)) (at_ z (t_i t) 0)) && ((t_j t =? 0)%nat || low (lo_at b (t_j t)) (at_ z (t_j t) 0)).

Lemma low_sound l r x : low l r = true -> sat r x -> above l x -> False.
Proof.
  unfold low. intros H S A. apply andb_prop in H. destruct H as [F H]. apply Z.ltb_lt in F. destruct S as [S|S]; [lia|].
  destruct l as [|c|]; simpl in A; [discriminate| |contradiction]. apply Z.leb_le in H. unfold half in S.
  pose proof (div2_eq r) as E. assert (L : Z.div2 r <= c) by (destruct (Z.odd r); lia). apply inj_le in L. destruct (Z.odd r); lra.
Qed.
Lemma sees_in_sound b z t v w : sim b v w -> nonneg v -> dsat z w -> meets t v -> sees_in b z t = true -> meets t w.
Proof.
  intros S N D M V. unfold sees_in in V. apply orb_prop in V. destruct V as [V|V]; [eapply sees_sound; eauto|].
  apply andb_prop in V. destruct V as [Vi Vj]. destruct S as [S _]. unfold meets, diff in *.
  assert (I : (val w (t_i t) <= val v (t_i t))%Q).
  { destruct (t_i t) as [|i]; [apply Qle_refl|]. simpl in Vi |- *. destruct (Qlt_le_dec (v i) (w i)) as [L|L]; [exfalso|trivial].
    destruct (S i) as [_ [U|U]]; [lra|]. apply (low_sound _ _ (w i) Vi).
    - specialize (D (Datatypes.S i) 0%nat). eapply sat_eq; [|exact D]. unfold diff. simpl. lra.
    - eapply above_le; [|exact U]. lra. }
  assert (J : (val v (t_j t) <= val w (t_j t))%Q).
  { destruct (t_j t) as [|j]; [apply Qle_refl|]. simpl in Vj |- *. destruct (S j) as [[L|L] _]; [trivial|exfalso].
    apply (low_sound _ _ (w j) Vj); [|exact L]. specialize (D (Datatypes.S j) 0%nat). eapply sat_eq; [|exact D]. unfold diff. simpl. lra. }
  eapply sat_down; [|exact M]. lra.
Qed.
Definition place_in (f : frame) (z : dbm) (t : test) : list test :=
  match position f (t_i t), position f (t_j t) with
  | Some p, Some q => let t' := Test p q (t_bound t) in if sees_in (f_bounds f) z t' then [t'] else []
  | _, _ => []
  end.
Lemma place_in_sound f z ts v w : sim (f_bounds f) (proj f v) w -> nonneg v -> dsat z w -> all_hold ts v ->
  all_hold (flat_map (place_in f z) ts) w.
Proof.
  intros S N D A t' I. apply in_flat_map in I. destruct I as (t & It & I). unfold place_in in I.
  destruct (position f (t_i t)) as [p|] eqn:P; [|destruct I]. destruct (position f (t_j t)) as [q|] eqn:Q; [|destruct I].
  destruct (sees_in (f_bounds f) z (Test p q (t_bound t))) eqn:V; [destruct I as [<-|[]]|destruct I].
  eapply sees_in_sound; [exact S|apply nonneg_proj; trivial|exact D| |exact V].
  specialize (A t It). unfold meets, diff in *. cbn [t_i t_j t_bound].
  rewrite (position_val _ _ _ _ P), (position_val _ _ _ _ Q). exact A.
Qed.

(* No valuation meets the tests, all of them together. *)
Definition top_row (k i : nat) : list Z := map (fun j => if (i =? 0)%nat || (i =? j)%nat then ONE else INF) (seq 0 k).
Definition top (k : nat) : dbm := map (top_row k) (seq 0 k).
Definition contradict (ts : list test) : bool :=
  let k := fold_left (fun k t => Nat.max k (Nat.max (t_i t) (t_j t))) ts 0%nat in
  match constrain_all (top (S k)) ts with None => true | Some _ => false end.

Lemma top_has k v : nonneg v -> dsat (top k) v.
Proof.
  intros N i j. unfold at_, top. destruct (Nat.lt_ge_cases i k) as [I|I].
  2: { rewrite nth_overflow with (n := i); [|rewrite map_length, seq_length; trivial]. apply sat_inf. destruct j; apply Z.le_refl. }
  rewrite (nth_map_gen _ _ _ 0%nat) by (rewrite seq_length; trivial). rewrite seq_nth by trivial. cbn [Nat.add].
  unfold top_row. destruct (Nat.lt_ge_cases j k) as [J|J].
  2: { apply sat_inf. rewrite nth_overflow; [apply Z.le_refl|rewrite map_length, seq_length; trivial]. }
  rewrite (nth_map_gen _ _ _ 0%nat) by (rewrite seq_length; trivial). rewrite seq_nth by trivial. cbn [Nat.add].
  pose proof (nonneg_val v j N) as V. destruct (Nat.eqb_spec i 0) as [->|]; cbn [orb].
  - apply (sat_within 0). unfold diff. simpl. change (inject_Z 0) with 0%Q. lra.
  - destruct (Nat.eqb_spec i j) as [->|]; [|apply sat_inf, Z.le_refl]. apply (sat_within 0). unfold diff. change (inject_Z 0) with 0%Q. lra.
Qed.
Lemma contradict_sound ts v : nonneg v -> contradict ts = true -> ~ all_hold ts v.
Proof.
  intros N C A. unfold contradict in C. cbv zeta in C. set (k := S _) in C.
  destruct (constrain_all_sound ts (top k) v (top_has k v N) A) as (z & E & _). rewrite E in C. discriminate.
Qed.

(* The node stands for nobody who meets the tests. Where this is not seen, the zone is cut in two at a bound. *)
Definition cut (p : nat) (l : lu) : list test := match p, l with S _, Bound c => [Test p 0 (2 * c + 1)] | _, _ => [] end.
Definition cuts (f : frame) (ts : list test) : list test :=
  flat_map (fun t => match position f (t_i t), position f (t_j t) with
                     | Some p, Some q => cut p (up_at (f_bounds f) p) ++ cut q (lo_at (f_bounds f) q)
                     | _, _ => []
                     end) ts.
Fixpoint refuted (f : frame) (ts : list test) (cs : list test) (z : dbm) : bool :=
  match constrain_all z (flat_map (place_in f z) ts) with
  | None => true
  | Some _ =>
    match cs with
    | [] => false
    | c :: cs => match constrain z c with None => true | Some z1 => refuted f ts cs z1 end &&
                 match constrain z (negated c) with None => true | Some z1 => refuted f ts cs z1 end
    end
  end.
Lemma refuted_sound f ts cs v w : sim (f_bounds f) (proj f v) w -> nonneg v -> forall z, dsat z w ->
  refuted f ts cs z = true -> ~ all_hold ts v.
Proof.
  intros S N. induction cs as [|c cs IH]; intros z D R A; cbn [refuted] in R;
    destruct (constrain_all_sound _ _ _ D (place_in_sound f z ts v w S N D A)) as (z' & E & _); rewrite E in R; [discriminate|].
  apply andb_prop in R. destruct R as [R1 R2]. destruct (sat_dec (t_bound c) (diff w (t_i c) (t_j c))) as [M|M].
  - destruct (constrain_sound _ c _ D M) as (z1 & E1 & D1). rewrite E1 in R1. exact (IH _ D1 R1 A).
  - destruct (constrain_sound _ (negated c) _ D (negated_meets c w M)) as (z1 & E1 & D1). rewrite E1 in R2. exact (IH _ D1 R2 A).
Qed.

(* ---- Where a transition leads ---- *)

(* The value of a clock afterwards: that of position p + d, or, if the node does not have that
   clock, unknown but at least d; x is its name. *)
Inductive source := Known (p : nat) (d : Z) | Unknown (x : nat) (d : Z).
Definition source_of (f : frame) (o : origins) (x : nat) : source :=
  let (y, d) := origin o x in
  match position f y with Some p => Known p d | None => Unknown x d end.
Definition sources (f : frame) (o : origins) (cs : list nat) : list source :=
  Known 0 0 :: map (source_of f o) cs.

Definition known_entry (row : list Z) (p : nat) (d : Z) (b : source) : Z :=
  match b with
  | Known q e => if (p =? q)%nat then within (d - e) else shift (nth q row INF) (d - e)
  | Unknown _ e => shift (hd INF row) (d - Z.max 0 e)
  end.
Definition unknown_entry (x : nat) (b : source) : Z :=
  match b with
  | Known _ _ => INF
  | Unknown y _ => if (x =? y)%nat then ONE else INF
  end.
Definition image (m : dbm) (from : list source) : dbm :=
  map (fun a => match a with
                | Known p d => let row := nth p m [] in map (known_entry row p d) from
                | Unknown x _ => map (unknown_entry x) from
                end) from.

Section Image.
Variables (f : frame) (us : list upd) (v w : valuation) (m : dbm).
Hypothesis v_nonneg : nonneg v.
Hypothesis v'_nonneg : nonneg (set_all us v).
Hypothesis m_has : dsat m w.
Let o := origins_of us.
Let v' := set_all us v.

Definition source_val (a : source) : Q :=
  match a with Known p d => (val w p + inject_Z d)%Q | Unknown x _ => val v' x end.
Definition moved (cs : list nat) : valuation :=
  fun p => match nth_error cs p with Some x => source_val (source_of f o x) | None => 0%Q end.

Lemma unknown_least x d y : source_of f o x = Unknown y d ->
  y = x /\ (inject_Z (Z.max 0 d) <= val v' x)%Q.
Proof.
  unfold source_of. pose proof (comes_all us v x) as C. fold o v' in C.
  destruct (origin o x) as [z e]; cbn [fst snd] in C.
  destruct (position f z); [discriminate|]. intro E; injection E as <- <-. split; trivial.
  pose proof (nonneg_val v z v_nonneg). pose proof (nonneg_val v' x v'_nonneg).
  destruct (Z.max_spec 0 e) as [[_ ->]|[_ ->]]; [rewrite C; lra|trivial].
Qed.

Lemma sources_nth cs i : (i <= length cs)%nat ->
  (source_val (nth i (sources f o cs) (Known 0 0)) == val (moved cs) i)%Q /\
  (forall x d, nth i (sources f o cs) (Known 0 0) = Unknown x d ->
     (inject_Z (Z.max 0 d) <= val v' x)%Q).
Proof.
  intro L. destruct i as [|i]; simpl.
  - split; [change (inject_Z 0) with 0%Q; lra|discriminate].
  - unfold moved. destruct (nth_error cs i) as [x|] eqn:E.
    2: { apply nth_error_None in E. lia. }
    assert (N : nth i (map (source_of f o) cs) (Known 0 0) = source_of f o x).
    { apply nth_error_nth. apply map_nth_error. exact E. }
    rewrite N. split; [reflexivity|]. intros y d U. destruct (unknown_least _ _ _ U) as [-> B]. exact B.
Qed.

Lemma image_sound cs : dsat (image m (sources f o cs)) (moved cs).
Proof.
  intros i j. unfold at_, image.
  assert (L : length (sources f o cs) = S (length cs)) by (unfold sources; simpl; rewrite map_length; trivial).
  destruct (Nat.lt_ge_cases i (S (length cs))) as [I|I].
  2: { rewrite (nth_overflow _ []); [|rewrite map_length, L; trivial]. rewrite nth_nil; apply sat_inf; lia. }
  rewrite (nth_map_gen _ _ _ (Known 0 0)) by (rewrite L; trivial).
  destruct (Nat.lt_ge_cases j (S (length cs))) as [J|J].
  2: { apply sat_inf. rewrite nth_overflow; [lia|].
       destruct (nth i _ _); rewrite map_length, L; trivial. }
  destruct (sources_nth cs i ltac:(lia)) as [Vi Ui]. destruct (sources_nth cs j ltac:(lia)) as [Vj Uj].
  destruct (nth i (sources f o cs) (Known 0 0)) as [p d|x d];
    rewrite (nth_map_gen _ _ _ (Known 0 0)) by (rewrite L; trivial);
    destruct (nth j (sources f o cs) (Known 0 0)) as [q e|y e];
    cbn [known_entry unknown_entry source_val] in *; unfold diff.
  - pose proof (inject_sub d e) as T. destruct (Nat.eqb_spec p q) as [->|NE].
    + apply sat_within. rewrite <- Vi, <- Vj. lra.
    + eapply sat_eq; [|apply sat_shift, (m_has p q)]. unfold diff. rewrite <- Vi, <- Vj. lra.
  - specialize (Uj _ _ eq_refl). pose proof (inject_sub d (Z.max 0 e)) as T.
    pose proof (sat_shift _ (d - Z.max 0 e) _ (m_has p 0%nat)) as H. unfold diff, at_ in H.
    rewrite nth_hd in *. change (val w 0%nat) with 0%Q in H.
    destruct H as [H|H]; [left; trivial|right].
    destruct (Z.odd (shift (nth 0 (nth p m []) INF) (d - Z.max 0 e))); rewrite <- Vi, <- Vj; lra.
  - apply sat_inf; lia.
  - destruct (Nat.eqb_spec x y) as [->|NE]; [|apply sat_inf; lia].
    apply (sat_within 0). rewrite <- Vi, <- Vj. change (inject_Z 0) with 0%Q. lra.
Qed.
End Image.

(* The bounds of the target do not ask for more than those of the source promise. For x = y + d a
   bound of x below d asks nothing, since y is not negative: certificates whose bounds were found
   during the search have such nodes. *)
Definition le_lu (l' l : lu) (d : Z) : bool :=      (* l' <= l + d, or l' < d *)
  match l', l with
  | NoBound, _ => true
  | Bound c', Bound c => (c' <=? c + d) || (c' <? d)
  | Bound c', NoBound => c' <? d
  | _, Infinite => true
  | Infinite, _ => false
  end.
Definition carry1 (b : bounds) (l u : lu) (a : source) : bool :=
  match a with
  | Known O _ => true
  | Known p d => le_lu l (lo_at b p) d && le_lu u (up_at b p) d
  | Unknown _ d => le_lu l NoBound d && le_lu u NoBound d
  end.
Fixpoint carry (b : bounds) (ls us : list lu) (from : list source) : bool :=
  match from with
  | [] => true
  | a :: from => carry1 b (hd NoBound ls) (hd NoBound us) a && carry b (tl ls) (tl us) from
  end.

Lemma carry_in b from : forall ls us, carry b ls us from = true -> forall x a, nth_error from x = Some a ->
  carry1 b (nth x ls NoBound) (nth x us NoBound) a = true.
Proof.
  induction from as [|a from IH]; intros ls us H x c E; [destruct x; discriminate|].
  cbn [carry] in H. apply andb_prop in H. destruct H as [H1 H2]. rewrite !nth_hd in H1.
  destruct x as [|x]; simpl in E; [injection E as <-; trivial|].
  specialize (IH _ _ H2 _ _ E). rewrite !nth_tl in IH. exact IH.
Qed.

Lemma le_lu_above l' l d x : (0 <= x)%Q -> le_lu l' l d = true -> above l x -> above l' (x + inject_Z d)%Q.
Proof.
  destruct l' as [|c'|], l as [|c|]; simpl; intros P H A; try discriminate; try contradiction; trivial.
  - apply Z.ltb_lt in H. apply inj_lt in H. lra.
  - apply orb_prop in H. destruct H as [H|H].
    + apply Z.leb_le in H. apply inj_le in H. rewrite inject_Z_plus in H. lra.
    + apply Z.ltb_lt in H. apply inj_lt in H. lra.
Qed.

Definition wide (f : frame) (b : bounds) : Prop :=
  (length (b_l b) <= length (f_clocks f))%nat /\ (length (b_u b) <= length (f_clocks f))%nat /\
  forall t, In t (b_d b) -> (t_i t <= length (f_clocks f))%nat /\ (t_j t <= length (f_clocks f))%nat.

Lemma carry_sound f f' us v w : nonneg v -> (forall p, (p < length (f_clocks f))%nat -> (0 <= w p)%Q) ->
  sim (f_bounds f) (proj f v) w -> wide f' (f_bounds f') ->
  carry (f_bounds f) (b_l (f_bounds f')) (b_u (f_bounds f')) (map (source_of f (origins_of us)) (f_clocks f')) = true ->
  sim_clocks (f_bounds f') (proj f' (set_all us v)) (moved f us v w (f_clocks f')).
Proof.
  intros NN WW [S _] (Wl & Wu & _) C x. unfold proj, moved, lo_at, up_at.
  destruct (nth_error (f_clocks f') x) as [c|] eqn:E.
  2: { apply nth_error_None in E. simpl. split; left; lra. }
  pose proof (carry_in _ _ _ _ C x _ (map_nth_error (source_of f (origins_of us)) _ _ E)) as K.
  pose proof (comes_all us v c) as V. unfold source_of in *.
  destruct (origin (origins_of us) c) as [y d]; cbn [fst snd] in V.
  destruct (position f y) as [p|] eqn:P; cbn [source_val carry1] in *.
  2: { split; left; lra. }
  pose proof (position_val f y p v P) as PV. pose proof (position_below _ _ _ P) as PB.
  destruct p as [|p].
  { simpl in PV |- *. rewrite <- PV in V. split; left; rewrite V; lra. }
  apply andb_prop in K. destruct K as [Kl Ku]. cbn [nth val] in *.
  destruct (S p) as [L U]. rewrite PV in L, U.
  pose proof (nonneg_val v y NN). pose proof (WW p ltac:(lia)). split.
  - destruct L as [L|L]; [left; rewrite V; lra|right]. eapply le_lu_above; eauto.
  - destruct U as [U|U]; [left; rewrite V; lra|right].
    apply above_le with (val v y + inject_Z d)%Q; [rewrite V; lra|]. eapply le_lu_above; eauto.
Qed.

(* A test of differences that the target keeps, by the positions of the source: v meets it afterwards only if w does,
   because the source keeps it as it was before the updates, because all of the zone meets it, or because nobody does. *)
Definition gap_carried (b : bounds) (z : dbm) (from : list source) (t : test) : bool :=
  match nth (t_i t) from (Known 0 0), nth (t_j t) from (Known 0 0) with
  | Known p d, Known q e =>
    (p =? q)%nat || (shift (at_ z p q) (d - e) <=? t_bound t) ||
    (let u := Test p q (shift (t_bound t) (e - d)) in sees b u && (shift (t_bound u) (d - e) <=? t_bound t))
  | Known p d, Unknown _ e => (p =? 0)%nat || (shift (at_ z p 0) (d - Z.max 0 e) <=? t_bound t)
  | Unknown _ _, Known q _ => (q =? 0)%nat
  | Unknown _ _, Unknown _ _ => true
  end.
Definition name_at (cs : list nat) (p : nat) : nat := nth p (0%nat :: cs) 0%nat.
Definition gaps_carried (b : bounds) (z : dbm) (o : origins) (cs : list nat) (from : list source) (ts gaps : list test) : bool :=
  forallb (fun t => gap_carried b z from t ||
                    contradict (back o (Test (name_at cs (t_i t)) (name_at cs (t_j t)) (t_bound t)) :: ts)) gaps.

Lemma sources_before f f' us v i : (i <= length (f_clocks f'))%nat ->
  match nth i (sources f (origins_of us) (f_clocks f')) (Known 0 0) with
  | Known p d => (val (proj f' (set_all us v)) i == val (proj f v) p + inject_Z d)%Q
  | Unknown x _ => (val (proj f' (set_all us v)) i == val (set_all us v) x)%Q
  end /\ val (proj f' (set_all us v)) i = val (set_all us v) (name_at (f_clocks f') i).
Proof.
  intro L. unfold name_at. destruct i as [|i]; [simpl; change (inject_Z 0) with 0%Q; split; [lra|trivial]|].
  unfold sources. cbn [nth val]. destruct (nth_error (f_clocks f') i) as [x|] eqn:E.
  2: { apply nth_error_None in E. lia. }
  assert (Pr : proj f' (set_all us v) i = val (set_all us v) x) by (unfold proj; rewrite E; trivial). rewrite Pr.
  rewrite (nth_error_nth _ _ (Known 0 0) (map_nth_error (source_of f (origins_of us)) _ _ E)).
  rewrite (nth_error_nth _ _ 0%nat E). split; [|trivial].
  unfold source_of. pose proof (comes_all us v x) as C. destruct (origin (origins_of us) x) as [y d]; cbn [fst snd] in C.
  destruct (position f y) as [p|] eqn:P; [|reflexivity]. rewrite (position_val f y p v P). exact C.
Qed.

Lemma gaps_carried_sound f f' us v w z ts : nonneg v -> nonneg (set_all us v) -> sim (f_bounds f) (proj f v) w -> dsat z w ->
  all_hold ts v -> wide f' (f_bounds f') ->
  gaps_carried (f_bounds f) z (origins_of us) (f_clocks f') (sources f (origins_of us) (f_clocks f')) ts (b_d (f_bounds f')) = true ->
  sim_gaps (b_d (f_bounds f')) (proj f' (set_all us v)) (moved f us v w (f_clocks f')).
Proof.
  intros N N' S D A (_ & _ & W) C t I _ M. destruct (W t I) as [Li Lj]. unfold gaps_carried in C.
  rewrite forallb_forall in C. specialize (C t I).
  destruct (sources_before f f' us v _ Li) as [Bi Ni]. destruct (sources_before f f' us v _ Lj) as [Bj Nj].
  destruct (sources_nth f us v w N N' (f_clocks f') _ Li) as [Vi Ui].
  destruct (sources_nth f us v w N N' (f_clocks f') _ Lj) as [Vj Uj].
  unfold meets, diff in M |- *. apply orb_prop in C. destruct C as [C|C].
  2: { exfalso. refine (contradict_sound _ v N C _). intros u [<-|J]; [|auto]. eapply back_sound; [apply comes_all|].
       unfold meets, diff. cbn [t_i t_j t_bound]. rewrite <- Ni, <- Nj. exact M. }
  unfold gap_carried in C. set (from := sources f (origins_of us) (f_clocks f')) in *.
  destruct (nth (t_i t) from (Known 0 0)) as [p d|x d]; destruct (nth (t_j t) from (Known 0 0)) as [q e|y e];
    cbn [source_val] in Vi, Vj.
  - pose proof (inject_sub d e) as T. pose proof (inject_sub e d) as T'. apply orb_prop in C. destruct C as [C|C]; [apply orb_prop in C; destruct C as [C|C]|].
    + apply Nat.eqb_eq in C. subst q. eapply sat_eq; [|exact M]. rewrite Bi, Bj, <- Vi, <- Vj. lra.
    + apply Z.leb_le in C. eapply sat_mono; [exact C|]. eapply sat_eq; [|apply sat_shift; exact (D p q)].
      unfold diff. rewrite <- Vi, <- Vj, T. lra.
    + cbn [t_bound] in C. apply andb_prop in C. destruct C as [V C]. apply Z.leb_le in C. eapply sat_mono; [exact C|].
      assert (Mu : meets (Test p q (shift (t_bound t) (e - d))) (proj f v)).
      { unfold meets, diff. cbn [t_i t_j t_bound]. eapply sat_eq; [|apply sat_shift; exact M]. rewrite Bi, Bj, T'. lra. }
      pose proof (sees_sound _ _ _ _ S (nonneg_proj f v N) Mu V) as Mw. unfold meets, diff in Mw. cbn [t_i t_j t_bound] in Mw.
      eapply sat_eq; [|apply sat_shift; exact Mw]. rewrite <- Vi, <- Vj, T. lra.
  - specialize (Uj _ _ eq_refl). apply orb_prop in C. destruct C as [C|C].
    + apply Nat.eqb_eq in C. subst p. eapply sat_eq; [|exact M]. rewrite Bi, Bj, <- Vi, <- Vj. simpl. lra.
    + apply Z.leb_le in C. eapply sat_mono; [exact C|]. pose proof (inject_sub d (Z.max 0 e)) as T.
      eapply sat_down; [|apply sat_shift; exact (D p 0%nat)]. unfold diff. rewrite <- Vi, <- Vj, T. cbn [val]. lra.
  - apply Nat.eqb_eq in C. subst q. eapply sat_eq; [|exact M]. rewrite Bi, Bj, <- Vi, <- Vj. simpl. lra.
  - eapply sat_eq; [|exact M]. rewrite Bi, Bj, <- Vi, <- Vj. lra.
Qed.

(* ---- Counting ---- *)

Fixpoint range (p : positive) (from : N) (f : N -> bool) : bool :=
  match p with
  | xH => f from
  | xO q => range q from f && range q (from + Npos q)%N f
  | xI q => f from && (range q (from + 1)%N f && range q (from + 1 + Npos q)%N f)
  end.
Lemma range_in p : forall from f, range p from f = true ->
  forall k, (from <= k < from + Npos p)%N -> f k = true.
Proof.
  induction p as [p IH|p IH|]; intros from f R k K; simpl in R.
  - apply andb_prop in R. destruct R as [R1 R]. apply andb_prop in R. destruct R as [R2 R3].
    destruct (N.eq_dec k from) as [->|NE]; [trivial|].
    destruct (N.lt_ge_cases k (from + 1 + Npos p)); [apply (IH _ _ R2)|apply (IH _ _ R3)]; lia.
  - apply andb_prop in R. destruct R as [R1 R2].
    destruct (N.lt_ge_cases k (from + Npos p)); [apply (IH _ _ R1)|apply (IH _ _ R2)]; lia.
  - replace k with from by lia. trivial.
Qed.
Definition all_of (count from : N) (f : N -> bool) : bool :=
  match count with N0 => true | Npos p => range p from f end.
Lemma all_of_in count from f : all_of count from f = true ->
  forall k, (from <= k < from + count)%N -> f k = true.
Proof. destruct count as [|p]; simpl; [intros; lia|apply range_in]. Qed.

(* ---- The system that is checked ---- *)

Section Checker.
Variable St : Type.
Variable st_eqb : St -> St -> bool.
Hypothesis st_eqb_eq : forall a b, st_eqb a b = true -> a = b.

(* A joint transition: the tests of its guards, and its updates, or None if it is an error. Then
   the tests of the clocks before it that make the invariant of the target hold, and the target; or
   None if that invariant is false. *)
Record move := Move { m_tests : list test; m_out : option (list upd * option (list test * St)) }.

Variable initial : list St.
Variable inv : St -> option (list test).            (* None: false *)
Variable delay : St -> option (list nat).           (* None: time stands still; else clocks that do *)
Variable moves : St -> list (N * move).             (* with the numbers that hints call them by *)
Variable goal : St -> option (list (list test)).    (* a disjunction of conjunctions; None: an error *)
Variable most_cuts : option nat.                    (* of a zone, to refute the goal; None: it is not tried *)
(* What has to hold of a node besides; it can ask whether nobody that the node stands for meets some tests. *)
Variable extra : St -> (list test -> bool) -> bool.

(* Other names: those of a state, and what a clock was called before. *)
Variable names : Type.
Variable re_state : names -> St -> option St.
Variable re_clock : names -> nat -> nat.

Definition inv_holds (s : St) (v : valuation) : Prop := exists ts, inv s = Some ts /\ all_hold ts v.

Definition meets_goal (s : St) (v : valuation) : Prop :=
  match goal s with None => True | Some cs => exists c, In c cs /\ all_hold c v end.
Definition fails (s : St) (v : valuation) : Prop :=
  exists k m, In (k, m) (moves s) /\ all_hold (m_tests m) v /\
    match m_out m with None => True | Some (us, _) => negative us v end.

(* ---- Certificates ---- *)

Variable groups : N.
Variable group_at : N -> St * (N * N).              (* the state, its first node, how many there are *)
Variable group_of : N -> N.                         (* of a node *)
Variable frame_at : N -> frame.
Variable zone_at : N -> N * dbm.                    (* of a node: which frame, and the zone *)
(* Of a node: which transition is covered by which node, and under which names. *)
Variable hints_at : N -> list (N * (N * names)).
Variable start_hints : list (N * (N * names)).

Definition find_node (k : N) : option (St * (frame * dbm)) :=
  let g := group_of k in
  if (g <? groups)%N then
    let (s, ab) := group_at g in let (a, b) := ab in
    if (a <=? k)%N && (k <? a + b)%N then let (i, z) := zone_at k in Some (s, (frame_at i, z)) else None
  else None.

(* ---- The check ---- *)

Definition is_called (a : names) (s s' : St) : bool :=
  match re_state a s with None => false | Some t => st_eqb s' t end.
(* What the state decides of a transition, and then what the frame of a node does. *)
Record arrow := Arrow { a_number : N; a_move : move; a_origins : origins; a_assigned : list (nat * Z) }.
Record placed := Placed { p_arrow : arrow; p_tests : list test; p_entry : list test }.
Definition entry_of (m : move) : list test :=
  match m_out m with Some (_, Some (ts, _)) => ts | _ => [] end.

(* ts is the invariant before. *)
Definition covers (ts : list test) (f : frame) (p : placed) (s : St) (z : dbm) (h : N * names) : bool :=
  match find_node (fst h) with
  | None => false
  | Some (s', (f', z')) =>
    is_called (snd h) s s' &&
    (let o := a_origins (p_arrow p) in
     let cs := map (re_clock (snd h)) (f_clocks f') in
     let from := sources f o cs in
     carry (f_bounds f) (b_l (f_bounds f')) (b_u (f_bounds f')) (tl from) &&
     match b_d (f_bounds f') with
     | [] => true
     | gaps => gaps_carried (f_bounds f) z o cs from (entry_of (a_move (p_arrow p)) ++ m_tests (a_move (p_arrow p)) ++ ts) gaps
     end &&
     covered_by (f_bounds f') (image z from) z')
  end.

(* No clock y + d is below zero, because a test says so (ts), or because the node does. *)
Definition says (y : nat) (d : Z) (t : test) : bool :=
  (t_i t =? 0)%nat && (t_j t =? y)%nat && (t_bound t <=? 2 * d + 1) && (t_bound t <? INF).
Definition stays_positive (ts : list test) (f : frame) (z : dbm) (a : nat * Z) : bool :=
  let (y, d) := a in
  (0 <=? d) || existsb (says y d) ts ||
  match position f y with
  | None => false
  | Some p =>
    let t := Test p 0 (2 * (- d)) in
    sees (f_bounds f) t && match constrain z t with None => true | Some _ => false end
  end.

Definition arrow_of (k : N) (m : move) : arrow :=
  match m_out m with
  | None => Arrow k m [] []
  | Some (us, _) => Arrow k m (origins_of us) (assigned [] us)
  end.
Definition arrows_of (ms : list (N * move)) : list arrow := map (fun m => arrow_of (fst m) (snd m)) ms.
Definition place_arrow (f : frame) (a : arrow) : placed :=
  Placed a (place_all f (m_tests (a_move a))) (place_all f (entry_of (a_move a))).
Record view := View { w_inv : list test; w_goal : option (list (list test * list test)); w_arrows : list placed }.
Definition view_of (ts : list test) (g : option (list (list test))) (l : list arrow) (f : frame) : view :=
  View (place_all f ts)
       (match g with None => None | Some cs => Some (map (fun c => (c, place_all f c)) cs) end)
       (map (place_arrow f) l).

(* Tests may exclude each other though the node does not see them; ts is the invariant. *)
Definition check_entry (ts : list test) (f : frame) (z : dbm) (p : placed) (s : St) (h : option (N * names)) : bool :=
  match constrain_all z (p_entry p) with
  | None => true
  | Some z1 => match h with None => false | Some h => covers ts f p s z1 h end
  end || clash (entry_of (a_move (p_arrow p)) ++ m_tests (a_move (p_arrow p)) ++ ts).
Definition check_placed (ts : list test) (f : frame) (z : dbm) (p : placed) (h : option (N * names)) : bool :=
  match constrain_all z (p_tests p) with
  | None => true
  | Some z1 =>
    match m_out (a_move (p_arrow p)) with
    | None => false
    | Some (_, target) =>
      forallb (stays_positive (m_tests (a_move (p_arrow p)) ++ ts) f z1) (a_assigned (p_arrow p)) &&
      match target with None => true | Some (_, s) => check_entry ts f z1 p s h end
    end
  end || clash (m_tests (a_move (p_arrow p)) ++ ts).

Fixpoint skip (k : N) (hs : list (N * (N * names))) : list (N * (N * names)) :=
  match hs with [] => [] | (q, h) :: hs' => if (q <? k)%N then skip k hs' else hs end.
Definition hint (k : N) (hs : list (N * (N * names))) : option (N * names) :=
  match hs with [] => None | (q, h) :: _ => if (q =? k)%N then Some h else None end.
Fixpoint check_all (ts : list test) (f : frame) (z : dbm) (l : list placed) (hs : list (N * (N * names))) : bool :=
  match l with
  | [] => true
  | p :: l =>
    let hs := skip (a_number (p_arrow p)) hs in
    check_placed ts f z p (hint (a_number (p_arrow p)) hs) && check_all ts f z l hs
  end.

(* A zone after delay. Where clocks stand still, differences are not kept. *)
Definition stands_in (l : list nat) (f : frame) : list bool := map (fun x => existsb (Nat.eqb x) l) (f_clocks f).
Definition let_time_pass (f : frame) (z : dbm) (ts : list test) (d : option (list nat)) : option dbm :=
  match constrain_all z ts with
  | None => None
  | Some z1 =>
    match d with
    | None => Some z1
    | Some [] => constrain_all (up z1) ts
    | Some l => constrain_all (up_some (stands_in l f) z1) ts
    end
  end.
Definition delay_ok (f : frame) (d : option (list nat)) : bool :=
  match d, b_d (f_bounds f) with Some (_ :: _), _ :: _ => false | _, _ => true end.

Definition not_negative (z : dbm) : bool := forallb (fun r => r <=? ONE) (hd [] z).
Definition node_ok (f : frame) (z : dbm) : bool :=
  tight (S (length (f_clocks f))) z && not_negative z &&
  forallb (fun x => negb (x =? 0)%nat) (f_clocks f) &&
  (length (b_l (f_bounds f)) <=? length (f_clocks f))%nat && (length (b_u (f_bounds f)) <=? length (f_clocks f))%nat &&
  forallb (fun t => (t_i t <=? length (f_clocks f))%nat && (t_j t <=? length (f_clocks f))%nat) (b_d (f_bounds f)).

Definition cut_refuted (f : frame) (z : dbm) (c : list test) : bool :=
  match most_cuts with None => false | Some k => contradict c || refuted f c (firstn k (cuts f c)) z end.
Definition meets_none (ts : list test) (f : frame) (z : dbm) (g : option (list (list test * list test))) : bool :=
  match g with
  | None => false
  | Some cs =>
    forallb (fun c => match constrain_all z (snd c) with None => true | Some _ => clash (fst c ++ ts) || cut_refuted f z (fst c) end) cs
  end.

Definition misses (ts : list test) (f : frame) (z : dbm) (c : list test) : bool :=
  match constrain_all z (place_all f c) with None => true | Some _ => clash (c ++ ts) end.
Definition check_node (ts : list test) (d : option (list nat)) (w : view) (e : (list test -> bool) -> bool) (f : frame) (z : dbm) (k : N) : bool :=
  node_ok f z && delay_ok f d &&
  match let_time_pass f z (w_inv w) d with
  | None => true
  | Some z1 => meets_none ts f z1 (w_goal w) && check_all ts f z1 (w_arrows w) (hints_at k) && e (misses ts f z1)
  end.

(* The nodes of a group mostly share one frame: what it makes of the transitions is found once. *)
Definition check_group (g : N) : bool :=
  let (s, ab) := group_at g in let (a, b) := ab in
  if (b =? 0)%N then true
  else
    match inv s with
    | None => all_of b a (fun k => let (i, z) := zone_at k in node_ok (frame_at i) z)
    | Some ts =>
      let d := delay s in
      let gs := goal s in
      let l := arrows_of (moves s) in
      let i0 := fst (zone_at a) in
      let w0 := view_of ts gs l (frame_at i0) in
      all_of b a (fun k =>
        let (i, z) := zone_at k in
        let f := frame_at i in
        check_node ts d (if (i =? i0)%N then w0 else view_of ts gs l f) (extra s) f z k)
    end.

Definition zero_zone (k : nat) : dbm := repeat (repeat ONE k) k.
Definition check_initial (s : St) (h : option (N * names)) : bool :=
  match inv s with
  | None => true
  | Some ts =>
    if forallb (fun t => ONE <=? t_bound t) ts then
      match h with
      | None => false
      | Some (k, a) =>
        match find_node k with
        | None => false
        | Some (s', (f', z')) =>
          is_called a s s' && covered_by (f_bounds f') (zero_zone (S (length (f_clocks f')))) z'
        end
      end
    else true
  end.
Fixpoint check_initials (k : N) (ss : list St) (hs : list (N * (N * names))) : bool :=
  match ss with
  | [] => true
  | s :: ss => let hs := skip k hs in check_initial s (hint k hs) && check_initials (N.succ k) ss hs
  end.

Definition check : bool := check_initials 0 initial start_hints && all_of groups 0 check_group.

(* ---- Correctness ---- *)

Definition in_cert (k : N) (s : St) : Prop :=
  exists g a b, (g < groups)%N /\ group_at g = (s, (a, b)) /\ (a <= k < a + b)%N.

Lemma find_node_in k s f z : find_node k = Some (s, (f, z)) ->
  in_cert k s /\ exists i, zone_at k = (i, z) /\ f = frame_at i.
Proof.
  unfold find_node. destruct (N.ltb_spec (group_of k) groups) as [G|]; [|discriminate].
  destruct (group_at (group_of k)) as [s' [a b]] eqn:E.
  destruct ((a <=? k)%N && (k <? a + b)%N) eqn:R; [|discriminate].
  apply andb_prop in R. destruct R as [R1 R2]. apply N.leb_le in R1. apply N.ltb_lt in R2.
  destruct (zone_at k) as [i z'] eqn:Z. intro H; injection H as <- <- <-. split; [|eauto].
  exists (group_of k), a, b. auto.
Qed.

Hypothesis accepted : check = true.


Lemma node_checked k s : in_cert k s -> exists i z, zone_at k = (i, z) /\
  node_ok (frame_at i) z = true /\
  match inv s with
  | None => True
  | Some ts => check_node ts (delay s) (view_of ts (goal s) (arrows_of (moves s)) (frame_at i)) (extra s) (frame_at i) z k = true
  end.
Proof.
  intros (g & a & b & G & E & R). pose proof accepted as C. apply andb_prop in C. destruct C as [_ C].
  pose proof (all_of_in _ _ _ C g ltac:(lia)) as K. unfold check_group in K. rewrite E in K.
  destruct (N.eqb_spec b 0) as [->|]; [lia|].
  destruct (zone_at k) as [i z] eqn:Z. exists i, z. split; trivial. destruct (inv s) as [ts|].
  - pose proof (all_of_in _ _ _ K k R) as H. cbv beta in H. rewrite Z in H.
    assert (H' : check_node ts (delay s) (view_of ts (goal s) (arrows_of (moves s)) (frame_at i))
                            (extra s) (frame_at i) z k = true).
    { destruct (N.eqb_spec i (fst (zone_at a))) as [->|]; trivial. }
    split; trivial. apply andb_prop in H'. destruct H' as [H' _]. apply andb_prop in H'. tauto.
  - pose proof (all_of_in _ _ _ K k R) as H. cbv beta in H. rewrite Z in H. auto.
Qed.

Lemma node_ok_means f z : node_ok f z = true ->
  tight (S (length (f_clocks f))) z = true /\
  (forall w, dsat z w -> forall p, (p < length (f_clocks f))%nat -> (0 <= w p)%Q) /\
  (forall x, In x (f_clocks f) -> x <> 0%nat) /\ wide f (f_bounds f).
Proof.
  unfold node_ok. intro H. apply andb_prop in H. destruct H as [H H6]. apply andb_prop in H. destruct H as [H H5]. apply andb_prop in H. destruct H as [H H4].
  apply andb_prop in H. destruct H as [H H3]. apply andb_prop in H. destruct H as [H1 H2].
  split; [trivial|]. split; [|split].
  - intros w D p P. specialize (D 0%nat (S p)). unfold not_negative in H2. rewrite forallb_forall in H2.
    destruct (tight_means _ _ H1) as (Ln & Lr & _). rewrite nth_hd in H2.
    assert (I : In (at_ z 0 (S p)) (nth 0 z [])) by (apply nth_In; rewrite Lr; lia).
    specialize (H2 _ I). apply Z.leb_le in H2. apply (sat_mono _ _ _ H2) in D.
    destruct D as [D|D]; [unfold INF, ONE in D; lia|]. unfold diff, half, ONE in D; simpl in D.
    change (inject_Z 0) with 0%Q in D. lra.
  - intros x I. rewrite forallb_forall in H3. specialize (H3 _ I). apply Nat.eqb_neq. apply negb_true_iff. trivial.
  - split; [apply Nat.leb_le; trivial|split; [apply Nat.leb_le; trivial|]]. intros t I. rewrite forallb_forall in H6.
    specialize (H6 t I). apply andb_prop in H6. destruct H6. split; apply Nat.leb_le; trivial.
Qed.

(* Where a reachable valuation is: what a node stands for, or later. *)
Definition stands (f : frame) (z : dbm) (v : valuation) : Prop :=
  exists w, dsat z w /\ sim (f_bounds f) (proj f v) w.
Definition inside (s : St) (v : valuation) : Prop :=
  nonneg v /\ inv_holds s v /\
  exists k i z u d, in_cert k s /\ zone_at k = (i, z) /\ stands (frame_at i) z u /\
    nonneg u /\ inv_holds s u /\ (0 <= d)%Q /\ match delay s with None => same v u | Some l => same v (after l d u) end.

Lemma enter_inside s k i z v : in_cert k s -> zone_at k = (i, z) -> stands (frame_at i) z v ->
  inv_holds s v -> nonneg v -> inside s v.
Proof.
  intros I Z S H N. split; [trivial|split; [trivial|]]. exists k, i, z, v, 0%Q.
  repeat (split; trivial); try lra. destruct (delay s) as [l|]; intro x; [|reflexivity]. unfold after. destruct (existsb _ l); lra.
Qed.

Lemma proj_after l f d v : (forall x, In x (f_clocks f) -> x <> 0%nat) -> forall p, (p < length (f_clocks f))%nat ->
  (proj f (after l d v) p == if nth p (stands_in l f) false then proj f v p else proj f v p + d)%Q.
Proof.
  intros NZ p P. unfold proj, stands_in. destruct (nth_error (f_clocks f) p) as [x|] eqn:E; [|apply nth_error_None in E; lia].
  rewrite (nth_error_nth _ _ false (map_nth_error (fun x => existsb (Nat.eqb x) l) _ _ E)).
  apply nth_error_In in E. specialize (NZ _ E). destruct x as [|x]; [congruence|]. cbn [val]. unfold after. destruct (existsb _ l); reflexivity.
Qed.
(* Whoever simulates waits, too. *)
Definition waited (l : list nat) (f : frame) (d : Q) (w : valuation) : valuation :=
  fun p => if nth p (stands_in l f) false then w p else (w p + d)%Q.
Lemma stands_in_nil f p : nth p (stands_in [] f) false = false.
Proof. unfold stands_in. revert p. induction (f_clocks f) as [|x cs IH]; intros [|p]; simpl; auto. Qed.
Lemma sim_after l f d u v w : (forall x, In x (f_clocks f) -> x <> 0%nat) -> wide f (f_bounds f) -> delay_ok f (Some l) = true -> (0 <= d)%Q ->
  sim (f_bounds f) (proj f u) w -> same v (after l d u) -> sim (f_bounds f) (proj f v) (waited l f d w).
Proof.
  intros NZ Wi Ok P [S G] Sa.
  assert (V : forall p, (p < length (f_clocks f))%nat -> (proj f v p == if nth p (stands_in l f) false then proj f u p else proj f u p + d)%Q).
  { intros p L. rewrite <- (proj_after l f d u NZ p L). apply proj_same. exact Sa. }
  split.
  - intro p. destruct (Nat.lt_ge_cases p (length (f_clocks f))) as [L|L].
    + specialize (V p L). destruct (S p) as [X Y]. unfold waited. destruct (nth p (stands_in l f) false); split.
      * destruct X as [X|X]; [left; lra|right; trivial].
      * destruct Y as [Y|Y]; [left; lra|right]. eapply above_le; [|exact Y]. lra.
      * destruct X as [X|X]; [left; lra|right]. eapply above_le; [|exact X]. lra.
      * destruct Y as [Y|Y]; [left; lra|right]. eapply above_le; [|exact Y]. lra.
    + destruct Wi as (Wl & Wu & _). unfold lo_at, up_at. cbn [nth]. rewrite !nth_overflow by lia. split; right; exact Logic.I.
  - intros t It Gt M. destruct l as [|x l]; [|unfold delay_ok in Ok; destruct (b_d (f_bounds f)); [destruct It|discriminate]].
    destruct Wi as (_ & _ & Wd). destruct (Wd t It) as [Li Lj]. specialize (G t It Gt). destruct Gt as [Gi Gj]. unfold meets, diff in *.
    destruct (t_i t) as [|p]; [congruence|]. destruct (t_j t) as [|q]; [congruence|]. cbn [val] in *.
    pose proof (V p ltac:(lia)) as Vp. pose proof (V q ltac:(lia)) as Vq. rewrite stands_in_nil in Vp, Vq. unfold waited. rewrite !stands_in_nil.
    eapply sat_eq; [|apply G; eapply sat_eq; [|exact M]]; lra.
Qed.

(* What is checked with the node's zone, after delay, speaks about v. *)
Lemma inside_checked s v : inside s v -> exists ts f z w k,
  inv s = Some ts /\ dsat z w /\ sim (f_bounds f) (proj f v) w /\
  (forall p, (p < length (f_clocks f))%nat -> (0 <= w p)%Q) /\
  meets_none ts f z (w_goal (view_of ts (goal s) (arrows_of (moves s)) f)) = true /\
  check_all ts f z (w_arrows (view_of ts (goal s) (arrows_of (moves s)) f)) (hints_at k) = true /\
  extra s (misses ts f z) = true.
Proof.
  intros (N & (ts & E & A) & k & i & z & u & d & I & Z & (w & D & S) & Nu & (ts' & E' & Au) & P & Sa).
  rewrite E in E'. injection E' as <-.
  destruct (node_checked _ _ I) as (i' & z' & Z' & Ok & C). rewrite Z in Z'. injection Z' as <- <-.
  rewrite E in C. set (f := frame_at i) in *.
  destruct (node_ok_means _ _ Ok) as (T & Pw & NZ & Wi). specialize (Pw w D).
  apply andb_prop in C. destruct C as [C' C]. apply andb_prop in C'. destruct C' as [_ Dok].
  assert (Lt : exists z1 w1, let_time_pass f z (w_inv (view_of ts (goal s) (arrows_of (moves s)) f)) (delay s) = Some z1 /\
            dsat z1 w1 /\ sim (f_bounds f) (proj f v) w1 /\
            (forall p, (p < length (f_clocks f))%nat -> (0 <= w1 p)%Q)).
  { unfold let_time_pass. cbn [view_of w_inv].
    destruct (constrain_all_sound _ _ _ D (place_all_sound f ts u w S Nu Au)) as (z1 & C1 & D1).
    rewrite C1. destruct (delay s) as [l|].
    - pose proof (sim_after l f d u v w NZ Wi Dok P S Sa) as S2.
      assert (U : dsat (match l with [] => up z1 | _ => up_some (stands_in l f) z1 end) (waited l f d w)).
      { destruct l as [|x l].
        - eapply dsat_same; [|exact (up_sound _ _ _ P D1)]. intro p. unfold waited, delayed. rewrite stands_in_nil. reflexivity.
        - eapply up_some_sound; [exact P| |exact D1]. intro p. reflexivity. }
      destruct (constrain_all_sound _ _ _ U (place_all_sound f ts v _ S2 N A)) as (z2 & C2 & D2).
      exists z2, (waited l f d w). split; [destruct l; exact C2|]. repeat (split; trivial).
      intros p L. specialize (Pw p L). unfold waited. destruct (nth p (stands_in l f) false); lra.
    - exists z1, w. split; [trivial|split; [trivial|split; [|trivial]]]. eapply sim_same; [apply proj_same; exact Sa|exact S]. }
  destruct Lt as (z1 & w1 & L1 & D1 & S1 & P1). rewrite L1 in C. apply andb_prop in C. destruct C as [C C3]. apply andb_prop in C. destruct C as [C1 C2].
  exists ts, f, z1, w1, k. repeat (split; trivial).
Qed.

Lemma check_all_in ts f z l : forall hs, check_all ts f z l hs = true ->
  forall p, In p l -> exists h, check_placed ts f z p h = true.
Proof.
  induction l as [|q l IH]; intros hs C p I; [destruct I|]. cbn [check_all] in C.
  apply andb_prop in C. destruct C as [C1 C2]. destruct I as [<-|I]; eauto.
Qed.

Lemma arrow_move j m : a_move (arrow_of j m) = m.
Proof. unfold arrow_of. destruct (m_out m) as [[us s]|]; trivial. Qed.

Lemma says_sound y d ts v : existsb (says y d) ts = true -> all_hold ts v -> (0 <= val v y + inject_Z d)%Q.
Proof.
  intros E A. apply existsb_exists in E. destruct E as (t & I & E). specialize (A _ I).
  unfold says in E. apply andb_prop in E. destruct E as [E F]. apply andb_prop in E. destruct E as [E L].
  apply andb_prop in E. destruct E as [E1 E2].
  apply Nat.eqb_eq in E1, E2. apply Z.leb_le in L. apply Z.ltb_lt in F. unfold meets, diff in A. rewrite E1, E2 in A.
  destruct A as [A|A].
  - lia.
  - unfold half in A. cbn [val] in A. pose proof (div2_eq (t_bound t)) as Ed.
    assert (B : Z.div2 (t_bound t) <= d) by (destruct (Z.odd (t_bound t)); lia). apply inj_le in B.
    destruct (Z.odd (t_bound t)); lra.
Qed.

(* A node stands for the state and the valuation, under other names. *)
Definition called (a : names) (f : frame) : frame := Frame (map (re_clock a) (f_clocks f)) (f_bounds f).
Definition is_covered (s : St) (v : valuation) : Prop :=
  exists a s' k i z, re_state a s = Some s' /\ in_cert k s' /\ zone_at k = (i, z) /\ stands (called a (frame_at i)) z v.
Lemma is_called_eq a s s' : is_called a s s' = true -> re_state a s = Some s'.
Proof. unfold is_called. destruct (re_state a s); [|discriminate]. intro H. apply st_eqb_eq in H. congruence. Qed.

(* What the check of a transition says about a valuation that can take it. *)
Lemma inside_move s v j m : inside s v -> In (j, m) (moves s) -> all_hold (m_tests m) v ->
  exists us target, m_out m = Some (us, target) /\ ~ negative us v /\
    forall ts s', target = Some (ts, s') -> all_hold ts v -> is_covered s' (set_all us v).
Proof.
  intros In_ I A. pose proof In_ as (N & (ts0 & E0 & A0) & _).
  destruct (inside_checked _ _ In_) as (ts & f & z & w & k & E & D & S & P & _ & C & _).
  rewrite E in E0. injection E0 as <-.
  pose proof (in_map (fun m => arrow_of (fst m) (snd m)) _ _ I) as J. cbn [view_of w_arrows fst snd] in C, J.
  destruct (check_all_in _ _ _ _ _ C _ (in_map (place_arrow f) _ _ J)) as (h & K).
  assert (Both : all_hold (m_tests m ++ ts) v) by (intros t T; apply in_app_or in T; destruct T; auto).
  unfold check_placed in K. cbn [p_arrow p_tests place_arrow] in K. rewrite arrow_move in K.
  apply orb_prop in K. destruct K as [K|K].
  2: { exfalso. apply (clash_sound _ v N K Both). }
  destruct (constrain_all_sound _ _ _ D (place_all_sound f _ v w S N A)) as (z1 & C1 & D1). rewrite C1 in K.
  destruct (m_out m) as [[us target]|] eqn:O; [|discriminate].
  apply andb_prop in K. destruct K as [K1 K2]. exists us, target. split; [trivial|].
  assert (As : a_assigned (arrow_of j m) = assigned [] us) by (unfold arrow_of; rewrite O; trivial).
  assert (Or : a_origins (arrow_of j m) = origins_of us) by (unfold arrow_of; rewrite O; trivial).
  rewrite As in K1.
  assert (NN : ~ negative us v).
  { intro G. destruct (negative_assigned us [] v v (comes_nil v) G) as ([y d] & Ia & L). cbn [fst snd] in L.
    rewrite forallb_forall in K1. specialize (K1 _ Ia). unfold stays_positive in K1.
    apply orb_prop in K1. destruct K1 as [K1|K1].
    - apply orb_prop in K1. destruct K1 as [K1|K1].
      + apply Z.leb_le in K1. apply inj_le in K1. change (inject_Z 0) with 0%Q in K1.
        pose proof (nonneg_val v y N). lra.
      + pose proof (says_sound _ _ _ _ K1 Both). lra.
    - destruct (position f y) as [p|] eqn:Py; [|discriminate]. apply andb_prop in K1. destruct K1 as [V K1].
      assert (M : meets (Test p 0 (2 * (- d))) (proj f v)).
      { right. cbn [t_bound t_i t_j]. pose proof (div2_eq (2 * - d)) as Ed.
        destruct (Z.odd (2 * - d)); [lia|]. unfold half, diff.
        replace (Z.div2 (2 * - d)) with (- d) by lia. rewrite inject_Z_opp.
        rewrite (position_val _ _ _ _ Py). cbn [val]. lra. }
      pose proof (sees_sound _ _ _ _ S (nonneg_proj f v N) M V) as M'.
      destruct (constrain_sound _ _ _ D1 M') as (z' & F & _). rewrite F in K1. discriminate. }
  split; [exact NN|]. pose proof (nonneg_set us v N NN) as N'. intros ts' s' -> A'.
  unfold check_entry in K2. cbn [p_arrow p_entry place_arrow] in K2. rewrite arrow_move in K2.
  assert (En : entry_of m = ts') by (unfold entry_of; rewrite O; trivial). rewrite En in K2.
  apply orb_prop in K2. destruct K2 as [K2|K2].
  2: { exfalso. apply (clash_sound _ v N K2). intros t T. apply in_app_or in T. destruct T; auto. }
  destruct (constrain_all_sound _ _ _ D1 (place_all_sound f _ v w S N A')) as (z2 & C2 & D2). rewrite C2 in K2.
  destruct h as [[k' a]|]; [|discriminate]. unfold covers in K2. cbn [fst snd p_arrow place_arrow] in K2.
  rewrite arrow_move, Or, En in K2.
  destruct (find_node k') as [[s'' [f' z']]|] eqn:F; [|discriminate].
  apply andb_prop in K2. destruct K2 as [Es K2]. apply is_called_eq in Es.
  apply andb_prop in K2. destruct K2 as [K2 Co]. apply andb_prop in K2. destruct K2 as [Ca Cg].
  destruct (find_node_in _ _ _ _ F) as (Ic & i' & Z' & ->).
  destruct (node_checked _ _ Ic) as (i2 & z3 & Z2 & Ok & _). rewrite Z' in Z2. injection Z2 as <- <-.
  destruct (node_ok_means _ _ Ok) as (T & _ & _ & Wi).
  exists a, s'', k', i', z'. split; [trivial|split; [trivial|split; [trivial|]]].
  assert (Wa : wide (called a (frame_at i')) (f_bounds (called a (frame_at i')))).
  { unfold wide, called; simpl. rewrite map_length. exact Wi. }
  assert (S' : sim (f_bounds (frame_at i')) (proj (called a (frame_at i')) (set_all us v)) (moved f us v w (f_clocks (called a (frame_at i'))))).
  { split; [exact (carry_sound f (called a (frame_at i')) us v w N P S Wa Ca)|]. destruct (b_d (f_bounds (frame_at i'))) as [|t0 gaps] eqn:Eg.
    - intros t [].
    - rewrite <- Eg in *. refine (gaps_carried_sound f (called a (frame_at i')) us v w z2 _ N N' S D2 _ Wa Cg).
      intros t It. apply in_app_or in It. destruct It as [It|It]; auto. }
  pose proof (image_sound f us v w z2 N N' D2 (f_clocks (called a (frame_at i')))) as D'.
  destruct (covered_by_sound _ _ _ _ _ T Co D') as (w' & Dw & Sw).
  exists w'. split; [trivial|]. eapply sim_trans; eauto.
Qed.

Lemma zero_zone_sat k v : zero v -> dsat (zero_zone k) v.
Proof.
  intros Z i j. unfold at_, zero_zone.
  assert (V : forall x, (val v x == 0)%Q) by (intros [|x]; simpl; [lra|apply Z]).
  destruct (Nat.lt_ge_cases i k) as [I|I].
  2: { rewrite nth_overflow with (n := i); [|rewrite repeat_length; trivial].
       apply sat_inf; destruct j; apply Z.le_refl. }
  rewrite (nth_indep _ [] (repeat ONE k)) by (rewrite repeat_length; trivial). rewrite nth_repeat.
  destruct (Nat.lt_ge_cases j k) as [J|J].
  2: { rewrite nth_overflow; [apply sat_inf, Z.le_refl|rewrite repeat_length; trivial]. }
  rewrite (nth_indep _ INF ONE) by (rewrite repeat_length; trivial). rewrite nth_repeat.
  apply (sat_within 0). unfold diff. rewrite (V i), (V j). change (inject_Z 0) with 0%Q. lra.
Qed.

Lemma initials_in ss : forall k hs, check_initials k ss hs = true -> forall s, In s ss ->
  exists h, check_initial s h = true.
Proof.
  induction ss as [|s0 ss IH]; intros k hs C s I; [destruct I|]. cbn [check_initials] in C.
  apply andb_prop in C. destruct C as [C1 C2]. destruct I as [<-|I]; eauto.
Qed.

Lemma initial_covered s v : In s initial -> zero v -> inv_holds s v -> is_covered s v.
Proof.
  intros I Z H. pose proof H as (ts & E & A). pose proof accepted as C. apply andb_prop in C. destruct C as [C _].
  destruct (initials_in _ _ _ C _ I) as (h & K). unfold check_initial in K. rewrite E in K.
  assert (V : forall x, (val v x == 0)%Q) by (intros [|x]; simpl; [lra|apply Z]).
  assert (T : forallb (fun t => ONE <=? t_bound t) ts = true).
  { apply forallb_forall. intros t It. apply Z.leb_le. apply sat_zero. eapply sat_eq; [|exact (A _ It)].
    unfold diff. rewrite (V (t_i t)), (V (t_j t)). lra. }
  rewrite T in K. destruct h as [[k a]|]; [|discriminate].
  destruct (find_node k) as [[s'' [f' z']]|] eqn:F; [|discriminate].
  apply andb_prop in K. destruct K as [Es K]. apply is_called_eq in Es.
  destruct (find_node_in _ _ _ _ F) as (Ic & i' & Z' & ->).
  destruct (node_checked _ _ Ic) as (i2 & z2 & Z2 & Ok & _). rewrite Z' in Z2. injection Z2 as <- <-.
  destruct (node_ok_means _ _ Ok) as (Ti & _). exists a, s'', k, i', z'. split; [trivial|split; [trivial|split; [trivial|]]].
  assert (Zp : zero (proj (called a (frame_at i')) v)) by (intro p; unfold proj; destruct (nth_error _ _); [apply V|lra]).
  destruct (covered_by_sound _ _ _ _ _ Ti K (zero_zone_sat _ _ Zp)) as (w' & Dw & Sw). exists w'; auto.
Qed.

Lemma inv_same s v w : same v w -> inv_holds s v -> inv_holds s w.
Proof. intros S (ts & E & A). exists ts; split; trivial. eapply all_hold_same; eauto. Qed.

Lemma same_sym v w : same v w -> same w v.
Proof. intros S k. symmetry. apply S. Qed.

Lemma stands_proj f g z v w : f_bounds f = f_bounds g -> same (proj g w) (proj f v) -> stands f z v -> stands g z w.
Proof. intros B S (u & D & X). exists u; split; trivial. rewrite <- B. eapply sim_same; [exact S|exact X]. Qed.

Lemma is_covered_same s v w : same w v -> is_covered s v -> is_covered s w.
Proof.
  intros S (a & s' & k & i & z & R & I & Z & H). exists a, s', k, i, z. repeat (split; trivial).
  eapply stands_proj; [| |exact H]; [trivial|]. apply proj_same. trivial.
Qed.

(* The ways by which one stays inside, and what holds there. *)
Theorem covered_inside s v : is_covered s v -> nonneg v -> exists a s', re_state a s = Some s' /\
  forall v', (forall x, (val v' x == val v (re_clock a x))%Q) -> inv_holds s' v' -> inside s' v'.
Proof.
  intros (a & s' & k & i & z & R & I & Z & S) N. exists a, s'. split; [trivial|]. intros v' V H.
  eapply enter_inside; eauto.
  - eapply stands_proj; [| |exact S]; [trivial|]. intro p. unfold proj, called. cbn [f_clocks].
    rewrite nth_error_map. destruct (nth_error _ _) as [x|]; simpl; [apply V|reflexivity].
  - intro x. specialize (V (Datatypes.S x)). simpl in V. rewrite V. apply nonneg_val. trivial.
Qed.

Lemma inside_same s v w : same w v -> inside s v -> inside s w.
Proof.
  intros S (N & I & k & i & z & u & d & A1 & A2 & A3 & A4 & A5 & A6 & A7).
  split; [intro x; rewrite (S x); apply N|]. split; [eapply inv_same; [apply same_sym; exact S|exact I]|].
  exists k, i, z, u, d. repeat (split; trivial). destruct (delay s) as [l|]; intro x; rewrite (S x); apply A7.
Qed.
Theorem delay_inside s l v d v' : inside s v -> delay s = Some l -> (0 <= d)%Q -> same v' (after l d v) ->
  inv_holds s v' -> inside s v'.
Proof.
  intros (N & _ & k & i & z & u & e & J & Z & St' & Nu & Hu & Pe & Sa) CD P S H. rewrite CD in Sa.
  split. { intro x. rewrite (S x). unfold after. specialize (N x). destruct (existsb _ l); lra. }
  split; [trivial|]. exists k, i, z, u, (e + d)%Q. rewrite CD. repeat (split; trivial); [lra|].
  intro x. rewrite (S x). unfold after in *. specialize (Sa x). cbv beta in Sa. destruct (existsb (Nat.eqb (Datatypes.S x)) l); lra.
Qed.

Theorem inside_good s v : inside s v -> ~ meets_goal s v /\ ~ fails s v.
Proof.
  intro R. split.
  - intro M. destruct (inside_checked _ _ R) as (ts & f & z & w & k & E & D & S & P & C & _ & _).
    destruct R as (N & (ts0 & E0 & A0) & _). rewrite E in E0. injection E0 as <-. unfold meets_goal in M. cbn [view_of w_goal] in C.
    destruct (goal s) as [cs|]; [|discriminate]. destruct M as (c & I & A).
    cbn [meets_none] in C. rewrite forallb_forall in C. specialize (C _ (in_map (fun c => (c, place_all f c)) _ _ I)).
    cbn [fst snd] in C. destruct (constrain_all_sound _ _ _ D (place_all_sound f c v w S N A)) as (z1 & C1 & _).
    rewrite C1 in C. apply orb_prop in C. destruct C as [C|C].
    2: { unfold cut_refuted in C. destruct most_cuts as [m|]; [|discriminate].
         apply orb_prop in C. destruct C as [C|C]; [exact (contradict_sound _ _ N C A)|]. exact (refuted_sound _ _ _ _ _ S N _ D C A). }
    apply (clash_sound _ v N C). intros t T. apply in_app_or in T. destruct T; auto.
  - intros (j & m & I & A & F). destruct (inside_move _ _ _ _ R I A) as (us & target & O & NN & _).
    rewrite O in F. auto.
Qed.

Theorem inside_extra s v : inside s v -> exists misses, (forall c, misses c = true -> ~ all_hold c v) /\ extra s misses = true.
Proof.
  intro R. destruct (inside_checked _ _ R) as (ts & f & z & w & k & E & D & S & P & _ & _ & X). exists (misses ts f z). split; [|trivial].
  destruct R as (N & (ts0 & E0 & A0) & _). rewrite E in E0. injection E0 as <-. intros c M A. unfold misses in M.
  destruct (constrain_all_sound _ _ _ D (place_all_sound f c v w S N A)) as (z1 & C1 & _). rewrite C1 in M.
  apply (clash_sound _ v N M). intros t T. apply in_app_or in T. destruct T; auto.
Qed.

End Checker.
