(* Bounds and difference bound matrices. Every operation is only shown to over-approximate,
   which is all that a checker of certificates needs. *)
From Coq Require Import List ZArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec.
Import ListNotations.
Open Scope Z_scope.

(* 2c + 1: difference <= c; 2c: difference < c; INF and above: nothing is said. *)
Definition INF : Z := 2 ^ 60.
Definition ONE : Z := 1.  (* <= 0 *)

Definition half (r : Z) : Q := inject_Z (Z.div2 r).
Definition sat (r : Z) (d : Q) : Prop :=
  INF <= r \/ (if Z.odd r then d <= half r else d < half r)%Q.

Definition sum (a b : Z) : Z :=
  if INF <=? a then INF else if INF <=? b then INF
  else if Z.odd a || Z.odd b then a + b - 1 else a + b.
Definition shift (r c : Z) : Z := if INF <=? r then INF else r + 2 * c.
Definition within (c : Z) : Z := 2 * c + 1.

Lemma div2_eq r : r = 2 * Z.div2 r + (if Z.odd r then 1 else 0).
Proof. exact (Z.div2_odd r). Qed.

Lemma inj_le a b : a <= b -> (inject_Z a <= inject_Z b)%Q.
Proof. rewrite <- Zle_Qle. trivial. Qed.
Lemma inj_lt a b : a < b -> (inject_Z a < inject_Z b)%Q.
Proof. rewrite <- Zlt_Qlt. trivial. Qed.

Lemma sat_mono r r' d : r <= r' -> sat r d -> sat r' d.
Proof.
  unfold sat, half. intros L [H|H]; [left; lia|].
  destruct (Z_le_gt_dec INF r'); [left; lia|right].
  pose proof (div2_eq r) as E; pose proof (div2_eq r') as E'.
  destruct (Z.odd r), (Z.odd r').
  - assert (A : Z.div2 r <= Z.div2 r') by lia. apply inj_le in A. lra.
  - assert (A : Z.div2 r < Z.div2 r') by lia. apply inj_lt in A. lra.
  - assert (A : Z.div2 r <= Z.div2 r') by lia. apply inj_le in A. lra.
  - assert (A : Z.div2 r <= Z.div2 r') by lia. apply inj_le in A. lra.
Qed.

Lemma sat_eq r d d' : (d == d')%Q -> sat r d -> sat r d'.
Proof. unfold sat. intros E [H|H]; [left; trivial|right]. destruct (Z.odd r); lra. Qed.

Lemma sat_inf r d : INF <= r -> sat r d.
Proof. left; trivial. Qed.

Lemma half_add a b c : Z.div2 a + Z.div2 b = Z.div2 c -> (half a + half b == half c)%Q.
Proof. unfold half. intros <-. rewrite inject_Z_plus. reflexivity. Qed.

Lemma sat_sum a b d e : sat a d -> sat b e -> sat (sum a b) (d + e)%Q.
Proof.
  unfold sum. intros A B.
  destruct (Z.leb_spec INF a); [apply sat_inf; lia|].
  destruct (Z.leb_spec INF b); [apply sat_inf; lia|].
  destruct A as [A|A]; [lia|]. destruct B as [B|B]; [lia|].
  pose proof (div2_eq a) as Ea; pose proof (div2_eq b) as Eb.
  remember (if Z.odd a || Z.odd b then a + b - 1 else a + b) as c eqn:Ec.
  right. pose proof (div2_eq c) as E.
  destruct (Z.odd a), (Z.odd b); simpl in Ec;
  (destruct (Z.odd c); [try lia|try lia]);
  (pose proof (half_add a b c ltac:(lia)); lra).
Qed.

Lemma sat_shift r c d : sat r d -> sat (shift r c) (d + inject_Z c)%Q.
Proof.
  unfold shift. intros A. destruct (Z.leb_spec INF r); [apply sat_inf; lia|].
  destruct A as [A|A]; [lia|right].
  pose proof (div2_eq r) as Ea; pose proof (div2_eq (r + 2 * c)) as E.
  assert (H1 : Z.div2 (r + 2 * c) = Z.div2 r + c)
    by (destruct (Z.odd r), (Z.odd (r + 2 * c)); lia).
  assert (H2 : Z.odd (r + 2 * c) = Z.odd r)
    by (destruct (Z.odd r), (Z.odd (r + 2 * c)); trivial; lia).
  unfold half in *. rewrite H1, H2, inject_Z_plus. destruct (Z.odd r); lra.
Qed.

Lemma sat_within c d : (d <= inject_Z c)%Q -> sat (within c) d.
Proof.
  intro H. right. unfold within, half. pose proof (div2_eq (2 * c + 1)) as E.
  destruct (Z.odd (2 * c + 1)); [|lia]. replace (Z.div2 (2 * c + 1)) with c by lia. lra.
Qed.

Lemma sat_zero r : sat r 0 -> ONE <= r.
Proof.
  unfold ONE. intros [A|A]; [unfold INF in A; lia|]. unfold half in A.
  pose proof (div2_eq r) as E. destruct (Z_lt_le_dec r 1); [exfalso|lia].
  destruct (Z.odd r).
  - assert (H : Z.div2 r < 0) by lia. apply inj_lt in H. change (inject_Z 0) with 0%Q in H. lra.
  - assert (H : Z.div2 r <= 0) by lia. apply inj_le in H. change (inject_Z 0) with 0%Q in H. lra.
Qed.

Definition diff v i j : Q := (val v i - val v j)%Q.

Lemma same_val v w : same v w -> forall i, (val v i == val w i)%Q.
Proof. intros S [|n]; simpl; [lra|apply S]. Qed.

Definition dbm := list (list Z).
Definition at_ (m : dbm) (i j : nat) : Z := nth j (nth i m []) INF.
Definition dsat (m : dbm) (v : valuation) : Prop := forall i j, sat (at_ m i j) (diff v i j).

Lemma dsat_same m v w : same v w -> dsat m v -> dsat m w.
Proof.
  intros S D i j. apply sat_eq with (diff v i j); [|apply D].
  unfold diff. pose proof (same_val _ _ S i); pose proof (same_val _ _ S j). lra.
Qed.

(* x_i - x_j < or <= c *)
Record test := Test { t_i : nat; t_j : nat; t_bound : Z }.
Definition meets (t : test) (v : valuation) : Prop := sat (t_bound t) (diff v (t_i t) (t_j t)).
Definition all_hold (ts : list test) v : Prop := forall t, In t ts -> meets t v.

Lemma all_hold_same ts v w : same v w -> all_hold ts v -> all_hold ts w.
Proof.
  intros S A t I. apply sat_eq with (diff v (t_i t) (t_j t)); [|apply A; trivial].
  unfold diff. pose proof (same_val _ _ S (t_i t)); pose proof (same_val _ _ S (t_j t)). lra.
Qed.

(* Intersection. *)
Fixpoint row_min (to : Z) (r s : list Z) : list Z :=
  match r, s with
  | a :: r', c :: s' => (let w := sum to c in if w <? a then w else a) :: row_min to r' s'
  | _, _ => r
  end.

Lemma row_min_sat to r s (f : nat -> Q) (g : Q) (h : nat -> Q) :
  (forall k, sat (nth k r INF) (f k)) -> sat to g -> (forall k, sat (nth k s INF) (h k)) ->
  (forall k, (f k == g + h k)%Q) -> forall k, sat (nth k (row_min to r s) INF) (f k).
Proof.
  revert s f h. induction r as [|a r IH]; intros s f h R T W E k; simpl.
  - apply (R k).
  - destruct s as [|c s]; [apply R|]. destruct k as [|k]; simpl.
    + destruct (Z.ltb_spec (sum to c) a); [|apply (R 0%nat)].
      apply sat_eq with (g + h 0%nat)%Q; [rewrite E; reflexivity|].
      apply sat_sum; [trivial|apply (W 0%nat)].
    + apply (IH s (fun k => f (S k)) (fun k => h (S k))); intros; trivial.
      * apply (R (S k0)).
      * apply (W (S k0)).
Qed.

Definition constrain (m : dbm) (t : test) : option dbm :=
  let i := t_i t in let j := t_j t in let b := t_bound t in
  if at_ m i j <=? b then Some m
  else if sum (at_ m j i) b <? ONE then None
  else
    let rj := nth j m [] in
    Some (map (fun row => let to := sum (nth i row INF) b in
                          if INF <=? to then row else row_min to row rj) m).

Lemma nth_map_row (f : list Z -> list Z) m i k :
  nth k (nth i (map f m) []) INF = nth k (if (i <? length m)%nat then f (nth i m []) else []) INF.
Proof.
  destruct (Nat.ltb_spec i (length m)).
  - rewrite nth_indep with (d' := f []); [rewrite map_nth; reflexivity|].
    rewrite map_length; trivial.
  - rewrite (nth_overflow (map f m)); [reflexivity|rewrite map_length; trivial].
Qed.

Lemma nth_nil k : nth k (@nil Z) INF = INF.
Proof. destruct k; reflexivity. Qed.

Lemma constrain_sound m t v : dsat m v -> meets t v ->
  exists m', constrain m t = Some m' /\ dsat m' v.
Proof.
  intros D H. unfold constrain. destruct (at_ m (t_i t) (t_j t) <=? t_bound t); [eauto|].
  destruct (Z.ltb_spec (sum (at_ m (t_j t) (t_i t)) (t_bound t)) ONE) as [L|L].
  - exfalso. assert (ONE <= sum (at_ m (t_j t) (t_i t)) (t_bound t)); [|lia].
    apply sat_zero. eapply sat_eq; [|apply sat_sum; [apply D|apply H]]. unfold diff. lra.
  - eexists; split; [reflexivity|]. intros i k. unfold at_. rewrite nth_map_row.
    destruct (i <? length m)%nat; [|rewrite nth_nil; apply sat_inf; lia].
    set (to := sum (nth (t_i t) (nth i m []) INF) (t_bound t)).
    destruct (INF <=? to); [apply D|].
    apply row_min_sat with (f := fun k => diff v i k) (g := (diff v i (t_j t))%Q)
                           (h := fun k => diff v (t_j t) k).
    + intro; apply D.
    + eapply sat_eq; [|apply sat_sum; [apply D|apply H]]. unfold diff. lra.
    + intro; apply D.
    + intro; unfold diff; lra.
Qed.

Fixpoint constrain_all (m : dbm) (ts : list test) : option dbm :=
  match ts with
  | [] => Some m
  | t :: ts => match constrain m t with None => None | Some m' => constrain_all m' ts end
  end.

Lemma constrain_all_sound ts : forall m v, dsat m v -> all_hold ts v ->
  exists m', constrain_all m ts = Some m' /\ dsat m' v.
Proof.
  induction ts as [|t ts IH]; intros m v D A; simpl; [eauto|].
  destruct (constrain_sound m t v D (A t (or_introl eq_refl))) as (m' & E & D').
  rewrite E. apply IH; trivial. intros u I; apply A; right; trivial.
Qed.

Lemma sat_down r d e : (e <= d)%Q -> sat r d -> sat r e.
Proof. unfold sat. intros L [H|H]; [auto|right]. destruct (Z.odd r); lra. Qed.

(* Delay; all clocks run. *)
Definition delayed (d : Q) (v : valuation) : valuation := fun k => (v k + d)%Q.

Definition free0 (r : list Z) : list Z := match r with [] => [] | _ :: r => INF :: r end.
Definition up (m : dbm) : dbm := match m with [] => [] | r :: m => r :: map free0 m end.

Lemma up_sound m v d : (0 <= d)%Q -> dsat m v -> dsat (up m) (delayed d v).
Proof.
  intros N D i j. destruct m as [|r m]; [apply sat_inf; destruct i, j; apply Z.le_refl|].
  destruct i as [|i].
  - specialize (D O j). change (at_ (up (r :: m)) 0 j) with (at_ (r :: m) 0 j).
    destruct j as [|j]; [exact D|].
    unfold sat in *. destruct D as [D|D]; [left; trivial|right].
    unfold diff, delayed in *; simpl in *.
    destruct (Z.odd (at_ (r :: m) 0 (S j))); lra.
  - specialize (D (S i) j). unfold at_ in *; simpl in *. rewrite nth_map_row.
    destruct (Nat.ltb_spec i (length m)); [|rewrite nth_nil; apply sat_inf; lia].
    destruct (nth i m []) as [|a s] eqn:E; simpl; [apply sat_inf; destruct j; apply Z.le_refl|].
    destruct j as [|j]; [apply sat_inf; lia|].
    eapply sat_eq; [|apply D]. unfold diff, delayed; simpl. lra.
Qed.

(* Delay in which clocks stand still: which rows and columns, from the first clock on. *)
Fixpoint free_some (bs : list bool) (r : list Z) : list Z :=
  match r with [] => [] | z :: r => (if hd false bs then INF else z) :: free_some (tl bs) r end.
Fixpoint free_rows (all bs : list bool) (m : dbm) : dbm :=
  match m with [] => [] | r :: m => (if hd false bs then r else free_some (true :: all) r) :: free_rows all (tl bs) m end.
Definition up_some (bs : list bool) (m : dbm) : dbm := match m with [] => [] | r :: m => r :: free_rows bs bs m end.

Lemma free_some_nth r : forall bs j, nth j (free_some bs r) INF = if nth j bs false then INF else nth j r INF.
Proof.
  induction r as [|z r IH]; intros bs j; cbn [free_some]; [rewrite nth_nil; destruct j, (nth _ bs false); reflexivity|].
  destruct j as [|j]; cbn [nth]; [destruct bs as [|[|] bs]; reflexivity|]. rewrite IH. destruct bs as [|b bs]; simpl; [destruct j; reflexivity|trivial].
Qed.
Lemma free_rows_nth all m : forall bs i, nth i (free_rows all bs m) [] = if nth i bs false then nth i m [] else free_some (true :: all) (nth i m []).
Proof.
  induction m as [|r m IH]; intros bs i; cbn [free_rows]; [destruct i, (nth _ bs false); reflexivity|].
  destruct i as [|i]; cbn [nth]; [destruct bs as [|[|] bs]; reflexivity|]. rewrite IH. destruct bs as [|b bs]; simpl; [destruct i; reflexivity|trivial].
Qed.
Lemma up_some_sound bs m v w d : (0 <= d)%Q -> (forall k, w k == if nth k bs false then v k else v k + d)%Q -> dsat m v -> dsat (up_some bs m) w.
Proof.
  intros P W D i j. destruct m as [|r m]; [apply sat_inf; destruct i, j; apply Z.le_refl|]. specialize (D i j). unfold at_ in *.
  assert (L : forall k, (val v k <= val w k)%Q).
  { intros [|k]; [apply Qle_refl|]. simpl. rewrite (W k). destruct (nth k bs false); lra. }
  destruct i as [|i]; cbn [up_some nth] in *; [eapply sat_down; [|exact D]; specialize (L j); unfold diff; simpl; lra|].
  rewrite free_rows_nth. destruct (nth i bs false) eqn:Bi.
  - eapply sat_down; [|exact D]. unfold diff. simpl. rewrite (W i), Bi. specialize (L j). lra.
  - rewrite free_some_nth. destruct j as [|j]; cbn [nth]; [apply sat_inf, Z.le_refl|]. destruct (nth j bs false) eqn:Bj; [apply sat_inf, Z.le_refl|].
    eapply sat_eq; [|exact D]. unfold diff. simpl. rewrite (W i), (W j), Bi, Bj. lra.
Qed.

Lemma nth_map_gen {A B} (f : A -> B) l k dA dB :
  (k < length l)%nat -> nth k (map f l) dB = f (nth k l dA).
Proof.
  intro. rewrite nth_indep with (d' := f dA); [apply map_nth|rewrite map_length; trivial].
Qed.

(* ---- What a test and its negation say ---- *)

Lemma sat_decides r d : {sat r d} + {~ sat r d}.
Proof.
  unfold sat. destruct (Z_le_gt_dec INF r); [left; auto|].
  destruct (Z.odd r); [destruct (Qlt_le_dec (half r) d)|destruct (Qlt_le_dec d (half r))];
    try (left; right; lra); right; intros [H|H]; try lia; lra.
Qed.
Lemma sat_dec r d : sat r d \/ ~ sat r d.
Proof. destruct (sat_decides r d); auto. Qed.

Definition negated (t : test) : test := Test (t_j t) (t_i t) (1 - t_bound t).
Lemma negated_meets t v : ~ meets t v -> meets (negated t) v.
Proof.
  unfold meets, negated, sat, diff. cbn [t_i t_j t_bound]. intro H. right.
  assert (B : ~ INF <= t_bound t) by tauto.
  assert (C : ~ (if Z.odd (t_bound t) then (val v (t_i t) - val v (t_j t) <= half (t_bound t))%Q
                 else (val v (t_i t) - val v (t_j t) < half (t_bound t))%Q)) by tauto.
  pose proof (div2_eq (t_bound t)) as E. pose proof (div2_eq (1 - t_bound t)) as F. unfold half in *.
  destruct (Z.odd (t_bound t)), (Z.odd (1 - t_bound t)); try lia.
  - assert (G : Z.div2 (1 - t_bound t) = - Z.div2 (t_bound t)) by lia. rewrite G, inject_Z_opp. lra.
  - assert (G : Z.div2 (1 - t_bound t) = - Z.div2 (t_bound t)) by lia. rewrite G, inject_Z_opp. lra.
Qed.
