(* Transitions that touch different cells can be taken in both orders. *)
From Coq Require Import List ZArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Footprint.
Import ListNotations.
Open Scope Z_scope.

(* ---- Conditions ---- *)

Fixpoint ar (a : atom) : list nat :=
  match a with AInt e => er e | AClock x y _ e => cr x ++ cr y ++ er e | AUnless e a => er e ++ ar a end.
Fixpoint pa (a : atom) : bool :=
  match a with AInt e => pe e | AClock x y _ e => pc x && pc y && pe e | AUnless e a => pe e && pa a end.
Fixpoint ac (a : atom) : list nat :=
  match a with AInt _ => [] | AClock x y _ _ => cc x ++ cc y | AUnless _ a => ac a end.

(* Clocks that are the same but for some. *)
Definition cagree (D : nat -> Prop) (v w : valuation) : Prop := forall x, D x \/ (val v x == val w x)%Q.

Lemma agree_sym X s t : agree X s t -> agree X t s.
Proof. intros [L A]. split; [congruence|]. intro k. destruct (A k); auto. Qed.
Lemma agree_trans X s t u : agree X s t -> agree X t u -> agree X s u.
Proof. intros [L A] [M B]. split; [congruence|]. intro k. destruct (A k); auto. destruct (B k); auto. right. congruence. Qed.
Lemma agree_more (X Y : nat -> Prop) s t : (forall k, X k -> Y k) -> agree X s t -> agree Y s t.
Proof. intros H [L A]. split; [trivial|]. intro k. destruct (A k); auto. Qed.
Lemma cagree_sym D v w : cagree D v w -> cagree D w v.
Proof. intros A x. destruct (A x); auto. right. symmetry. trivial. Qed.
Lemma cagree_trans D u v w : cagree D u v -> cagree D v w -> cagree D u w.
Proof. intros A B x. destruct (A x); auto. destruct (B x); auto. right. rewrite H. trivial. Qed.
Lemma cagree_more (D E : nat -> Prop) v w : (forall k, D k -> E k) -> cagree D v w -> cagree E v w.
Proof. intros H A k. destruct (A k); auto. Qed.
Lemma cagree_same D v w : same v w -> cagree D v w.
Proof. intros S x. right. apply same_val. trivial. Qed.

Section Network.
Variable n : net.

Lemma ask_agree X s t a : pa a = true -> clean X (ar a) -> agree X s t -> ask n s a = ask n t a.
Proof.
  intros P C A. induction a as [e|x y o e|e a IH]; cbn [pa ar ask] in *.
  - rewrite (eval_agree n X e P C s t [] A). trivial.
  - apply andb_prop in P. destruct P as [P P3]. apply andb_prop in P. destruct P as [P1 P2].
    apply clean_app in C. destruct C as [C1 C]. apply clean_app in C. destruct C as [C2 C3].
    rewrite (clock_agree n X x P1 C1 s t [] A), (clock_agree n X y P2 C2 s t [] A), (eval_agree n X e P3 C3 s t [] A). trivial.
  - apply andb_prop in P. destruct P as [P1 P2]. apply clean_app in C. destruct C as [C1 C2].
    rewrite (eval_agree n X e P1 C1 s t [] A), (IH P2 C2). trivial.
Qed.
Lemma ask_clocks s a : forall i j o c, ask n s a = Asks i j o c -> In i (ac a) /\ In j (ac a).
Proof.
  induction a as [e|x y o e|e a IH]; intros i j o' c H; cbn [ask ac] in *.
  - destruct (eval n s [] e); discriminate.
  - destruct (clock_of n s [] x) as [| |i'] eqn:Ex; try discriminate. destruct (clock_of n s [] y) as [| |j'] eqn:Ey; try discriminate.
    destruct (eval n s [] e); try discriminate. injection H as <- <- <- <-. apply clock_in in Ex, Ey. split; apply in_or_app; auto.
  - destruct (eval n s [] e) as [| |z]; try discriminate. destruct (is_true z); [discriminate|]. eauto.
Qed.
Lemma is_agree X D b a s t v w : pa a = true -> clean X (ar a) -> clean D (ac a) -> agree X s t -> cagree D v w ->
  is n b s v a -> is n b t w a.
Proof.
  intros P C K A B. unfold is. rewrite (ask_agree X s t a P C A). destruct (ask n t a) as [x|i j o c|] eqn:E; trivial.
  destruct (ask_clocks _ _ _ _ _ _ E) as [Ii Ij]. destruct (B i) as [Di|Vi]; [destruct (K i Ii Di)|].
  destruct (B j) as [Dj|Vj]; [destruct (K j Ij Dj)|]. assert (S : (val v i - val v j == val w i - val w j)%Q) by (rewrite Vi, Vj; reflexivity).
  destruct b, o; cbn [clock_compare]; rewrite S; trivial.
Qed.
Lemma holds_agree X D g s t v w : forallb pa g = true -> clean X (flat_map ar g) -> clean D (flat_map ac g) -> agree X s t -> cagree D v w ->
  holds n s v g -> holds n t w g.
Proof.
  intros P C K A B H a I. rewrite forallb_forall in P. apply (is_agree X D true a s t v w); auto.
  - intros k J. apply C, in_flat_map. eauto.
  - intros k J. apply K, in_flat_map. eauto.
Qed.

(* ---- Updates ---- *)

Lemma updates_agree X cs : (forall c, In c cs -> ps (snd c) = true /\ clean X (sr (snd c))) -> forall s t us, agree X s t ->
  alike (fun a b => agree X (fst a) (fst b) /\ snd a = snd b) (updates n s us cs) (updates n t us cs).
Proof.
  induction cs as [|c cs IH]; intros H s t us A; cbn [updates]; [split; trivial|].
  destruct (H c (or_introl eq_refl)) as [P C].
  eapply alike_bind; [apply (run_agree n X (snd c) P C (Env s (repeat 0 (fst c)) us) (Env t (repeat 0 (fst c)) us)); split; auto|].
  intros e f (B & _ & U). rewrite U. apply IH; [intros; apply H; right; trivial|trivial].
Qed.

Record updated (cs : list (nat * stmt)) (us : list upd) (s s' : state) (r : list upd) : Prop := {
  up_locs : locs s' = locs s;
  up_len : length (vars s') = length (vars s);
  up_vars : forall k, ~ In k (flat_map (fun c => sw (snd c)) cs) -> nth_error (vars s') k = nth_error (vars s) k;
  up_range : ranged n s -> ranged n s';
  up_upd : exists l, r = rev us ++ l /\
    (forall u, In u l -> exists c, In c cs /\ In (u_x u) (sx (snd c)) /\ In (u_y u) (sy (snd c)) /\
                         (In (u_x u) (sb (snd c)) \/ u_y u = 0%nat /\ u_c u = 0)) /\
    forall c x, In c cs -> In x (sm (snd c)) -> exists u, In u l /\ u_x u = x }.
Lemma updates_updated cs : forall us s s' r, updates n s us cs = Ok (s', r) -> updated cs us s s' r.
Proof.
  induction cs as [|c cs IH]; intros us s s' r H; cbn [updates] in H.
  - injection H as <- <-. constructor; trivial. exists []. rewrite app_nil_r. split; [trivial|]. split; [intros u []|intros c x []].
  - apply bind_ok in H. destruct H as (e & E & H). apply run_framed in E. destruct E as [L1 N1 V1 R1 (l1 & U1 & A1 & M1)].
    destruct (IH _ _ _ _ H) as [L2 N2 V2 R2 (l2 & U2 & A2 & M2)]. cbn [en_state en_updates] in *. constructor.
    + congruence.
    + congruence.
    + intros k K. rewrite V2, V1; trivial; intro J; apply K; cbn [flat_map]; apply in_or_app; auto.
    + auto.
    + exists (rev l1 ++ l2). split; [rewrite U2, U1, rev_app_distr, app_assoc; trivial|]. split.
      * intros u I. apply in_app_or in I. destruct I as [I|I].
        -- apply in_rev in I. exists c. split; [left; trivial|]. apply A1. trivial.
        -- destruct (A2 u I) as (d & J & K). exists d. split; [right|]; trivial.
      * intros d x [<-|J] I.
        -- destruct (M1 x I) as (u & Iu & Eu). exists u. split; [apply in_or_app; left; apply in_rev in Iu|]; trivial.
        -- destruct (M2 d x J I) as (u & Iu & Eu). exists u. split; [apply in_or_app; right|]; trivial.
Qed.

(* ---- Clocks ---- *)

Lemma set1_val u v x : u_x u <> 0%nat -> (val (set1 u v) x == if (x =? u_x u)%nat then val v (u_y u) + inject_Z (u_c u) else val v x)%Q.
Proof.
  intro N. unfold set1. destruct (u_x u) as [|k]; [congruence|]. destruct x as [|x]; [reflexivity|]. cbn [val].
  change (S x =? S k)%nat with (x =? k)%nat. destruct (x =? k)%nat; reflexivity.
Qed.
Lemma set_all_other us : forall v x, (forall u, In u us -> u_x u <> x) -> (val (set_all us v) x == val v x)%Q.
Proof.
  induction us as [|u us IH]; intros v x H; [reflexivity|]. unfold set_all in *. cbn [fold_left]. rewrite IH; [|intros; apply H; right; trivial].
  destruct (Nat.eq_dec (u_x u) 0) as [Z|Z]; [unfold set1; rewrite Z; reflexivity|]. rewrite set1_val; trivial.
  destruct (Nat.eqb_spec x (u_x u)) as [E|]; [|reflexivity]. exfalso. apply (H u (or_introl eq_refl)). auto.
Qed.
Lemma set_all_agree D us : (forall u, In u us -> ~ D (u_y u)) -> forall v w, cagree D v w -> cagree D (set_all us v) (set_all us w).
Proof.
  induction us as [|u us IH]; intros H v w A; [exact A|]. unfold set_all in *. cbn [fold_left]. apply IH; [intros; apply H; right; trivial|].
  intro x. destruct (Nat.eq_dec (u_x u) 0) as [Z|Z]; [unfold set1; rewrite Z; apply A|]. rewrite !set1_val by trivial.
  destruct (x =? u_x u)%nat; [|apply A]. right. destruct (A (u_y u)) as [B|B]; [destruct (H u (or_introl eq_refl) B)|]. rewrite B. reflexivity.
Qed.
Lemma negative_agree D us : (forall u, In u us -> ~ D (u_y u)) -> forall v w, cagree D v w -> negative us v -> negative us w.
Proof.
  induction us as [|u us IH]; intros H v w A N; [exact N|]. destruct N as [N|N].
  - left. destruct (A (u_y u)) as [B|B]; [destruct (H u (or_introl eq_refl) B)|]. rewrite <- B. exact N.
  - right. apply (IH) with (set1 u v); trivial; [intros; apply H; right; trivial|]. apply (set_all_agree D [u]); trivial.
    intros x [<-|[]]. apply H. left. trivial.
Qed.

(* ---- Transitions ---- *)

Definition eR (e : edge) : list nat := flat_map ar (e_guard e) ++ sr (e_update e).
Definition eW (e : edge) : list nat := sw (e_update e).
Definition eC (e : edge) : list nat := flat_map ac (e_guard e) ++ sy (e_update e).
Definition eX (e : edge) : list nat := sx (e_update e).
Definition pedge (e : edge) : bool := forallb pa (e_guard e) && ps (e_update e).

(* What a transition does, whatever others could do instead. *)
Definition acts (s : state) (v : valuation) (es : list edge) (s' : state) (v' : valuation) : Prop :=
  exists us, holds n s v (guard es) /\ fire n s es = Ok (s', us) /\ ~ negative us v /\ same v' (set_all us v) /\ holds n s' v' (invariant n s').

Hypothesis no_before : n_before n = [].
Hypothesis no_after : n_after n = [].

Definition relocated (es : list edge) (l : list nat) : list nat := fold_left (fun l e => set_loc l (e_process e) (e_target e)) es l.
Lemma fire_eq s es : fire n s es = bind (updates n s [] (map code es)) (fun r => Ok (State (relocated es (locs (fst r))) (vars (fst r)), snd r)).
Proof. unfold fire. rewrite no_before, no_after, app_nil_r. reflexivity. Qed.

Record fired (es : list edge) (s s' : state) (us : list upd) : Prop := {
  fi_locs : locs s' = relocated es (locs s);
  fi_vars : agree (fun k => In k (flat_map eW es)) s s';
  fi_range : ranged n s -> ranged n s';
  fi_upd : forall u, In u us -> exists e, In e es /\ In (u_x u) (eX e) /\ In (u_y u) (sy (e_update e)) /\ (In (u_x u) (sb (e_update e)) \/ u_y u = 0%nat /\ u_c u = 0);
  fi_must : forall e x, In e es -> In x (sm (e_update e)) -> exists u, In u us /\ u_x u = x }.
Lemma fire_fired s es s' us : fire n s es = Ok (s', us) -> fired es s s' us.
Proof.
  rewrite fire_eq. intro H. apply bind_ok in H. destruct H as ([t r] & E & H). cbn [fst snd] in H. injection H as <- <-.
  destruct (updates_updated _ _ _ _ _ E) as [L N V R (l & U & A & M)]. simpl in U. subst r. constructor.
  - cbn [locs]. rewrite L. trivial.
  - split; [cbn [vars]; congruence|]. intro k. cbn [vars]. destruct (in_dec Nat.eq_dec k (flat_map eW es)) as [I|I]; [auto|right].
    symmetry. apply V. rewrite flat_map_concat_map, map_map, <- flat_map_concat_map. exact I.
  - intro X. destruct (R X) as [R1 R2]. split; trivial.
  - intros u I. destruct (A u I) as (c & J & K). apply in_map_iff in J. destruct J as (e & <- & J). exists e. split; trivial.
  - intros e x I J. apply (M (code e) x); [apply in_map|]; trivial.
Qed.
Lemma fire_agree X es s t : (forall e, In e es -> pedge e = true /\ clean X (eR e)) -> agree X s t ->
  alike (fun a b => agree X (fst a) (fst b) /\ snd a = snd b) (fire n s es) (fire n t es).
Proof.
  intros H A. rewrite !fire_eq. eapply alike_bind.
  - apply (updates_agree X (map code es)); [|exact A]. intros c I. apply in_map_iff in I. destruct I as (e & <- & I). destruct (H e I) as [P C].
    unfold pedge in P. apply andb_prop in P. unfold eR in C. apply clean_app in C. split; [apply P|apply C].
  - intros [a x] [b y] [B E]. cbn [fst snd] in *. subst y. split; [|trivial]. destruct B. split; trivial.
Qed.
Lemma guard_agree X D es s t v w : (forall e, In e es -> pedge e = true /\ clean X (eR e) /\ clean D (eC e)) -> agree X s t -> cagree D v w ->
  holds n s v (guard es) -> holds n t w (guard es).
Proof.
  intros H A B G a I. unfold guard in I. apply in_flat_map in I. destruct I as (e & Ie & Ia). destruct (H e Ie) as (P & C & K).
  unfold pedge in P. apply andb_prop in P. unfold eR in C. apply clean_app in C. unfold eC in K. apply clean_app in K.
  apply (holds_agree X D (e_guard e) s t v w); [apply P|apply C|apply K|trivial|trivial| |trivial].
  intros b Ib. apply G. unfold guard. apply in_flat_map. eauto.
Qed.

Lemma set_loc_nth l : forall p x q, nth_error (set_loc l p x) q = if (q =? p)%nat then match nth_error l q with None => None | Some _ => Some x end else nth_error l q.
Proof.
  induction l as [|a l IH]; intros p x q.
  - destruct p as [|p]; destruct q as [|q]; cbn [set_loc nth_error Nat.eqb]; try reflexivity. destruct (q =? p)%nat; reflexivity.
  - destruct p as [|p], q as [|q]; simpl; trivial.
Qed.
Lemma relocated_length es : forall l, length (relocated es l) = length l.
Proof.
  assert (S : forall l p x, length (set_loc l p x) = length l) by (induction l as [|a l IH]; intros [|p] x; simpl; auto).
  unfold relocated. induction es as [|e es IH]; intro l; cbn [fold_left]; [trivial|]. rewrite IH. apply S.
Qed.
Lemma relocated_other es : forall l q, (forall e, In e es -> e_process e <> q) -> nth_error (relocated es l) q = nth_error l q.
Proof.
  unfold relocated. induction es as [|e es IH]; intros l q H; cbn [fold_left]; [trivial|]. rewrite IH; [|intros; apply H; right; trivial].
  rewrite set_loc_nth. destruct (Nat.eqb_spec q (e_process e)) as [->|]; [destruct (H e (or_introl eq_refl)); trivial|trivial].
Qed.
(* Where a process is afterwards depends on where it was before alone. *)
Lemma relocated_at es q : forall l m, nth_error l q = nth_error m q -> nth_error (relocated es l) q = nth_error (relocated es m) q.
Proof.
  unfold relocated. induction es as [|e es IH]; intros l m H; cbn [fold_left]; [trivial|]. apply IH. rewrite !set_loc_nth, H. trivial.
Qed.
Lemma list_ext {A} (l : list A) : forall m, (forall k, nth_error l k = nth_error m k) -> l = m.
Proof.
  induction l as [|a l IH]; intros [|b m] H; trivial; [discriminate (H 0%nat)|discriminate (H 0%nat)|].
  pose proof (H 0%nat) as E. injection E as ->. f_equal. apply IH. intro k. exact (H (S k)).
Qed.

Definition apart (a t : list edge) : Prop := forall e f, In e a -> In f t -> e_process e <> e_process f.
Definition independent (a t : list edge) : Prop := forall e f, In e a -> In f t ->
  clean (fun k => In k (eW f)) (eR e) /\ clean (fun k => In k (eW f)) (eW e) /\ clean (fun k => In k (eW e)) (eR f) /\
  clean (fun k => In k (eX f)) (eC e) /\ clean (fun k => In k (eX f)) (eX e) /\ clean (fun k => In k (eX e)) (eC f).

Lemma clean_all (f : edge -> list nat) es l : (forall e, In e es -> clean (fun k => In k (f e)) l) -> clean (fun k => In k (flat_map f es)) l.
Proof. intros H k I J. apply in_flat_map in J. destruct J as (e & Ie & J). exact (H e Ie k I J). Qed.

(* The first of them can be taken second, if what it makes of the invariants is right. *)
Lemma swap a t s v s1 v1 s2 v2 : (forall e, In e a -> pedge e = true) -> (forall e, In e t -> pedge e = true) -> apart a t -> independent a t ->
  acts s v t s1 v1 -> acts s1 v1 a s2 v2 ->
  exists m w us, fire n s a = Ok (m, us) /\ same w (set_all us v) /\ locs m = relocated a (locs s) /\
    agree (fun k => In k (flat_map eW t)) m s2 /\ agree (fun k => In k (flat_map eW a)) s m /\
    cagree (fun k => In k (flat_map eX t)) w v2 /\ cagree (fun k => In k (flat_map eX a)) v w /\
    (holds n m w (invariant n m) -> acts s v a m w /\ acts m w t s2 v2).
Proof.
  intros Pa Pt Ap In_ (ut & Gt & Ft & Nt & St & It) (ua & Ga & Fa & Na & Sa & Ia).
  set (X := fun k => In k (flat_map eW t)) in *. set (D := fun k => In k (flat_map eX t)) in *.
  set (Y := fun k => In k (flat_map eW a)) in *. set (E := fun k => In k (flat_map eX a)) in *.
  pose proof (fire_fired _ _ _ _ Ft) as [Lt Vt _ Ut _]. pose proof (fire_fired _ _ _ _ Fa) as [La Va _ Ua _]. fold X in Vt. fold Y in Va.
  assert (Ca : forall e, In e a -> pedge e = true /\ clean X (eR e) /\ clean D (eC e)).
  { intros e I. split; [auto|]. split; apply clean_all; intros f J; apply (In_ e f I J). }
  assert (Ct : forall e, In e t -> pedge e = true /\ clean Y (eR e) /\ clean E (eC e)).
  { intros f J. split; [auto|]. split; apply clean_all; intros e I; apply (In_ e f I J). }
  assert (XY : forall k, X k -> Y k -> False).
  { intros k HX HY. apply in_flat_map in HX. destruct HX as (f & J & HX). apply in_flat_map in HY. destruct HY as (e & I & HY).
    destruct (In_ e f I J) as (_ & C & _). exact (C k HY HX). }
  assert (DE : forall k, D k -> E k -> False).
  { intros k HX HY. apply in_flat_map in HX. destruct HX as (f & J & HX). apply in_flat_map in HY. destruct HY as (e & I & HY).
    destruct (In_ e f I J) as (_ & _ & _ & _ & C & _). exact (C k HY HX). }
  (* clocks that updates set and read *)
  assert (SetsT : forall v x, ~ D x -> (val (set_all ut v) x == val v x)%Q).
  { intros u x H. apply set_all_other. intros y I Eq. apply H. destruct (Ut y I) as (e & Ie & Ix & _). apply in_flat_map. exists e. rewrite <- Eq. auto. }
  assert (SetsA : forall v x, ~ E x -> (val (set_all ua v) x == val v x)%Q).
  { intros u x H. apply set_all_other. intros y I Eq. apply H. destruct (Ua y I) as (e & Ie & Ix & _). apply in_flat_map. exists e. rewrite <- Eq. auto. }
  assert (ReadsA : forall u, In u ua -> ~ D (u_y u)).
  { intros u I. destruct (Ua u I) as (e & Ie & _ & Iy & _). destruct (Ca e Ie) as (_ & _ & C). apply C, in_or_app. auto. }
  assert (ReadsT : forall u, In u ut -> ~ E (u_y u)).
  { intros u I. destruct (Ut u I) as (e & Ie & _ & Iy & _). destruct (Ct e Ie) as (_ & _ & C). apply C, in_or_app. auto. }
  assert (Dd : forall x, D x \/ ~ D x) by (intro x; destruct (in_dec Nat.eq_dec x (flat_map eX t)); auto).
  assert (Ed : forall x, E x \/ ~ E x) by (intro x; destruct (in_dec Nat.eq_dec x (flat_map eX a)); auto).
  assert (V1 : cagree D v v1).
  { intro x. destruct (Dd x) as [H|H]; [auto|right]. rewrite (same_val _ _ St x). symmetry. apply SetsT. trivial. }
  pose proof (fire_agree X a s s1 ltac:(intros e I; destruct (Ca e I) as (A & B & _); auto) Vt) as Fm. rewrite Fa in Fm.
  destruct (fire n s a) as [| |[m ua']] eqn:Em; [destruct Fm|destruct Fm|destruct Fm as [Am Eu]]. cbn [fst snd] in *. subst ua'.
  pose proof (fire_fired _ _ _ _ Em) as [Lm Vm _ _ _]. fold Y in Vm.
  exists m, (set_all ua v), ua.
  assert (W2 : cagree D (set_all ua v) v2).
  { apply cagree_trans with (set_all ua v1); [apply set_all_agree; trivial|]. apply cagree_same. intro k. symmetry. apply Sa. }
  assert (W0 : cagree E v (set_all ua v)).
  { intro x. destruct (Ed x) as [H|H]; [auto|right]. symmetry. apply SetsA. trivial. }
  repeat (split; [first [trivial | reflexivity | apply same_refl]|]). intro Im.
  split.
  { exists ua. split; [apply (guard_agree X D a s1 s v1 v); trivial; [apply agree_sym|apply cagree_sym]; trivial|]. split; [trivial|].
    split; [|split; [apply same_refl|trivial]]. intro N. apply Na. exact (negative_agree D ua ReadsA _ _ V1 N). }
  pose proof (fire_agree Y t s m ltac:(intros e I; destruct (Ct e I) as (A & B & _); auto) Vm) as Fn. rewrite Ft in Fn.
  destruct (fire n m t) as [| |[s2' ut']] eqn:En; [destruct Fn|destruct Fn|destruct Fn as [An Eu]]. cbn [fst snd] in *. subst ut'.
  pose proof (fire_fired _ _ _ _ En) as [Ln Vn _ _ _]. fold X in Vn.
  assert (s2' = s2).
  { destruct s2' as [l2' y2'], s2 as [l2 y2]. f_equal.
    - cbn [locs] in *. subst l2 l2'. rewrite Lm, Lt. apply list_ext. intro q.
      destruct (existsb (fun e => Nat.eqb (e_process e) q) a) eqn:Q.
      + apply existsb_exists in Q. destruct Q as (e & Ie & Q). apply Nat.eqb_eq in Q.
        rewrite relocated_other; [|intros f J Eq; apply (Ap e f Ie J); congruence]. apply relocated_at.
        symmetry. apply relocated_other. intros f J Eq. apply (Ap e f Ie J). congruence.
      + assert (N : forall e, In e a -> e_process e <> q).
        { intros e Ie Eq. assert (T : existsb (fun e => Nat.eqb (e_process e) q) a = true) by (apply existsb_exists; exists e; split; [trivial|apply Nat.eqb_eq; trivial]). congruence. }
        rewrite (relocated_other a _ q N). apply relocated_at. apply relocated_other. trivial.
    - apply list_ext. intro k. destruct (in_dec Nat.eq_dec k (flat_map eW t)) as [HX|HX].
      + assert (K : ~ Y k) by (intro Z; exact (XY k HX Z)). destruct An as [_ An]. destruct (An k) as [Z|Z]; [contradiction|].
        destruct Va as [_ Va]. destruct (Va k) as [Z'|Z']; [contradiction|]. cbn [vars] in *. congruence.
      + destruct Vn as [_ Vn]. destruct (Vn k) as [Z|Z]; [contradiction|]. destruct Am as [_ Am]. destruct (Am k) as [Z'|Z']; [contradiction|]. cbn [vars] in *. congruence. }
  subst s2'. exists ut. split; [apply (guard_agree Y E t s m v (set_all ua v)); trivial|]. split; [trivial|].
  split; [intro N; apply Nt; exact (negative_agree E ut ReadsT _ _ (cagree_sym _ _ _ W0) N)|]. split; [|trivial].
  intro k. change (val v2 (S k) == val (set_all ut (set_all ua v)) (S k))%Q. destruct (Dd (S k)) as [HX|HX].
  - assert (K : ~ E (S k)) by (intro Z; exact (DE _ HX Z)). rewrite (same_val _ _ Sa (S k)), SetsA, (same_val _ _ St (S k)) by trivial.
    destruct (set_all_agree E ut ReadsT _ _ W0 (S k)) as [Z|Z]; [contradiction|exact Z].
  - rewrite SetsT by trivial. destruct (W2 (S k)) as [Z|Z]; [contradiction|]. symmetry. exact Z.
Qed.
End Network.
