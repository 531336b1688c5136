(* The LU-preorder, and the test whether a zone is covered under it (key HSW12 in doc/papers.md). Where differences of
   clocks matter it is one that knows them (GMS18, GMS19). *)
From Coq Require Import List ZArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones.
Import ListNotations.
Open Scope Z_scope.

(* ---- A point in a tight matrix, between anchors ---- *)

(* r as a bound on d; `s`: strict in any case *)
Definition gsat (s : bool) (r : Z) (d : Q) : Prop :=
  INF <= r \/ (if s || negb (Z.odd r) then d < half r else d <= half r)%Q.

Lemma gsat_sat r d : gsat false r d <-> sat r d.
Proof. unfold gsat, sat. destruct (Z.odd r); simpl; tauto. Qed.

Lemma gsat_mono s r r' d : r <= r' -> gsat s r d -> gsat s r' d.
Proof.
  intros L H. destruct s.
  - unfold gsat, half in *. simpl in *. destruct H as [H|H]; [left; lia|].
    right. pose proof (div2_eq r); pose proof (div2_eq r').
    assert (A : Z.div2 r <= Z.div2 r') by (destruct (Z.odd r), (Z.odd r'); lia).
    apply inj_le in A. lra.
  - apply gsat_sat. apply gsat_sat in H. eapply sat_mono; eauto.
Qed.

Lemma gsat_sum s a b d : a < INF -> b < INF -> gsat s (sum a b) d -> a + b < INF ->
  (if s || negb (Z.odd a) || negb (Z.odd b) then d < half a + half b else d <= half a + half b)%Q.
Proof.
  unfold sum, gsat. intros A B G AB.
  destruct (Z.leb_spec INF a); [lia|]. destruct (Z.leb_spec INF b); [lia|].
  pose proof (div2_eq a) as Ea; pose proof (div2_eq b) as Eb.
  remember (if Z.odd a || Z.odd b then a + b - 1 else a + b) as c eqn:Ec.
  pose proof (div2_eq c) as E.
  destruct G as [G|G]; [destruct (Z.odd a), (Z.odd b); simpl in Ec; lia|].
  destruct s, (Z.odd a), (Z.odd b); cbn [orb negb] in *;
  (destruct (Z.odd c); [try lia|try lia]);
  (pose proof (half_add a b c ltac:(lia)); cbn [orb negb] in *; lra).
Qed.

Definition okU (b : Q * bool) (w : Q) : Prop := (if snd b then w < fst b else w <= fst b)%Q.
Definition okL (b : Q * bool) (w : Q) : Prop := (if snd b then fst b < w else fst b <= w)%Q.
Definition fits (a b : Q * bool) : Prop :=
  (if snd a || snd b then fst a < fst b else fst a <= fst b)%Q.

Lemma top_L l : l <> [] -> exists a, In a l /\ forall w, okL a w -> forall b, In b l -> okL b w.
Proof.
  induction l as [|a l IH]; intro N; [congruence|].
  destruct l as [|c l].
  - exists a. split; [left; trivial|]. intros w O b [<-|[]]; trivial.
  - destruct IH as (t & I & T); [congruence|].
    destruct (Qlt_le_dec (fst t) (fst a)) as [L|L].
    + exists a. split; [left; trivial|]. intros w O b [<-|J]; trivial. apply T; trivial.
      unfold okL in *. destruct (snd a), (snd t); lra.
    + destruct (Qlt_le_dec (fst a) (fst t)) as [L'|L'].
      * exists t. split; [right; trivial|]. intros w O b [<-|J]; [|apply T; trivial].
        unfold okL in *. destruct (snd a), (snd t); lra.
      * destruct (snd a) eqn:Sa.
        -- exists a. split; [left; trivial|]. intros w O b [<-|J]; trivial. apply T; trivial.
           unfold okL in *. rewrite Sa in O. destruct (snd t); lra.
        -- exists t. split; [right; trivial|]. intros w O b [<-|J]; [|apply T; trivial].
           unfold okL in *. rewrite Sa. destruct (snd t); lra.
Qed.

Definition flip (b : Q * bool) : Q * bool := ((- fst b)%Q, snd b).
Lemma low_U l : l <> [] -> exists a, In a l /\ forall w, okU a w -> forall b, In b l -> okU b w.
Proof.
  intro N. destruct (top_L (map flip l)) as (t & I & T); [destruct l; simpl; congruence|].
  apply in_map_iff in I. destruct I as (a & <- & I). exists a. split; trivial.
  intros w O b J. specialize (T (- w)%Q).
  assert (A : okL (flip a) (- w)%Q) by (unfold okL, okU, flip in *; simpl; destruct (snd a); lra).
  specialize (T A (flip b) (in_map flip _ _ J)).
  unfold okL, okU, flip in *; simpl in *. destruct (snd b); lra.
Qed.

Lemma pick lo up : (forall a b, In a lo -> In b up -> fits a b) ->
  exists w, (forall a, In a lo -> okL a w) /\ (forall b, In b up -> okU b w).
Proof.
  intro F. destruct lo as [|a0 lo]; [destruct up as [|b0 up]|destruct up as [|b0 up]].
  - exists 0%Q. split; intros ? [].
  - destruct (low_U (b0 :: up)) as (b & I & B); [congruence|].
    exists (fst b - 1)%Q. split; [intros ? []|]. apply B. unfold okU. destruct (snd b); lra.
  - destruct (top_L (a0 :: lo)) as (a & I & A); [congruence|].
    exists (fst a + 1)%Q. split; [|intros ? []]. apply A. unfold okL. destruct (snd a); lra.
  - destruct (low_U (b0 :: up)) as (b & I & B); [congruence|].
    destruct (top_L (a0 :: lo)) as (a & J & A); [congruence|].
    specialize (F a b J I). unfold fits in F.
    destruct (snd a || snd b) eqn:S.
    + exists ((fst a + fst b) * (1 # 2))%Q. split; [apply A|apply B].
      * unfold okL. destruct (snd a); lra.
      * unfold okU. destruct (snd b); lra.
    + apply orb_false_elim in S. destruct S as [Sa Sb].
      exists (fst a). split; [apply A|apply B].
      * unfold okL. rewrite Sa. lra.
      * unfold okU. rewrite Sb. lra.
Qed.

Section Point.
Variable m : dbm.
Variable k : nat.
Hypothesis diagonal : forall i, (i < k)%nat -> at_ m i i = ONE.
Hypothesis triangle : forall i n j, (i < k)%nat -> (n < k)%nat -> (j < k)%nat ->
  at_ m i j <= sum (at_ m i n) (at_ m n j).
Hypothesis small_sums : forall i n j, (i < k)%nat -> (n < k)%nat -> (j < k)%nat ->
  at_ m i n < INF -> at_ m n j < INF -> at_ m i n + at_ m n j < INF.

(* Points that are not above or not below what the matrix says from there. *)
Record low := Low { w_i : nat; w_p : Q; w_s : bool }.
Record high := High { h_j : nat; h_a : Q }.
Definition agree (ls : list low) (hs : list high) : Prop :=
  forall l h, In l ls -> In h hs -> gsat (w_s l) (at_ m (w_i l) (h_j h)) (w_p l - h_a h)%Q.

Lemma extend n ls hs : (n < k)%nat ->
  (forall l, In l ls -> (w_i l < k)%nat) -> (forall h, In h hs -> (h_j h < k)%nat) -> agree ls hs ->
  exists w, agree (Low n w false :: ls) (High n w :: hs).
Proof.
  intros Nk Lk Hk A.
  set (lo := flat_map (fun l => if INF <=? at_ m (w_i l) n then [] else
     [((w_p l - half (at_ m (w_i l) n))%Q, w_s l || negb (Z.odd (at_ m (w_i l) n)))]) ls).
  set (up := flat_map (fun h => if INF <=? at_ m n (h_j h) then [] else
     [((h_a h + half (at_ m n (h_j h)))%Q, negb (Z.odd (at_ m n (h_j h))))]) hs).
  destruct (pick lo up) as (w & WL & WU).
  { intros a b Ia Ib. apply in_flat_map in Ia. destruct Ia as (l & Il & Ia).
    apply in_flat_map in Ib. destruct Ib as (h & Ih & Ib).
    destruct (Z.leb_spec INF (at_ m (w_i l) n)) as [|F1]; [destruct Ia|].
    destruct (Z.leb_spec INF (at_ m n (h_j h))) as [|F2]; [destruct Ib|].
    destruct Ia as [<-|[]]. destruct Ib as [<-|[]]. unfold fits; simpl.
    pose proof (gsat_mono _ _ _ _ (triangle _ n _ (Lk _ Il) Nk (Hk _ Ih)) (A _ _ Il Ih)) as G.
    apply gsat_sum in G; trivial; [|apply small_sums; auto].
    rewrite <- orb_assoc in G.
    destruct (w_s l), (Z.odd (at_ m (w_i l) n)), (Z.odd (at_ m n (h_j h))); simpl in *; lra. }
  exists w. intros l h [<-|Il] [<-|Ih]; cbn [w_s w_i w_p h_j h_a].
  - rewrite diagonal by trivial. right. unfold half, ONE; simpl. change (inject_Z 0) with 0%Q. lra.
  - unfold gsat. destruct (Z.leb_spec INF (at_ m n (h_j h))) as [|F]; [left; trivial|right].
    specialize (WU ((h_a h + half (at_ m n (h_j h)))%Q, negb (Z.odd (at_ m n (h_j h))))).
    assert (I : okU ((h_a h + half (at_ m n (h_j h)))%Q, negb (Z.odd (at_ m n (h_j h)))) w).
    { apply WU. apply in_flat_map. exists h; split; trivial.
      destruct (Z.leb_spec INF (at_ m n (h_j h))); [lia|left; trivial]. }
    unfold okU in I; simpl in *. destruct (Z.odd (at_ m n (h_j h))); simpl in *; lra.
  - unfold gsat. destruct (Z.leb_spec INF (at_ m (w_i l) n)) as [|F]; [left; trivial|right].
    assert (I : okL ((w_p l - half (at_ m (w_i l) n))%Q, w_s l || negb (Z.odd (at_ m (w_i l) n))) w).
    { apply WL. apply in_flat_map. exists l; split; trivial.
      destruct (Z.leb_spec INF (at_ m (w_i l) n)); [lia|left; trivial]. }
    unfold okL in I; simpl in *. destruct (w_s l), (Z.odd (at_ m (w_i l) n)); simpl in *; lra.
  - apply A; trivial.
Qed.

Lemma point_upto n : (n <= k)%nat -> forall ls hs,
  (forall l, In l ls -> (w_i l < k)%nat) -> (forall h, In h hs -> (h_j h < k)%nat) -> agree ls hs ->
  exists (w : nat -> Q) ls' hs', agree ls' hs' /\
    (forall l, In l ls' -> (w_i l < k)%nat) /\ (forall h, In h hs' -> (h_j h < k)%nat) /\
    (forall l, In l ls -> In l ls') /\ (forall h, In h hs -> In h hs') /\
    (forall i, (i < n)%nat -> In (Low i (w i) false) ls' /\ In (High i (w i)) hs').
Proof.
  induction n as [|n IH]; intros Nk ls hs Lk Hk A.
  - exists (fun _ => 0%Q), ls, hs. repeat (split; trivial); intros; lia.
  - destruct (IH ltac:(lia) ls hs Lk Hk A) as (w & ls' & hs' & A' & Lk' & Hk' & SL & SH & P).
    destruct (extend n ls' hs' ltac:(lia) Lk' Hk' A') as (x & E).
    exists (fun i => if (i =? n)%nat then x else w i), (Low n x false :: ls'), (High n x :: hs').
    split; [exact E|]. split; [intros l [<-|I]; [simpl; lia|auto]|].
    split; [intros h [<-|I]; [simpl; lia|auto]|].
    split; [intros; right; auto|]. split; [intros; right; auto|].
    intros i I. destruct (Nat.eqb_spec i n) as [->|NE]; [split; left; trivial|].
    destruct (P i ltac:(lia)). split; right; trivial.
Qed.

Theorem point ls hs : (forall l, In l ls -> (w_i l < k)%nat) ->
  (forall h, In h hs -> (h_j h < k)%nat) -> agree ls hs ->
  exists w : nat -> Q, (forall i j, (i < k)%nat -> (j < k)%nat -> sat (at_ m i j) (w i - w j)%Q) /\
    (forall l, In l ls -> okL (w_p l, w_s l) (w (w_i l))) /\
    (forall h, In h hs -> (w (h_j h) <= h_a h)%Q).
Proof.
  intros Lk Hk A. destruct (point_upto k (le_n k) ls hs Lk Hk A) as (w & ls' & hs' & A' & _ & _ & SL & SH & P).
  exists w. split; [|split].
  - intros i j I J. destruct (P i I) as [X _]. destruct (P j J) as [_ Y].
    specialize (A' _ _ X Y). apply gsat_sat. exact A'.
  - intros l I. destruct (P (w_i l) (Lk _ I)) as [_ Y]. specialize (A' _ _ (SL _ I) Y). simpl in A'.
    rewrite diagonal in A' by auto. unfold gsat, okL in *.
    destruct A' as [A'|A']; [unfold INF, ONE in A'; lia|]. unfold half, ONE in A'; simpl in *.
    change (inject_Z 0) with 0%Q in A'. destruct (w_s l); simpl in *; lra.
  - intros h I. destruct (P (h_j h) (Hk _ I)) as [X _]. specialize (A' _ _ X (SH _ I)). simpl in A'.
    rewrite diagonal in A' by auto. unfold gsat in *.
    destruct A' as [A'|A']; [unfold INF, ONE in A'; lia|]. unfold half, ONE in A'; simpl in *.
    change (inject_Z 0) with 0%Q in A'. lra.
Qed.
End Point.

(* ---- The preorder ---- *)

Inductive lu := NoBound | Bound (c : Z) | Infinite.
Definition above (l : lu) (x : Q) : Prop :=
  match l with NoBound => True | Bound c => (inject_Z c < x)%Q | Infinite => False end.
(* a is simulated by b *)
Definition sim1 (l u : lu) (a b : Q) : Prop :=
  ((a <= b)%Q \/ above l b) /\ ((b <= a)%Q \/ above u a).

(* As it is usually written. *)
Lemma sim1_usual l u a b : sim1 l u a b <->
  (a == b \/ (above l b /\ b < a) \/ (above u a /\ a < b))%Q.
Proof.
  unfold sim1. split.
  - intros [L U]. destruct (Qlt_le_dec a b) as [H|H]; [|destruct (Qlt_le_dec b a) as [H'|H']].
    + right; right. destruct U; [lra|auto].
    + right; left. destruct L; [lra|auto].
    + left. lra.
  - intros [E|[[A L]|[A L]]]; split; auto; left; lra.
Qed.

Lemma above_le l x y : (x <= y)%Q -> above l x -> above l y.
Proof. destruct l; simpl; trivial. intros; lra. Qed.

Lemma sim1_trans l u a b c : sim1 l u a b -> sim1 l u b c -> sim1 l u a c.
Proof.
  intros [L1 U1] [L2 U2]. split.
  - destruct L2 as [L2|L2]; [|auto]. destruct L1 as [L1|L1]; [left; lra|right].
    apply above_le with b; trivial.
  - destruct U1 as [U1|U1]; [|auto]. destruct U2 as [U2|U2]; [left; lra|right].
    apply above_le with b; trivial.
Qed.

Record bounds := Bounds { b_l : list lu; b_u : list lu;   (* from clock 1 on *)
                          b_d : list test }.               (* tests of differences that are kept *)
Definition lo_at (b : bounds) x := nth x (Bound 0 :: b_l b) NoBound.
Definition up_at (b : bounds) x := nth x (Bound 0 :: b_u b) NoBound.
Definition sim_clocks (b : bounds) (v w : valuation) : Prop :=
  forall x, sim1 (lo_at b (S x)) (up_at b (S x)) (v x) (w x).
Definition is_gap (t : test) : Prop := t_i t <> 0%nat /\ t_j t <> 0%nat.
Definition sim_gaps (ts : list test) (v w : valuation) : Prop := forall t, In t ts -> is_gap t -> meets t v -> meets t w.
Definition sim (b : bounds) (v w : valuation) : Prop := sim_clocks b v w /\ sim_gaps (b_d b) v w.

Lemma sim_trans b u v w : sim b u v -> sim b v w -> sim b u w.
Proof.
  intros [A A'] [B B']. split; [intro x; eapply sim1_trans; eauto|]. intros t I G M. auto.
Qed.

Lemma gap_delayed t d v : is_gap t -> meets t (delayed d v) <-> meets t v.
Proof.
  intros [I J]. unfold meets, diff. destruct (t_i t) as [|i]; [congruence|]. destruct (t_j t) as [|j]; [congruence|].
  cbn [val]. unfold delayed. split; apply sat_eq; lra.
Qed.
Lemma sim_delay b v w d : (0 <= d)%Q -> sim b v w -> sim b (delayed d v) (delayed d w).
Proof.
  intros P [S G]. split.
  - intro x. destruct (S x) as [L U]. unfold delayed. split.
    + destruct L; [left; lra|right]. eapply above_le; [|eassumption]; lra.
    + destruct U; [left; lra|right]. eapply above_le; [|eassumption]; lra.
  - intros t I D M. apply gap_delayed; trivial. apply (G t I D). apply (gap_delayed t d v D). exact M.
Qed.

(* ---- The criterion ---- *)

(* bound b of big, a of small, at y, x; z = small at 0, x *)
Definition cell_covered (l u : lu) (a b z : Z) : bool :=
  (a <=? b) ||
  match l, u with
  | NoBound, _ => true
  | _, NoBound => true
  | Infinite, Infinite => false
  | Infinite, Bound c => (z <? INF) && (z <? 1 - 2 * c)
  | Bound d, Infinite => (0 <=? d) && (z <=? sum b (-2 * d))
  | Bound d, Bound c => ((z <? INF) && (z <? 1 - 2 * c)) || ((0 <=? d) && (z <=? sum b (-2 * d)))
  end.

Fixpoint cells (l : lu) (us : list lu) (r s z : list Z) : bool :=
  match s with
  | [] => true
  | b :: s => cell_covered l (hd NoBound us) (hd INF r) b (hd INF z) && cells l (tl us) (tl r) s (tl z)
  end.
Fixpoint rows_covered (ls us : list lu) (m n : dbm) (z : list Z) : bool :=
  match n with
  | [] => true
  | s :: n => cells (hd NoBound ls) us (hd [] m) s z && rows_covered (tl ls) us (tl m) n z
  end.
Definition covered (b : bounds) (m n : dbm) : bool :=
  rows_covered (Bound 0 :: b_l b) (Bound 0 :: b_u b) m n (hd [] m).

Lemma nth_tl {A} (l : list A) k d : nth k (tl l) d = nth (S k) l d.
Proof. destruct l; [destruct k; reflexivity|reflexivity]. Qed.
Lemma nth_hd {A} (l : list A) d : hd d l = nth 0 l d.
Proof. destruct l; reflexivity. Qed.

Lemma cells_in s : forall l us r z, cells l us r s z = true -> forall x, (x < length s)%nat ->
  cell_covered l (nth x us NoBound) (nth x r INF) (nth x s INF) (nth x z INF) = true.
Proof.
  induction s as [|b s IH]; intros l us r z H x X; simpl in X; [lia|].
  cbn [cells] in H. apply andb_prop in H. destruct H as [H1 H2]. rewrite !nth_hd in H1.
  destruct x as [|x]; [exact H1|].
  specialize (IH _ _ _ _ H2 x ltac:(lia)). rewrite !nth_tl in IH. exact IH.
Qed.

Lemma rows_in n : forall ls us m z, rows_covered ls us m n z = true -> forall y, (y < length n)%nat ->
  cells (nth y ls NoBound) us (nth y m []) (nth y n []) z = true.
Proof.
  induction n as [|s n IH]; intros ls us m z H y Y; simpl in Y; [lia|].
  cbn [rows_covered] in H. apply andb_prop in H. destruct H as [H1 H2]. rewrite !nth_hd in H1.
  destruct y as [|y]; [exact H1|].
  specialize (IH _ _ _ _ H2 y ltac:(lia)). rewrite !nth_tl in IH. exact IH.
Qed.

(* Shape, and the least bounds. *)
Fixpoint row_below (r : list Z) (to : Z) (s : list Z) : bool :=
  match r, s with
  | a :: r, c :: s => (a <=? sum to c) && row_below r to s
  | _, _ => true
  end.
Definition moderate (r : Z) : bool := (INF <=? r) || (r <? 2 ^ 58).
Fixpoint row_tight (r0 r : list Z) (m : dbm) : bool :=   (* r0 = r at first: entries of the row *)
  match r, m with
  | to :: r, s :: m => row_below r0 to s && row_tight r0 r m
  | _, _ => true
  end.
Fixpoint diagonal_ok (i : nat) (m : dbm) : bool :=
  match m with
  | [] => true
  | r :: m => (nth i r INF =? ONE) && diagonal_ok (S i) m
  end.
Definition tight (k : nat) (m : dbm) : bool :=
  (length m =? k)%nat && forallb (fun r => (length r =? k)%nat && forallb moderate r) m &&
  diagonal_ok 0 m && forallb (fun r => row_tight r r m) m.

Lemma row_below_in r : forall to s, row_below r to s = true -> forall x, (x < length r)%nat ->
  (x < length s)%nat -> nth x r INF <= sum to (nth x s INF).
Proof.
  induction r as [|a r IH]; intros to s H x X Y; simpl in X; [lia|].
  destruct s as [|c s]; simpl in Y; [lia|]. cbn [row_below] in H. apply andb_prop in H.
  destruct H as [H1 H2]. destruct x as [|x]; [apply Z.leb_le; trivial|].
  apply (IH _ _ H2); lia.
Qed.
Lemma row_tight_in m : forall r0 r, row_tight r0 r m = true -> forall j, (j < length r)%nat ->
  (j < length m)%nat -> row_below r0 (nth j r INF) (nth j m []) = true.
Proof.
  induction m as [|s m IH]; intros r0 r H j J K; simpl in K; [lia|].
  destruct r as [|to r]; simpl in J; [lia|]. cbn [row_tight] in H. apply andb_prop in H.
  destruct H as [H1 H2]. destruct j as [|j]; [trivial|]. apply (IH _ _ H2); lia.
Qed.
Lemma diagonal_in m : forall i, diagonal_ok i m = true -> forall j, (j < length m)%nat ->
  nth (i + j) (nth j m []) INF = ONE.
Proof.
  induction m as [|r m IH]; intros i H j J; simpl in J; [lia|].
  cbn [diagonal_ok] in H. apply andb_prop in H. destruct H as [H1 H2].
  destruct j as [|j]; simpl; [rewrite Nat.add_0_r; apply Z.eqb_eq; trivial|].
  rewrite <- (IH _ H2 j) by lia. f_equal. lia.
Qed.

Lemma tight_means k m : tight k m = true ->
  length m = k /\ (forall i, (i < k)%nat -> length (nth i m []) = k) /\
  (forall i, (i < k)%nat -> at_ m i i = ONE) /\
  (forall i n j, (i < k)%nat -> (n < k)%nat -> (j < k)%nat ->
     at_ m i j <= sum (at_ m i n) (at_ m n j)) /\
  (forall i n j, (i < k)%nat -> (n < k)%nat -> (j < k)%nat ->
     at_ m i n < INF -> at_ m n j < INF -> at_ m i n + at_ m n j < INF).
Proof.
  intro T. unfold tight in T. apply andb_prop in T. destruct T as [T T4].
  apply andb_prop in T. destruct T as [T T3]. apply andb_prop in T. destruct T as [T1 T2].
  apply Nat.eqb_eq in T1. rewrite forallb_forall in T2, T4.
  assert (R : forall i, (i < k)%nat -> In (nth i m []) m) by (intros; apply nth_In; lia).
  assert (Len : forall i, (i < k)%nat -> length (nth i m []) = k).
  { intros i I. specialize (T2 _ (R i I)). apply andb_prop in T2. apply Nat.eqb_eq. tauto. }
  assert (Mod : forall i j, (i < k)%nat -> (j < k)%nat -> INF <= at_ m i j \/ at_ m i j < 2 ^ 58).
  { intros i j I J. specialize (T2 _ (R i I)). apply andb_prop in T2. destruct T2 as [_ T2].
    rewrite forallb_forall in T2. specialize (T2 (at_ m i j)).
    assert (X : In (at_ m i j) (nth i m [])) by (apply nth_In; rewrite Len; trivial).
    specialize (T2 X). unfold moderate in T2. apply orb_prop in T2.
    destruct T2 as [H|H]; [left; apply Z.leb_le|right; apply Z.ltb_lt]; trivial. }
  repeat split; trivial.
  - intros i I. apply (diagonal_in m 0 T3 i). lia.
  - intros i n j I N J. pose proof (T4 _ (R i I)) as H.
    pose proof (row_tight_in _ _ _ H n ltac:(rewrite Len; trivial) ltac:(lia)) as B.
    apply (row_below_in _ _ _ B j); rewrite Len; trivial.
  - intros i n j I N J A B. destruct (Mod i n I N); [lia|]. destruct (Mod n j N J); [lia|].
    unfold INF. lia.
Qed.

Lemma gsat_strict r d e : (d < e)%Q -> sat r e -> gsat true r d.
Proof.
  intros L [H|H]; [left; trivial|right]. simpl. destruct (Z.odd r); lra.
Qed.
Lemma sat_gsat_true r d : gsat true r d -> sat r d.
Proof. intros [H|H]; [left; trivial|right]. simpl in H. destruct (Z.odd r); lra. Qed.

Lemma gsat_sum_even a c d : 0 <= c -> sat (sum a (-2 * c)) d -> gsat true a (d + inject_Z c)%Q.
Proof.
  unfold sum. intros P S. destruct (Z.leb_spec INF a) as [|La]; [left; trivial|right]. cbn [orb].
  destruct (Z.leb_spec INF (-2 * c)) as [B|B]; [unfold INF in B; lia|].
  assert (O : Z.odd (-2 * c) = false).
  { pose proof (div2_eq (-2 * c)) as H. destruct (Z.odd (-2 * c)); [lia|trivial]. }
  rewrite O, orb_false_r in S. pose proof (div2_eq a) as E.
  set (t := if Z.odd a then a + -2 * c - 1 else a + -2 * c) in *.
  assert (T : t = 2 * (Z.div2 a - c)) by (unfold t; destruct (Z.odd a); lia).
  pose proof (div2_eq t) as Et. assert (Ta : t <= a) by (clear S; destruct (Z.odd a); lia).
  destruct S as [S|S]; [lia|].
  destruct (Z.odd t); [lia|]. unfold half in *.
  replace (Z.div2 t) with (Z.div2 a + - c) in S by lia.
  rewrite inject_Z_plus, inject_Z_opp in S. lra.
Qed.

Lemma sat_minus r c d : r < 1 - 2 * c -> r < INF -> sat r (- d)%Q -> (inject_Z c < d)%Q.
Proof.
  intros L F S. assert (S' : sat (2 * - c) (- d)%Q).
  { destruct S as [S|S]; [lia|]. apply sat_mono with r; [lia|right; trivial]. }
  pose proof (div2_eq (2 * - c)) as E.
  destruct (Z_le_gt_dec INF (2 * - c)) as [B|B].
  - (* a bound so low is never used; keep it simple *)
    destruct S as [S|S]; [lia|]. unfold half in S. pose proof (div2_eq r) as Er.
    destruct (Z.odd r).
    + assert (A : Z.div2 r < - c) by lia. apply inj_lt in A. rewrite inject_Z_opp in A. lra.
    + assert (A : Z.div2 r <= - c) by lia. apply inj_le in A. rewrite inject_Z_opp in A. lra.
  - destruct S' as [S'|S']; [lia|]. unfold half in S'. destruct (Z.odd (2 * - c)); [lia|].
    replace (Z.div2 (2 * - c)) with (- c) in S' by lia. rewrite inject_Z_opp in S'. lra.
Qed.

Section Covered.
Variable b : bounds.
Variable k : nat.
Variable m n : dbm.                      (* is m covered by n? *)
Hypothesis n_tight : tight k n = true.
Hypothesis m_covered : covered b m n = true.
Variable v : valuation.
Hypothesis m_has : dsat m v.

Definition lows (y : nat) : list low :=
  match lo_at b y with
  | NoBound => []
  | Bound c => if Qlt_le_dec (inject_Z c) (val v y) then [Low y (inject_Z c) true] else [Low y (val v y) false]
  | Infinite => [Low y (val v y) false]
  end.
Definition highs (x : nat) : list high :=
  match up_at b x with
  | NoBound => []
  | Bound c => if Qlt_le_dec (inject_Z c) (val v x) then [] else [High x (val v x)]
  | Infinite => [High x (val v x)]
  end.

Lemma cell y x : (y < k)%nat -> (x < k)%nat ->
  cell_covered (lo_at b y) (up_at b x) (at_ m y x) (at_ n y x) (at_ m 0 x) = true.
Proof.
  intros Y X. destruct (tight_means _ _ n_tight) as (Ln & Lr & _).
  unfold covered in m_covered.
  pose proof (rows_in _ _ _ _ _ m_covered y ltac:(lia)) as H.
  pose proof (cells_in _ _ _ _ _ H x ltac:(rewrite Lr; trivial)) as C.
  rewrite nth_hd in C. exact C.
Qed.

Lemma agree_pair y x l h : (y < k)%nat -> (x < k)%nat -> In l (lows y) -> In h (highs x) ->
  gsat (w_s l) (at_ n (w_i l) (h_j h)) (w_p l - h_a h)%Q.
Proof.
  intros Y X Il Ih. pose proof (cell y x Y X) as C. unfold cell_covered in C.
  pose proof (m_has y x) as Syx. pose proof (m_has 0%nat x) as S0x. unfold diff in *.
  simpl val in S0x at 1.
  assert (Hh : h = High x (val v x) /\ up_at b x <> NoBound /\
               (forall c, up_at b x = Bound c -> (val v x <= inject_Z c)%Q)).
  { unfold highs in Ih. destruct (up_at b x) as [|c|]; [destruct Ih| |].
    - destruct (Qlt_le_dec (inject_Z c) (val v x)); [destruct Ih|]. destruct Ih as [<-|[]].
      split; [trivial|split; [congruence|]]. intros c' E. injection E as <-. trivial.
    - destruct Ih as [<-|[]]. split; [trivial|split; congruence]. }
  destruct Hh as (-> & NU & HU). cbn [h_j h_a].
  assert (Hl : w_i l = y /\ lo_at b y <> NoBound /\
    ((w_s l = false /\ w_p l = val v y /\
        (forall c, lo_at b y = Bound c -> (val v y <= inject_Z c)%Q)) \/
     (w_s l = true /\ exists c, lo_at b y = Bound c /\ w_p l = inject_Z c /\ (inject_Z c < val v y)%Q))).
  { unfold lows in Il. destruct (lo_at b y) as [|c|]; [destruct Il| |].
    - destruct (Qlt_le_dec (inject_Z c) (val v y)); destruct Il as [<-|[]]; simpl.
      + split; [trivial|split; [congruence|right; split; [trivial|eauto]]].
      + split; [trivial|split; [congruence|left]]. split; [trivial|split; [trivial|]].
        intros c' E. injection E as <-. trivial.
    - destruct Il as [<-|[]]. simpl. split; [trivial|split; [congruence|left]].
      split; [trivial|split; [trivial|congruence]]. }
  destruct Hl as (Wi & NL & Hl). rewrite Wi.
  (* the old bound is enough *)
  apply orb_prop in C. destruct C as [C|C].
  { apply Z.leb_le in C. apply (sat_mono _ _ _ C) in Syx.
    destruct Hl as [(-> & -> & _)|(-> & c & _ & -> & L)]; [apply gsat_sat; trivial|].
    eapply gsat_strict; [|exact Syx]. lra. }
  (* or x is larger than U in all of m *)
  assert (Low : forall c, up_at b x = Bound c ->
    (at_ m 0 x <? INF) && (at_ m 0 x <? 1 - 2 * c) = true -> False).
  { intros c E L. apply andb_prop in L. destruct L as [B L]. apply Z.ltb_lt in B, L.
    assert (A : (inject_Z c < val v x)%Q).
    { apply sat_minus with (at_ m 0 x); trivial. eapply sat_eq; [|exact S0x]. lra. }
    specialize (HU _ E). lra. }
  (* or lowering y to L keeps it inside *)
  assert (Lowered : forall c, lo_at b y = Bound c -> 0 <= c -> at_ m 0 x <= sum (at_ n y x) (-2 * c) ->
    gsat (w_s l) (at_ n y x) (w_p l - val v x)%Q).
  { intros c E P L. apply (sat_mono _ _ _ L) in S0x. apply gsat_sum_even in S0x; trivial.
    destruct Hl as [(-> & -> & HL)|(-> & c' & E' & -> & G)].
    - specialize (HL _ E). destruct S0x as [S0x|S0x]; [left; trivial|right]. cbn [orb] in *.
      destruct (Z.odd (at_ n y x)); simpl; lra.
    - rewrite E in E'. injection E' as <-. destruct S0x as [S0x|S0x]; [left; trivial|right].
      cbn [orb] in *. lra. }
  destruct (lo_at b y) as [|d|] eqn:EL; [congruence| |];
  destruct (up_at b x) as [|c|] eqn:EU; try congruence.
  - apply orb_prop in C. destruct C as [C|C].
    + destruct (Low c eq_refl C).
    + apply andb_prop in C. destruct C as [P C]. apply Z.leb_le in P, C. apply (Lowered d); trivial.
  - apply andb_prop in C. destruct C as [P C]. apply Z.leb_le in P, C. apply (Lowered d); trivial.
  - destruct (Low c eq_refl C).
Qed.

Theorem covered_sound : exists w, dsat n w /\ sim_clocks b v w.
Proof.
  destruct (tight_means _ _ n_tight) as (Ln & Lr & Di & Tr & Sm).
  destruct (point n k Di Tr Sm (flat_map lows (seq 0 k)) (flat_map highs (seq 0 k)))
    as (w & W & WL & WH).
  - intros l I. apply in_flat_map in I. destruct I as (y & Y & I). apply in_seq in Y.
    assert (w_i l = y); [|lia]. unfold lows in I.
    destruct (lo_at b y); [destruct I| |destruct I as [<-|[]]; trivial].
    destruct (Qlt_le_dec _ _); destruct I as [<-|[]]; trivial.
  - intros h I. apply in_flat_map in I. destruct I as (y & Y & I). apply in_seq in Y.
    assert (h_j h = y); [|lia]. unfold highs in I.
    destruct (up_at b y); [destruct I| |destruct I as [<-|[]]; trivial].
    destruct (Qlt_le_dec _ _); [destruct I|]. destruct I as [<-|[]]; trivial.
  - intros l h Il Ih. apply in_flat_map in Il. destruct Il as (y & Y & Il).
    apply in_flat_map in Ih. destruct Ih as (x & X & Ih). apply in_seq in Y, X.
    apply (agree_pair y x); trivial; lia.
  - (* the point, with clock 0 at 0 and clocks beyond k as they were *)
    assert (Z0 : (0 < k)%nat -> (w 0%nat == 0)%Q).
    { intro K. assert (I0 : In 0%nat (seq 0 k)) by (apply in_seq; lia).
      assert (A : okL (0%Q, false) (w 0%nat)).
      { apply (WL (Low 0 0%Q false)). apply in_flat_map. exists 0%nat; split; trivial.
        unfold lows, lo_at; simpl. destruct (Qlt_le_dec (inject_Z 0) 0) as [B|B]; [|left; trivial].
        exfalso. change (inject_Z 0) with 0%Q in B. lra. }
      assert (B : (w 0%nat <= 0)%Q).
      { apply (WH (High 0 0%Q)). apply in_flat_map. exists 0%nat; split; trivial.
        unfold highs, up_at; simpl. destruct (Qlt_le_dec (inject_Z 0) 0) as [B|B]; [|left; trivial].
        exfalso. change (inject_Z 0) with 0%Q in B. lra. }
      unfold okL in A; simpl in A. lra. }
    exists (fun x => if (S x <? k)%nat then w (S x) else v x). split.
    + intros i j. destruct (Nat.lt_ge_cases i k) as [I|I].
      2: { apply sat_inf. unfold at_. rewrite (nth_overflow n []) by lia. rewrite nth_nil. lia. }
      destruct (Nat.lt_ge_cases j k) as [J|J].
      2: { apply sat_inf. unfold at_. rewrite nth_overflow; [lia|rewrite Lr; trivial]. }
      specialize (Z0 ltac:(lia)).
      assert (V : forall x, (x < k)%nat ->
        (val (fun x => if (S x <? k)%nat then w (S x) else v x) x == w x)%Q).
      { intros [|x] X; cbn [val]; [rewrite Z0; reflexivity|].
        destruct (Nat.ltb_spec (S x) k); [reflexivity|lia]. }
      eapply sat_eq; [|apply (W i j I J)]. unfold diff. rewrite (V i I), (V j J). reflexivity.
    + intros x. destruct (Nat.ltb_spec (S x) k) as [X|X].
      2: { split; left; lra. }
      assert (IX : In (S x) (seq 0 k)) by (apply in_seq; lia).
      split.
      * destruct (lo_at b (S x)) as [|c|] eqn:E; [right; exact I| |].
        -- destruct (Qlt_le_dec (inject_Z c) (v x)) as [L|L].
           ++ right. simpl.
              assert (A : okL (inject_Z c, true) (w (S x))).
              { apply (WL (Low (S x) (inject_Z c) true)). apply in_flat_map. exists (S x); split; trivial.
                unfold lows. rewrite E. cbn [val]. destruct (Qlt_le_dec (inject_Z c) (v x)); [left; trivial|].
                exfalso; lra. }
              exact A.
           ++ left. assert (A : okL (v x, false) (w (S x))).
              { apply (WL (Low (S x) (v x) false)). apply in_flat_map. exists (S x); split; trivial.
                unfold lows. rewrite E. cbn [val]. destruct (Qlt_le_dec (inject_Z c) (v x)); [|left; trivial].
                exfalso; lra. }
              exact A.
        -- left. assert (A : okL (v x, false) (w (S x))).
           { apply (WL (Low (S x) (v x) false)). apply in_flat_map. exists (S x); split; trivial.
             unfold lows. rewrite E. left; trivial. }
           exact A.
      * destruct (up_at b (S x)) as [|c|] eqn:E; [right; exact I| |].
        -- destruct (Qlt_le_dec (inject_Z c) (v x)) as [L|L]; [right; exact L|left].
           apply (WH (High (S x) (v x))). apply in_flat_map. exists (S x); split; trivial.
           unfold highs. rewrite E. cbn [val]. destruct (Qlt_le_dec (inject_Z c) (v x)); [|left; trivial].
           exfalso; lra.
        -- left. apply (WH (High (S x) (v x))). apply in_flat_map. exists (S x); split; trivial.
           unfold highs. rewrite E. left; trivial.
Qed.
End Covered.

(* ---- With differences ---- *)

Fixpoint row_included (r s : list Z) : bool :=
  match s with [] => true | b :: s => (hd INF r <=? b) && row_included (tl r) s end.
Fixpoint included (m n : dbm) : bool :=
  match n with [] => true | s :: n => row_included (hd [] m) s && included (tl m) n end.
Lemma row_included_in s : forall r, row_included r s = true -> forall j, nth j r INF <= nth j s INF \/ INF <= nth j s INF.
Proof.
  induction s as [|b s IH]; intros r H j; [right; rewrite nth_nil; lia|]. cbn [row_included] in H.
  apply andb_prop in H. destruct H as [H1 H2]. apply Z.leb_le in H1. rewrite nth_hd in H1.
  destruct j as [|j]; [left; exact H1|]. specialize (IH _ H2 j). rewrite nth_tl in IH. exact IH.
Qed.
Lemma included_sound n : forall m v, included m n = true -> dsat m v -> dsat n v.
Proof.
  intros m v H D i j.
  assert (R : row_included (nth i m []) (nth i n []) = true).
  { clear D. revert m i H. induction n as [|s n IH]; intros m i H; [destruct i; reflexivity|]. cbn [included] in H.
    apply andb_prop in H. destruct H as [H1 H2]. rewrite nth_hd in H1. destruct i as [|i]; [exact H1|].
    specialize (IH _ i H2). rewrite nth_tl in IH. exact IH. }
  destruct (row_included_in _ _ R j) as [L|L]; [eapply sat_mono; [exact L|apply D]|apply sat_inf; exact L].
Qed.

(* Where m meets a test, n has to; elsewhere it asks nothing. So m is cut in two at each test that it may meet and n may
   not, at most `depth` times; it is looked at whether parts of n are tight. *)
Definition missed (m : dbm) (t : test) : bool := sum (at_ m (t_j t) (t_i t)) (t_bound t) <? ONE.
Fixpoint covered_gaps (depth k : nat) (ts : list test) (b : bounds) (m n : dbm) : bool :=
  included m n ||
  match ts with
  | [] => covered b m n && tight k n
  | t :: ts =>
    if (at_ n (t_i t) (t_j t) <=? t_bound t) || missed m t then covered_gaps depth k ts b m n
    else
      match depth with
      | O => false
      | S depth =>
        match constrain m t with
        | None => true
        | Some m1 =>
          match constrain n t with
          | None => false
          | Some n1 => (at_ n1 (t_i t) (t_j t) <=? t_bound t) && included n1 n && covered_gaps depth k ts b m1 n1
          end
        end &&
        match constrain m (negated t) with None => true | Some m2 => covered_gaps depth k ts b m2 n end
      end
  end.
Definition most_splits : nat := 12.
Definition covered_by (b : bounds) (m n : dbm) : bool :=
  match b_d b with [] => covered b m n | ts => covered_gaps most_splits (length n) ts b m n end.

Lemma meets_dec t v : meets t v \/ ~ meets t v.
Proof. apply sat_dec. Qed.

Lemma sim_clocks_refl b v : sim_clocks b v v.
Proof. intro x. split; left; lra. Qed.

Lemma covered_gaps_sound k b ts : forall depth m n v, covered_gaps depth k ts b m n = true -> dsat m v ->
  exists w, dsat n w /\ sim_clocks b v w /\ forall t, In t ts -> meets t v -> meets t w.
Proof.
  assert (I : forall (l : list test) m n v, included m n = true -> dsat m v ->
    exists w, dsat n w /\ sim_clocks b v w /\ forall t, In t l -> meets t v -> meets t w).
  { intros l m n v H D. exists v. split; [eapply included_sound; eauto|]. split; [apply sim_clocks_refl|auto]. }
  induction ts as [|t ts IH]; intros depth m n v C D; cbn [covered_gaps] in C.
  - apply orb_prop in C. destruct C as [C|C]; [exact (I _ _ _ _ C D)|]. apply andb_prop in C. destruct C as [C T].
    destruct (covered_sound b k m n T C v D) as (w & W & S). exists w. split; [trivial|split; [trivial|intros t []]].
  - destruct depth as [|depth]; (apply orb_prop in C; destruct C as [C|C]; [exact (I _ _ _ _ C D)|]);
      (destruct ((at_ n (t_i t) (t_j t) <=? t_bound t) || missed m t) eqn:E;
       [destruct (IH _ _ _ _ C D) as (w & W & S & A); exists w; split; [trivial|split; [trivial|]];
        intros u [<-|J] M; [|auto]; apply orb_prop in E; destruct E as [E|E];
        [apply Z.leb_le in E; eapply sat_mono; [exact E|apply W]|
         exfalso; unfold missed in E; apply Z.ltb_lt in E;
         assert (ONE <= sum (at_ m (t_j t) (t_i t)) (t_bound t)); [|lia];
         apply sat_zero; eapply sat_eq; [|apply sat_sum; [apply D|exact M]]; unfold diff; lra]|]).
    + discriminate.
    + apply andb_prop in C. destruct C as [C1 C2]. destruct (meets_dec t v) as [M|M].
      * destruct (constrain_sound _ t _ D M) as (m1 & E1 & D1). rewrite E1 in C1.
        destruct (constrain n t) as [n1|]; [|discriminate]. apply andb_prop in C1. destruct C1 as [C1 C3].
        apply andb_prop in C1. destruct C1 as [B In1]. destruct (IH _ _ _ _ C3 D1) as (w & W & S & A).
        exists w. split; [eapply included_sound; eauto|split; [trivial|]]. intros u [<-|J] Mu; [|auto].
        apply Z.leb_le in B. eapply sat_mono; [exact B|apply W].
      * destruct (constrain_sound _ (negated t) _ D (negated_meets _ _ M)) as (m2 & E2 & D2). rewrite E2 in C2.
        destruct (IH _ _ _ _ C2 D2) as (w & W & S & A). exists w. split; [trivial|split; [trivial|]].
        intros u [<-|J] Mu; [contradiction|auto].
Qed.

Theorem covered_by_sound b k m n v : tight k n = true -> covered_by b m n = true -> dsat m v ->
  exists w, dsat n w /\ sim b v w.
Proof.
  intros T C D. unfold covered_by in C. destruct (b_d b) as [|t ts] eqn:E.
  - destruct (covered_sound b k m n T C v D) as (w & W & S). exists w. split; [trivial|split; [trivial|]].
    rewrite E. intros t [].
  - destruct (covered_gaps_sound _ _ _ _ _ _ _ C D) as (w & W & S & A). exists w. split; [trivial|split; [trivial|]].
    rewrite E. intros u I _. auto.
Qed.
