(* What cannot fail at run time: intervals of the values of variables show it of expressions and statements. *)
From Coq Require Import List ZArith Lia Bool Arith.
From Tarn Require Import Spec Footprint.
Import ListNotations.
Open Scope Z_scope.

Definition interval := (Z * Z)%type.
Definition lies (z : Z) (r : interval) : Prop := fst r <= z <= snd r.
Definition is_within (r t : interval) : bool := (fst t <=? fst r) && (snd r <=? snd t).
Definition hull (a b : interval) : interval := (Z.min (fst a) (fst b), Z.max (snd a) (snd b)).
Definition whole : interval := (-2147483648, 2147483647).
Definition fits (z : Z) : bool := (-2147483648 <=? z) && (z <=? 2147483647).
Definition fit_in (wraps : bool) (r : interval) : option interval :=
  if fits (fst r) && fits (snd r) then Some r else if wraps then Some whole else None.
Definition is_some {A} (x : option A) : bool := match x with Some _ => true | None => false end.

(* The hull of some that follow each other. *)
Fixpoint part_of (l : list interval) (from len : nat) : option interval :=
  match len with
  | O => None
  | S O => nth_error l from
  | S len => match nth_error l from, part_of l (S from) len with Some a, Some b => Some (hull a b) | _, _ => None end
  end.
Definition stretch (r : interval) : nat := Z.to_nat (snd r - fst r + 1).
Definition element (l : list interval) (base : nat) (size : Z) (i : interval) : option interval :=
  if (0 <=? fst i) && (snd i <? size) then part_of l (base + Z.to_nat (fst i)) (stretch i) else None.
Fixpoint join (a b : list interval) : option (list interval) :=
  match a, b with
  | [], [] => Some []
  | x :: a, y :: b => match join a b with Some l => Some (hull x y :: l) | None => None end
  | _, _ => None
  end.
Fixpoint set_at (l : list interval) (k : nat) (r : interval) : option (list interval) :=
  match l, k with
  | [], _ => None
  | _ :: l, O => Some (r :: l)
  | a :: l, S k => match set_at l k r with Some l => Some (a :: l) | None => None end
  end.

Definition binary_in (wraps : bool) (o : binop) (a b : interval) : option interval :=
  let (la, ha) := a in
  let (lb, hb) := b in
  match o with
  | Add => fit_in wraps (la + lb, ha + hb)
  | Sub => fit_in wraps (la - hb, ha - lb)
  | Mul => fit_in wraps (Z.min (Z.min (la * lb) (la * hb)) (Z.min (ha * lb) (ha * hb)), Z.max (Z.max (la * lb) (la * hb)) (Z.max (ha * lb) (ha * hb)))
  | Div => let m := Z.max (- la) ha in if (0 <? lb) || (hb <? 0) then fit_in wraps (Z.min (- m) m, Z.max (- m) m) else None
  | Mod => let m := Z.max (- lb) hb - 1 in
           if (0 <? lb) || (hb <? 0) then Some (if 0 <=? la then (0, Z.min ha m) else (- m, m)) else None
  | Min => Some (Z.min la lb, Z.min ha hb)
  | Max => Some (Z.max la lb, Z.max ha hb)
  | BitAnd | BitOr | BitXor => if is_within a (0, 1) && is_within b (0, 1) then Some (0, 1) else None
  | Shl | Shr => None
  | Cmp _ => Some (0, 1)
  end.

(* Statements that change local variables at most. *)
Fixpoint is_local (c : stmt) : bool :=
  match c with
  | SNop | SLocal _ _ => true
  | SSeq a b | SIf _ a b => is_local a && is_local b
  | _ => false
  end.

Section Network.
Variable n : net.
Variable table : list interval.                     (* of the slots of variables *)

(* What is stored lies in the range of the variable; else there is no such transition. *)
Definition stored (r : interval) (k : nat) : bool :=
  match nth_error table k, nth_error (n_variables n) k with
  | Some t, Some v => (fst t <=? Z.max (fst r) (v_low v)) && (Z.min (snd r) (v_high v) <=? snd t)
  | _, _ => false
  end.

(* The interval of an expression that cannot fail, with those of the local variables; what follows from a statement. *)
Fixpoint range (f : list interval) (e : expr) : option interval :=
  match e with
  | EConst z => if fits z then Some (z, z) else None
  | EVar k => nth_error table k
  | EElem b size i => match range f i with Some r => element table b size r | None => None end
  | ELocal k => nth_error f k
  | ELocalElem b size i => match range f i with Some r => element f b size r | None => None end
  | EAt _ _ | ELabel _ => None
  | ENeg a => match range f a with Some r => fit_in (n_wraps n) (- snd r, - fst r) | None => None end
  | ENot a => match range f a with Some _ => Some (0, 1) | None => None end
  | EBin o a b => match range f a, range f b with Some r, Some t => binary_in (n_wraps n) o r t | _, _ => None end
  | EAnd a b | EOr a b => match range f a, range f b with Some _, Some _ => Some (0, 1) | _, _ => None end
  | ECond a b c => match range f a, range f b, range f c with Some _, Some r, Some t => Some (hull r t) | _, _, _ => None end
  | EWithin low high a => match range f a with Some r => if is_within r (low, high) then Some r else None | None => None end
  | EEvery low high a | ESome low high a => match range (f ++ [(low, high)]) a with Some _ => Some (0, 1) | None => None end
  | ESum low high a =>
    match range (f ++ [(low, high)]) a with
    | Some r => let k := Z.max 0 (high - low + 1) in fit_in (n_wraps n) (Z.min 0 (k * fst r), Z.max 0 (k * snd r))
    | None => None
    end
  | EDo k c a => if is_local c then match follow (f ++ repeat (0, 0) k) c with Some f => range f a | None => None end else None
  | ETable l i => match range f i with Some r => element (map (fun z => (z, z)) l) 0 (Z.of_nat (length l)) r | None => None end
  end
with names_clock (f : list interval) (c : clock) : bool :=
  match c with
  | Clock _ => true
  | ClockElem _ size i => match range f i with Some r => (0 <=? fst r) && (snd r <? size) | None => false end
  end
with follow (f : list interval) (c : stmt) : option (list interval) :=
  match c with
  | SNop => Some f
  | SSeq a b => match follow f a with Some g => follow g b | None => None end
  | SVar k e => match range f e with Some r => if stored r k then Some f else None | None => None end
  | SElem b size i e =>
    match range f i, range f e with
    | Some r, Some t => if (0 <=? fst r) && (snd r <? size) && forallb (stored t) (seq (b + Z.to_nat (fst r)) (stretch r)) then Some f else None
    | _, _ => None
    end
  | SLocal k e => match range f e with Some r => set_at f k r | None => None end
  | SClock x y e =>
    match range f e with
    | Some r => if (0 <=? fst r) && names_clock f x && names_clock f y then Some f else None
    | None => None
    end
  | SIf e a b => match range f e, follow f a, follow f b with Some _, Some g, Some h => join g h | _, _, _ => None end
  | SLocalElem _ _ _ _ | SWhile _ _ => None
  end.
Fixpoint sure (a : atom) : bool :=
  match a with
  | AInt e => is_some (range [] e)
  | AClock x y _ e => names_clock [] x && names_clock [] y && is_some (range [] e)
  | AUnless e a => is_some (range [] e) && sure a
  end.
Definition edge_sure (e : edge) : bool := is_some (follow (repeat (0, 0) (e_locals e)) (e_update e)).

(* ---- It is so ---- *)

Definition framed_by (f : list interval) (l : list Z) : Prop := Forall2 (fun r z => lies z r) f l.
Definition bounded (s : state) : Prop := framed_by table (vars s).

Lemma framed_nth f l k r : framed_by f l -> nth_error f k = Some r -> exists z, nth_error l k = Some z /\ lies z r.
Proof.
  intro F. revert k. induction F as [|a z f l L F IH]; intros [|k] E; try discriminate; cbn [nth_error] in *.
  - injection E as <-. eauto.
  - auto.
Qed.
Lemma part_nth l : forall len from r, part_of l from len = Some r -> forall k, (from <= k < from + len)%nat ->
  exists t, nth_error l k = Some t /\ fst r <= fst t /\ snd t <= snd r.
Proof.
  induction len as [|len IH]; intros from r P k B; [lia|]. cbn [part_of] in P. destruct len as [|len].
  - assert (k = from) by lia. subst. exists r. split; [trivial|]. lia.
  - destruct (nth_error l from) as [a|] eqn:E; [|discriminate]. destruct (part_of l (S from) (S len)) as [b|] eqn:P'; [|discriminate].
    injection P as <-. unfold hull; cbn [fst snd]. destruct (Nat.eq_dec k from) as [->|N].
    + exists a. split; [trivial|]. lia.
    + destruct (IH _ _ P' k ltac:(lia)) as (t & T & U). exists t. split; [trivial|]. lia.
Qed.
Lemma element_nth f l b size i r z : framed_by f l -> element f b size i = Some r -> lies z i ->
  exists m y, index b size z = Ok m /\ nth_error l m = Some y /\ lies y r.
Proof.
  intros F E L. unfold element in E. destruct (_ && _) eqn:B; [|discriminate]. apply andb_prop in B. destruct B as [B1 B2].
  apply Z.leb_le in B1. apply Z.ltb_lt in B2. unfold lies in L. destruct i as [lo hi]; cbn [fst snd] in *.
  destruct (part_nth f _ _ _ E (b + Z.to_nat z)%nat) as (t & T & U & V); [unfold stretch; cbn [fst snd]; lia|].
  destruct (framed_nth f l _ t F T) as (y & Y & Ly). exists (b + Z.to_nat z)%nat, y. split; [|split; [trivial|unfold lies in *; lia]].
  unfold index. destruct (Z.leb_spec 0 z); [|lia]. destruct (Z.ltb_spec z size); [|lia]. reflexivity.
Qed.
Lemma index_within b size r z : (0 <=? fst r) && (snd r <? size) = true -> lies z r -> index b size z = Ok (b + Z.to_nat z)%nat.
Proof.
  intros B L. apply andb_prop in B. destruct B as [B1 B2]. apply Z.leb_le in B1. apply Z.ltb_lt in B2. unfold lies in L.
  unfold index. destruct (Z.leb_spec 0 z); [|lia]. destruct (Z.ltb_spec z size); [|lia]. reflexivity.
Qed.
Lemma fits_ok w z : fits z = true -> fit w z = Ok z.
Proof. unfold fits, fit. intros ->. trivial. Qed.
Lemma fits_iff z : fits z = true <-> -2147483648 <= z <= 2147483647.
Proof. unfold fits. rewrite andb_true_iff, !Z.leb_le. tauto. Qed.
Lemma wrapped_whole z : lies (wrapped z) whole.
Proof.
  unfold wrapped, lies, whole; cbn [fst snd]. change 4294967295 with (Z.ones 32). rewrite Z.land_ones by lia.
  pose proof (Z.mod_pos_bound z (2 ^ 32) ltac:(lia)) as B. change (2 ^ 32) with 4294967296 in *. destruct (Z.leb_spec (z mod 4294967296) 2147483647); lia.
Qed.
Lemma fit_in_ok w r t z : fit_in w r = Some t -> lies z r -> exists y, fit w z = Ok y /\ lies y t.
Proof.
  unfold fit_in. intros E L. destruct (_ && _) eqn:B.
  - injection E as <-. exists z. split; [|trivial]. apply fits_ok, fits_iff. apply andb_prop in B. destruct B as [B1 B2]. apply fits_iff in B1, B2. unfold lies in L. lia.
  - destruct w; [|discriminate]. injection E as <-. change (fit true z) with (if fits z then Ok z else Ok (wrapped z)). destruct (fits z) eqn:F.
    + exists z. split; [trivial|]. apply fits_iff in F. exact F.
    + exists (wrapped z). split; [trivial|apply wrapped_whole].
Qed.
Lemma product lo hi x y : lo <= x <= hi -> Z.min (lo * y) (hi * y) <= x * y <= Z.max (lo * y) (hi * y).
Proof. intro B. destruct (Z.le_ge_cases 0 y); split; nia. Qed.
Lemma quot_small a b : b <> 0 -> Z.abs (Z.quot a b) <= Z.abs a.
Proof.
  intro N. rewrite <- Z.quot_abs by trivial. rewrite Z.quot_div_nonneg by lia. apply Z.div_le_upper_bound; [lia|]. nia.
Qed.
Lemma bool_lies b : lies (of_bool b) (0, 1).
Proof. unfold lies. destruct b; simpl; lia. Qed.

Arguments fit : simpl never.
Lemma bits la ha lb hb x y : is_within (la, ha) (0, 1) && is_within (lb, hb) (0, 1) = true -> la <= x <= ha -> lb <= y <= hb ->
  lies (Z.land x y) (0, 1) /\ lies (Z.lor x y) (0, 1) /\ lies (Z.lxor x y) (0, 1).
Proof.
  unfold is_within; cbn [fst snd]. rewrite !andb_true_iff, !Z.leb_le. intros H A B. unfold lies; cbn [fst snd].
  assert (X : x = 0 \/ x = 1) by lia. assert (Y : y = 0 \/ y = 1) by lia. destruct X as [-> | ->], Y as [-> | ->]; cbn; lia.
Qed.
Lemma binary_ok w o a b r x y : binary_in w o a b = Some r -> lies x a -> lies y b -> exists z, binary w o x y = Ok z /\ lies z r.
Proof.
  destruct a as [la ha], b as [lb hb]. intros E A B. unfold lies in A, B; cbn [fst snd] in A, B. destruct o; cbn [binary_in] in E; unfold binary; cbv zeta; try discriminate.
  - eapply fit_in_ok; [exact E|]. unfold lies; cbn [fst snd]. lia.
  - eapply fit_in_ok; [exact E|]. unfold lies; cbn [fst snd]. lia.
  - eapply fit_in_ok; [exact E|]. unfold lies; cbn [fst snd]. pose proof (product la ha x y A) as P.
    pose proof (product lb hb y la B) as P1. pose proof (product lb hb y ha B) as P2. rewrite (Z.mul_comm y), (Z.mul_comm lb), (Z.mul_comm hb) in P1, P2. lia.
  - cbv zeta in E. destruct (_ || _) eqn:Z0; [|discriminate]. assert (N : y <> 0) by (apply orb_prop in Z0; rewrite !Z.ltb_lt in Z0; lia).
    destruct (Z.eqb_spec y 0); [contradiction|]. eapply fit_in_ok; [exact E|]. unfold lies; cbn [fst snd]. pose proof (quot_small x y N). lia.
  - cbv zeta in E. destruct (_ || _) eqn:Z0; [|discriminate]. assert (N : y <> 0) by (apply orb_prop in Z0; rewrite !Z.ltb_lt in Z0; lia).
    destruct (Z.eqb_spec y 0); [contradiction|]. exists (Z.rem x y). split; [trivial|]. pose proof (Z.rem_bound_abs x y N) as R.
    injection E as <-. destruct (Z.leb_spec 0 la) as [P|P]; unfold lies; cbn [fst snd].
    + pose proof (Z.rem_nonneg x y N ltac:(lia)) as P0. pose proof (quot_small x y N) as Q. pose proof (Z.quot_rem x y N) as D.
      assert (0 <= y * Z.quot x y) by (pose proof (Z.rem_le x (Z.abs y) ltac:(lia) ltac:(lia)) as Le; rewrite Z.rem_abs_r in Le by trivial; lia). lia.
    + lia.
  - injection E as <-. eexists. split; [reflexivity|]. unfold lies; cbn [fst snd]. lia.
  - injection E as <-. eexists. split; [reflexivity|]. unfold lies; cbn [fst snd]. lia.
  - destruct (_ && _) eqn:Z0; [|discriminate]. injection E as <-. eexists. split; [reflexivity|]. destruct (bits _ _ _ _ x y Z0 A B) as (P1 & P2 & P3). trivial.
  - destruct (_ && _) eqn:Z0; [|discriminate]. injection E as <-. eexists. split; [reflexivity|]. destruct (bits _ _ _ _ x y Z0 A B) as (P1 & P2 & P3). trivial.
  - destruct (_ && _) eqn:Z0; [|discriminate]. injection E as <-. eexists. split; [reflexivity|]. destruct (bits _ _ _ _ x y Z0 A B) as (P1 & P2 & P3). trivial.
  - injection E as <-. eexists. split; [reflexivity|]. apply bool_lies.
Qed.
Lemma framed_app f g l m : framed_by f l -> framed_by g m -> framed_by (f ++ g) (l ++ m).
Proof. apply Forall2_app. Qed.
Lemma framed_zeros k : framed_by (repeat (0, 0) k) (repeat 0 k).
Proof. induction k; simpl; constructor; trivial. unfold lies; simpl; lia. Qed.
Lemma join_framed a : forall b c l, join a b = Some c -> framed_by a l \/ framed_by b l -> framed_by c l.
Proof.
  induction a as [|x a IH]; intros [|y b] c l J F; try discriminate; cbn [join] in J.
  - injection J as <-. destruct F; trivial.
  - destruct (join a b) as [g|] eqn:E; [|discriminate]. injection J as <-. destruct F as [F|F]; inversion F as [|? z ? l' L F']; subst; constructor;
      try (unfold lies, hull in *; cbn [fst snd]; lia); eapply IH; eauto.
Qed.
Lemma set_framed f : forall k r g l z, set_at f k r = Some g -> framed_by f l -> lies z r -> exists m, put l k z = Ok m /\ framed_by g m.
Proof.
  induction f as [|a f IH]; intros k r g l z S F L; [discriminate|]. inversion F as [|? y ? l' Ly F']; subst. destruct k as [|k]; cbn [set_at put] in *.
  - injection S as <-. eexists. split; [reflexivity|]. constructor; trivial.
  - destruct (set_at f k r) as [h|] eqn:E; [|discriminate]. injection S as <-. destruct (IH _ _ _ _ _ E F' L) as (m & P & Fm). rewrite P.
    eexists. split; [reflexivity|]. constructor; trivial.
Qed.
Lemma put_framed f l k z m t : framed_by f l -> nth_error f k = Some t -> lies z t -> put l k z = Ok m -> framed_by f m.
Proof.
  intro F. revert k m. induction F as [|a y f l L F IH]; intros k m E Lz P; [destruct k; discriminate|]. destruct k as [|k]; cbn [nth_error put] in *.
  - injection E as ->. injection P as <-. constructor; trivial.
  - destruct (put l k z) as [| |l'] eqn:Q; try discriminate. injection P as <-. constructor; [trivial|]. eapply IH; eauto.
Qed.
Lemma framed_length f l : framed_by f l -> length f = length l.
Proof. induction 1; simpl; congruence. Qed.
Lemma span_lies low high z : In z (span low high) -> lies z (low, high).
Proof. unfold span. intro I. apply in_map_iff in I. destruct I as (k & <- & I). apply in_seq in I. unfold lies; cbn [fst snd]. lia. Qed.
Lemma every_ok g l : (forall z, In z l -> exists x, g z = Ok x) -> exists y, every g l = Ok y /\ lies y (0, 1).
Proof.
  induction l as [|z l IH]; intro H; cbn [every]; [exists 1; split; [trivial|unfold lies; simpl; lia]|].
  destruct (H z (or_introl eq_refl)) as (x & ->). cbn [bind]. destruct (is_true x); [apply IH; intros; apply H; right; trivial|].
  exists 0. split; [trivial|unfold lies; simpl; lia].
Qed.
Lemma some_ok g l : (forall z, In z l -> exists x, g z = Ok x) -> exists y, some g l = Ok y /\ lies y (0, 1).
Proof.
  induction l as [|z l IH]; intro H; cbn [some]; [exists 0; split; [trivial|unfold lies; simpl; lia]|].
  destruct (H z (or_introl eq_refl)) as (x & ->). cbn [bind]. destruct (is_true x); [|apply IH; intros; apply H; right; trivial].
  exists 1. split; [trivial|unfold lies; simpl; lia].
Qed.
Lemma total_fits w g r : forall l a, (forall z, In z l -> exists x, g z = Ok x /\ lies x r) ->
  fits (a + Z.min 0 (Z.of_nat (length l) * fst r)) = true -> fits (a + Z.max 0 (Z.of_nat (length l) * snd r)) = true ->
  exists y, total w g a l = Ok y /\ a + Z.of_nat (length l) * fst r <= y <= a + Z.of_nat (length l) * snd r.
Proof.
  induction l as [|z l IH]; intros a H Lo Hi; cbn [total].
  - exists a. split; [trivial|]. simpl. lia.
  - destruct (H z (or_introl eq_refl)) as (x & -> & L). cbn [bind]. rewrite fits_iff in Lo, Hi. unfold lies in L. cbn [length] in *. rewrite Nat2Z.inj_succ in *.
    rewrite fits_ok by (apply fits_iff; nia). cbn [bind]. destruct (IH (a + x)) as (y & E & B); [intros; apply H; right; trivial|apply fits_iff; nia|apply fits_iff; nia|].
    exists y. split; [trivial|]. nia.
Qed.
Lemma total_wraps g : forall l a, (forall z, In z l -> exists x, g z = Ok x) -> lies a whole -> exists y, total true g a l = Ok y /\ lies y whole.
Proof.
  induction l as [|z l IH]; intros a H L; cbn [total]; [eauto|]. destruct (H z (or_introl eq_refl)) as (x & ->). cbn [bind].
  assert (F : exists y, fit true (a + x) = Ok y /\ lies y whole).
  { change (fit true (a + x)) with (if fits (a + x) then Ok (a + x) else Ok (wrapped (a + x))). destruct (fits (a + x)) eqn:F; [|eexists; split; [reflexivity|apply wrapped_whole]]. eexists. split; [reflexivity|]. apply fits_iff in F. exact F. }
  destruct F as (y & -> & Ly). cbn [bind]. apply IH; [intros; apply H; right; trivial|trivial].
Qed.
Lemma span_length low high : Z.of_nat (length (span low high)) = Z.max 0 (high - low + 1).
Proof. unfold span. rewrite map_length, seq_length. lia. Qed.

Definition well_run (c : stmt) (f : list interval) (e : env) (r : res env) : Prop :=
  match r with
  | Err => False
  | Fails => is_local c = false
  | Ok e' => bounded (en_state e') /\ framed_by f (en_frame e') /\ (is_local c = true -> en_state e' = en_state e) /\
             forall u, In u (en_updates e') -> In u (en_updates e) \/ 0 <= u_c u
  end.
Lemma well_stored r k e z f c : stored r k = true -> lies z r -> is_local c = false -> bounded (en_state e) -> framed_by f (en_frame e) -> well_run c f e (store n e k z).
Proof.
  unfold stored, store, well_run. intros S L C B F. destruct (nth_error table k) as [t|] eqn:T; [|discriminate]. destruct (nth_error (n_variables n) k) as [v|]; [|discriminate].
  apply andb_prop in S. rewrite !Z.leb_le in S. destruct (_ && _) eqn:R; [|exact C]. apply andb_prop in R. rewrite !Z.leb_le in R.
  destruct (put_ok (vars (en_state e)) k z) as (l & P).
  { unfold bounded in B. rewrite <- (framed_length _ _ B). apply nth_error_Some. congruence. }
  rewrite P. cbn [bind en_state en_frame en_updates vars]. split; [|split; [trivial|split; [congruence|auto]]].
  unfold bounded; cbn [vars]. eapply put_framed; [exact B|exact T| |exact P]. unfold lies in *. lia.
Qed.

Definition good_expr e := forall f r, range f e = Some r -> forall s l, bounded s -> framed_by f l -> exists z, eval n s l e = Ok z /\ lies z r.
Definition good_clock c := forall f, names_clock f c = true -> forall s l, bounded s -> framed_by f l -> exists x, clock_of n s l c = Ok x.
Definition good_stmt c := forall f g, follow f c = Some g -> forall e, bounded (en_state e) -> framed_by f (en_frame e) -> well_run c g e (run n c e).
Ltac use IH s l B F := match type of IH with good_expr ?e => match goal with E : range ?f e = Some ?r |- _ =>
  let z := fresh "z" in let Q := fresh "Q" in let L := fresh "L" in destruct (IH f r E s l B F) as (z & Q & L); rewrite Q; cbn [bind] end end.
Ltac split_range H := match type of H with
  | match range ?f ?e with Some _ => _ | None => _ end = _ => destruct (range f e) eqn:?; [|discriminate H]
  | match follow ?f ?e with Some _ => _ | None => _ end = _ => destruct (follow f e) eqn:?; [|discriminate H]
  end.
Lemma run_var k x e : run n (SVar k x) e = bind (eval n (en_state e) (en_frame e) x) (fun z => store n e k z).
Proof. reflexivity. Qed.
Lemma run_elem b size i x e : run n (SElem b size i x) e = bind (eval n (en_state e) (en_frame e) i) (fun k => bind (index b size k) (fun m =>
  bind (eval n (en_state e) (en_frame e) x) (fun z => store n e m z))).
Proof. reflexivity. Qed.
Lemma run_local k x e : run n (SLocal k x) e = bind (eval n (en_state e) (en_frame e) x) (fun z => store_local e k z).
Proof. reflexivity. Qed.
Lemma run_clock x y z e : run n (SClock x y z) e = bind (clock_of n (en_state e) (en_frame e) x) (fun i => bind (clock_of n (en_state e) (en_frame e) y) (fun j =>
  bind (eval n (en_state e) (en_frame e) z) (fun z => if (j =? 0)%nat && (z <? 0) then Err else Ok (Env (en_state e) (en_frame e) (Upd i j z :: en_updates e))))).
Proof. reflexivity. Qed.
Lemma run_if x a b e : run n (SIf x a b) e = bind (eval n (en_state e) (en_frame e) x) (fun z => if is_true z then run n a e else run n b e).
Proof. reflexivity. Qed.
Opaque turns.
Lemma range_all : (forall e, good_expr e) /\ (forall c, good_clock c) /\ (forall c, good_stmt c).
Proof.
  apply expr_stmt_ind.
  - intros z f r H s l B F. cbn [range] in H. destruct (fits z) eqn:Z0; [|discriminate]. injection H as <-. cbn [eval]. rewrite fits_ok by trivial. exists z. split; [trivial|unfold lies; simpl; lia].
  - intros k f r H s l B F. cbn [range] in H. cbn [eval]. destruct (framed_nth _ _ _ _ B H) as (z & Q & L). unfold get. rewrite Q. eauto.
  - intros b size i IH f r H s l B F. cbn [range] in H. split_range H. cbn [eval]. use IH s l B F. destruct (element_nth _ _ _ _ _ _ _ B H L) as (m & y & I & N & Ly). rewrite I. cbn [bind]. unfold get. rewrite N. eauto.
  - intros k f r H s l B F. cbn [range] in H. cbn [eval]. destruct (framed_nth _ _ _ _ F H) as (z & Q & L). unfold get. rewrite Q. eauto.
  - intros b size i IH f r H s l B F. cbn [range] in H. split_range H. cbn [eval]. use IH s l B F. destruct (element_nth _ _ _ _ _ _ _ F H L) as (m & y & I & N & Ly). rewrite I. cbn [bind]. unfold get. rewrite N. eauto.
  - intros p l f r H. discriminate.
  - intros a f r H. discriminate.
  - intros a IH f r H s l B F. cbn [range] in H. split_range H. cbn [eval]. use IH s l B F. eapply fit_in_ok; [exact H|]. unfold lies in *; cbn [fst snd]. lia.
  - intros a IH f r H s l B F. cbn [range] in H. split_range H. injection H as <-. cbn [eval]. use IH s l B F. eexists. split; [reflexivity|apply bool_lies].
  - intros o a IHa b IHb f r H s l B F. cbn [range] in H. do 2 split_range H. cbn [eval]. use IHa s l B F. use IHb s l B F. eapply binary_ok; eauto.
  - intros a IHa b IHb f r H s l B F. cbn [range] in H. do 2 split_range H. injection H as <-. cbn [eval]. use IHa s l B F. use IHb s l B F.
    destruct (is_true z); eexists; (split; [reflexivity|]); [apply bool_lies|unfold lies; simpl; lia].
  - intros a IHa b IHb f r H s l B F. cbn [range] in H. do 2 split_range H. injection H as <-. cbn [eval]. use IHa s l B F. use IHb s l B F.
    destruct (is_true z); eexists; (split; [reflexivity|]); [unfold lies; simpl; lia|apply bool_lies].
  - intros a IHa b IHb c IHc f r H s l B F. cbn [range] in H. do 3 split_range H. injection H as <-. cbn [eval]. use IHa s l B F. use IHb s l B F. use IHc s l B F.
    destruct (is_true z); eexists; (split; [reflexivity|]); unfold lies, hull in *; cbn [fst snd]; lia.
  - intros low high a IH f r H s l B F. cbn [range] in H. split_range H. destruct (is_within i (low, high)) eqn:I; [|discriminate]. injection H as <-. cbn [eval]. use IH s l B F.
    unfold is_within in I; cbn [fst snd] in I. apply andb_prop in I. destruct I as [I1 I2]. apply Z.leb_le in I1, I2. unfold lies in L.
    destruct (Z.leb_spec low z); [|lia]. destruct (Z.leb_spec z high); [|lia]. cbn [andb]. exists z. split; [trivial|exact L].
  - intros low high a IH f r H s l B F. cbn [range] in H. split_range H. injection H as <-. cbn [eval]. apply every_ok. intros z I.
    destruct (IH _ _ Heqo s (l ++ [z]) B) as (x & Q & _); [apply framed_app; [trivial|constructor; [apply span_lies; trivial|constructor]]|]. eauto.
  - intros low high a IH f r H s l B F. cbn [range] in H. split_range H. injection H as <-. cbn [eval]. apply some_ok. intros z I.
    destruct (IH _ _ Heqo s (l ++ [z]) B) as (x & Q & _); [apply framed_app; [trivial|constructor; [apply span_lies; trivial|constructor]]|]. eauto.
  - intros low high a IH f r H s l B F. cbn [range] in H. split_range H. cbn [eval]. cbv zeta in H.
    assert (Ok1 : forall z, In z (span low high) -> exists x, eval n s (l ++ [z]) a = Ok x /\ lies x i).
    { intros z I. apply (IH _ _ Heqo s (l ++ [z]) B). apply framed_app; [trivial|constructor; [apply span_lies; trivial|constructor]]. }
    unfold fit_in in H; cbn [fst snd] in H. rewrite <- span_length in H. destruct (fits _ && fits _) eqn:Ft in H.
    + injection H as <-. apply andb_prop in Ft. destruct Ft as [F1 F2]. destruct (total_fits (n_wraps n) (fun z => eval n s (l ++ [z]) a) i (span low high) 0 Ok1 F1 F2) as (y & Q & L).
      exists y. split; [exact Q|]. unfold lies; cbn [fst snd]. lia.
    + destruct (n_wraps n); [|discriminate]. injection H as <-. apply total_wraps; [|unfold lies; simpl; lia]. intros z I. destruct (Ok1 z I) as (x & Q & _). eauto.
  - intros k c IHc a IHa f r H s l B F. cbn [range] in H. destruct (is_local c) eqn:Lc; [|discriminate]. split_range H. cbn [eval].
    assert (W : well_run c l0 (Env s (l ++ repeat 0 k) []) (run n c (Env s (l ++ repeat 0 k) []))).
    { apply (IHc _ _ Heqo); [exact B|]. apply framed_app; [trivial|apply framed_zeros]. }
    change (exists z, bind (run n c (Env s (l ++ repeat 0 k) [])) (fun e => eval n (en_state e) (en_frame e) a) = Ok z /\ lies z r).
    unfold well_run in W. destruct (run n c _) as [| |e']; [congruence|destruct W|]. destruct W as (B' & F' & _). cbn [bind]. apply (IHa _ _ H); trivial.
  - intros t i IH f r H s l B F. cbn [range] in H. split_range H. cbn [eval]. use IH s l B F.
    assert (Ft : framed_by (map (fun z => (z, z)) t) t) by (clear; induction t; simpl; constructor; trivial; unfold lies; simpl; lia).
    destruct (element_nth _ _ _ _ _ _ _ Ft H L) as (m & y & I & N & Ly). rewrite I. cbn [bind]. unfold get. rewrite N. eauto.
  - intros x f H s l B F. cbn [clock_of]. eauto.
  - intros b size i IH f H s l B F. cbn [names_clock] in H. change (exists x, bind (eval n s l i) (fun k => index b size k) = Ok x). destruct (range f i) as [r|] eqn:R; [|discriminate]. destruct (IH f r R s l B F) as (z & Q & L). rewrite Q. cbn [bind]. rewrite (index_within b size _ _ H L). eauto.
  - intros f g H e B F. cbn [follow] in H. injection H as <-. cbn [run]. simpl. auto.
  - intros a IHa b IHb f g H e B F. cbn [follow] in H. split_range H. change (run n (SSeq a b) e) with (bind (run n a e) (fun e' => run n b e')).
    specialize (IHa _ _ Heqo e B F). unfold well_run in *. destruct (run n a e) as [| |e1]; cbn [bind is_local]; [rewrite IHa; reflexivity|exact IHa|]. destruct IHa as (B1 & F1 & S1 & U1).
    specialize (IHb _ _ H e1 B1 F1). destruct (run n b e1) as [| |e2]; [rewrite IHb; apply andb_false_r|exact IHb|]. destruct IHb as (B2 & F2 & S2 & U2).
    split; [trivial|split; [trivial|split]]; [intro L; apply andb_prop in L; destruct L; rewrite S2, S1; trivial|]. intros u I. destruct (U2 u I) as [J|J]; auto.
  - intros k x IH f g H e B F. cbn [follow] in H. split_range H. destruct (stored i k) eqn:S; [|discriminate]. injection H as <-. rewrite run_var. use IH (en_state e) (en_frame e) B F.
    eapply well_stored; eauto.
  - intros b size i IHi x IHx f g H e B F. cbn [follow] in H. do 2 split_range H. destruct (_ && _) eqn:C in H; [|discriminate]. injection H as <-. rewrite run_elem.
    apply andb_prop in C. destruct C as [C1 C2]. use IHi (en_state e) (en_frame e) B F. rewrite (index_within b size _ _ C1 L). cbn [bind]. use IHx (en_state e) (en_frame e) B F.
    rewrite forallb_forall in C2. apply (well_stored i1); trivial. apply C2, in_seq. apply andb_prop in C1. destruct C1 as [D1 D2]. apply Z.leb_le in D1. unfold lies in L. unfold stretch. lia.
  - intros k x IH f g H e B F. cbn [follow] in H. split_range H. rewrite run_local. use IH (en_state e) (en_frame e) B F. unfold store_local.
    destruct (set_framed _ _ _ _ _ _ H F L) as (m & P & Fm). rewrite P. cbn [bind]. unfold well_run; cbn [en_state en_frame en_updates]. auto.
  - intros b size i IHi x IHx f g H. discriminate.
  - intros x IHx y IHy z IHz f g H e B F. cbn [follow] in H. split_range H. destruct (_ && _) eqn:C in H; [|discriminate]. injection H as <-. apply andb_prop in C. destruct C as [C C3]. apply andb_prop in C. destruct C as [C1 C2].
    rewrite run_clock. destruct (IHx _ C2 (en_state e) (en_frame e) B F) as (i1 & ->). cbn [bind]. destruct (IHy _ C3 (en_state e) (en_frame e) B F) as (j & ->). cbn [bind]. use IHz (en_state e) (en_frame e) B F.
    apply Z.leb_le in C1. unfold lies in L. destruct (_ && _) eqn:Ng; [apply andb_prop in Ng; destruct Ng as [_ Ng]; apply Z.ltb_lt in Ng; lia|].
    unfold well_run; cbn [en_state en_frame en_updates]. split; [trivial|split; [trivial|split; [trivial|]]]. intros u [<-|I]; [right; cbn [u_c]; lia|auto].
  - intros x IH a IHa b IHb f g H e B F. cbn [follow] in H. do 3 split_range H. rewrite run_if. use IH (en_state e) (en_frame e) B F.
    specialize (IHa _ _ Heqo0 e B F). specialize (IHb _ _ Heqo1 e B F). unfold well_run in *. cbn [is_local]. destruct (is_true z).
    + destruct (run n a e) as [| |e1]; [rewrite IHa; reflexivity|exact IHa|]. destruct IHa as (B1 & F1 & S1 & U1). split; [trivial|split; [eapply join_framed; eauto|split; [|trivial]]].
      intro Lc. apply andb_prop in Lc. tauto.
    + destruct (run n b e) as [| |e1]; [rewrite IHb; apply andb_false_r|exact IHb|]. destruct IHb as (B1 & F1 & S1 & U1). split; [trivial|split; [eapply join_framed; eauto|split; [|trivial]]].
      intro Lc. apply andb_prop in Lc. tauto.
  - intros x IH a IHa f g H. discriminate.
Qed.
Definition range_ok e := proj1 range_all e.
Definition clock_ok c := proj1 (proj2 range_all) c.
Definition follow_ok c := proj2 (proj2 range_all) c.
Lemma sure_ok a s : sure a = true -> bounded s -> ask n s a <> Wrong.
Proof.
  intros H B. assert (N : framed_by [] []) by constructor. induction a as [e|x y o e|e a IH]; cbn [sure ask] in *.
  - destruct (range [] e) eqn:R; [|discriminate]. destruct (range_ok e _ _ R s [] B N) as (z & -> & _). discriminate.
  - apply andb_prop in H. destruct H as [H He]. apply andb_prop in H. destruct H as [Hx Hy]. destruct (clock_ok x _ Hx s [] B N) as (i & ->). destruct (clock_ok y _ Hy s [] B N) as (j & ->).
    destruct (range [] e) eqn:R; [|discriminate]. destruct (range_ok e _ _ R s [] B N) as (z & -> & _). discriminate.
  - apply andb_prop in H. destruct H as [He H]. destruct (range [] e) eqn:R; [|discriminate]. destruct (range_ok e _ _ R s [] B N) as (z & -> & _). destruct (is_true z); [discriminate|auto].
Qed.
Lemma updates_sure cs : (forall c, In c cs -> is_some (follow (repeat (0, 0) (fst c)) (snd c)) = true) -> forall s us, bounded s -> (forall u, In u us -> 0 <= u_c u) ->
  match updates n s us cs with Err => False | Fails => True | Ok (s', r) => bounded s' /\ forall u, In u r -> 0 <= u_c u end.
Proof.
  induction cs as [|c cs IH]; intros Z s us S U; cbn [updates].
  - split; [trivial|]. intros u I. apply U, in_rev. trivial.
  - pose proof (Z c (or_introl eq_refl)) as Zc. destruct (follow _ _) as [g|] eqn:E; [|discriminate].
    pose proof (follow_ok (snd c) _ _ E (Env s (repeat 0 (fst c)) us) S (framed_zeros _)) as R. unfold well_run in R.
    destruct (run n (snd c) (Env s (repeat 0 (fst c)) us)) as [| |f]; cbn [bind]; trivial. destruct R as (Sf & _ & _ & Uf).
    apply IH; trivial; [intros; apply Z; right; trivial|]. intros u I. destruct (Uf u I) as [J|J]; [apply U; exact J|trivial].
Qed.

(* ---- A table: nothing has to be known of it ---- *)

(* What may be stored where: slots that follow each other, and an expression. *)
Fixpoint stores (c : stmt) : list (nat * nat * expr) :=
  match c with
  | SSeq a b | SIf _ a b => stores a ++ stores b
  | SVar k e => [(k, 1%nat, e)]
  | SElem b size _ e => [(b, Z.to_nat size, e)]
  | SWhile _ a => stores a
  | _ => []
  end.
End Network.

Section Tables.
Variable n : net.
Definition declared : list interval := map (fun v => (v_low v, v_high v)) (n_variables n).
Definition clipped (r : option interval) (v : variable) : interval :=
  match r with None => (v_low v, v_high v) | Some r => (Z.max (fst r) (v_low v), Z.min (snd r) (v_high v)) end.
Fixpoint widened (from len : nat) (r : option interval) (vs : list variable) (t : list interval) : list interval :=
  match vs, t, from, len with
  | v :: vs, a :: t, S from, _ => a :: widened from len r vs t
  | v :: vs, a :: t, O, S len => (let c := clipped r v in if fst c <=? snd c then hull a c else a) :: widened 0 len r vs t
  | _, _, _, _ => t
  end.
Definition stepped (all : list (nat * nat * expr)) (t : list interval) : list interval :=
  fold_left (fun t x => widened (fst (fst x)) (snd (fst x)) (range n t [] (snd x)) (n_variables n) t) all t.
Fixpoint given_up (a b d : list interval) : list interval :=
  match a, b, d with
  | x :: a, y :: b, z :: d => (if is_within y x then x else z) :: given_up a b d
  | _, _, _ => a
  end.
Fixpoint repeated {A} (k : nat) (f : A -> A) (a : A) : A := match k with O => a | S k => repeated k f (f a) end.
Definition ranges : list interval :=
  let all := flat_map (fun e => stores (e_update e)) (flat_map (flat_map l_out) (n_processes n)) in
  let t := repeated 3 (stepped all) (map (fun v => (v_init v, v_init v)) (n_variables n)) in
  repeated 6 (fun t => given_up t (stepped all t) declared) t.

Fixpoint bounded_b (t : list interval) (l : list Z) : bool :=
  match t, l with
  | [], [] => true
  | r :: t, z :: l => (fst r <=? z) && (z <=? snd r) && bounded_b t l
  | _, _ => false
  end.
Lemma bounded_b_sound t : forall l, bounded_b t l = true -> framed_by t l.
Proof.
  induction t as [|r t IH]; intros [|z l] H; try discriminate; [constructor|]. cbn [bounded_b] in H. rewrite !andb_true_iff, !Z.leb_le in H.
  constructor; [unfold lies; lia|apply IH; apply H].
Qed.
Lemma declared_ranged s : bounded declared s <-> ranged n s.
Proof.
  unfold bounded, declared, ranged. generalize (vars s) (n_variables n). intros l vs. revert l. induction vs as [|v vs IH]; intros [|z l]; cbn [map]; split; intro H.
  - split; [trivial|]. intros [|k] v z E; discriminate.
  - constructor.
  - inversion H.
  - destruct H; discriminate.
  - inversion H.
  - destruct H; discriminate.
  - inversion H as [|? ? ? ? L F]; subst. apply IH in F. destruct F as [F1 F2]. split; [simpl; congruence|]. intros [|k] w y E1 E2; cbn [nth_error] in *; [injection E1 as <-; injection E2 as <-; exact L|eauto].
  - destruct H as [H1 H2]. constructor; [exact (H2 0%nat v z eq_refl eq_refl)|]. apply IH. split; [simpl in H1; congruence|]. intros k w y E1 E2. exact (H2 (S k) w y E1 E2).
Qed.
End Tables.
