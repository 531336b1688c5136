(* Why the rules of Reduced.v are enough: a run that begins with a transition that is left out has a permutation that
   does not, and is no longer. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Footprint Commute Ranges Reduced.
Import ListNotations.
Open Scope Z_scope.

Lemma disjoint_clean_r a b : disjoint a b = true -> clean (fun k => In k a) b.
Proof. intros H k I J. exact (disjoint_clean a b H k J I). Qed.
Lemma clean_incl (X Y : nat -> Prop) l : (forall k, Y k -> X k) -> clean X l -> clean Y l.
Proof. intros H C k I J. exact (C k I (H k J)). Qed.
Lemma clean_sub X a b : incl a b -> clean X b -> clean X a.
Proof. intros H C k I. apply C, H, I. Qed.
Lemma disjoint_sub a b a' b' : disjoint a b = true -> incl a' a -> incl b' b -> clean (fun k => In k b') a'.
Proof. intros H A B k I J. exact (disjoint_clean a b H k (A k I) (B k J)). Qed.

Lemma some_inj {A} (a b : A) : Some a = Some b -> a = b.
Proof. intro H. injection H. trivial. Qed.

Section Network.
Variable n : net.
Hypothesis well : well_formed n.
Hypothesis red : reducible n = true.

Lemma red_parts : unrated n = true /\ n_before n = [] /\ n_after n = [] /\ has_ranks n = false /\ safe n = true /\
  (forall ps q, In ps (n_syncs n) -> In q ps -> p_kind q = Strong) /\ (forall e, In e (all_edges n) -> pedge e = true) /\
  (forall p l, forallb pa (inv_at n p l) = true).
Proof.
  pose proof red as H. unfold reducible in H. split_and.
  split; [trivial|]. split; [destruct (n_before n); [trivial|discriminate]|]. split; [destruct (n_after n); [trivial|discriminate]|].
  split; [destruct (has_ranks n); [discriminate|trivial]|]. split; [trivial|]. split; [|split].
  - intros l q I J.
    match goal with A : forallb (forallb strong_part) _ = true |- _ => rewrite forallb_forall in A; specialize (A _ I); rewrite forallb_forall in A; specialize (A _ J) end.
    unfold strong_part in *. destruct (p_kind q); [trivial|discriminate|discriminate].
  - match goal with A : forallb pedge _ = true |- _ => rewrite forallb_forall in A; exact A end.
  - intros p l. unfold inv_at. destruct (nth_error (n_processes n) p) as [ls|] eqn:E; [|trivial]. destruct (nth_error ls l) as [x|] eqn:F; [|trivial].
    match goal with A : forallb (forallb (fun _ => forallb pa _)) _ = true |- _ => rewrite forallb_forall in A; specialize (A _ (nth_error_In _ _ E));
      rewrite forallb_forall in A; exact (A _ (nth_error_In _ _ F)) end.
Qed.
Definition red_unrated := proj1 red_parts.
Definition red_before := proj1 (proj2 red_parts).
Definition red_after := proj1 (proj2 (proj2 red_parts)).
Definition red_ranks := proj1 (proj2 (proj2 (proj2 red_parts))).
Definition red_safe := proj1 (proj2 (proj2 (proj2 (proj2 red_parts)))).
Definition red_strong := proj1 (proj2 (proj2 (proj2 (proj2 (proj2 red_parts))))).
Definition red_pedge := proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 red_parts)))))).
Definition red_inv := proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 red_parts)))))).

Lemma out_all p l e : In e (out_at n p l) -> In e (all_edges n).
Proof.
  unfold out_at, all_edges. intro I. destruct (nth_error (n_processes n) p) as [ls|] eqn:E; [|destruct I].
  destruct (nth_error ls l) as [x|] eqn:F; [|destruct I]. apply in_flat_map. exists ls. split; [eapply nth_error_In; eauto|].
  apply in_flat_map. exists x. split; [eapply nth_error_In; eauto|trivial].
Qed.
Lemma here_at s p e : here n s p e <-> exists l, nth_error (locs s) p = Some l /\ In e (out_at n p l).
Proof.
  unfold here, location_of, out_at. split.
  - intros (x & L & I). destruct (nth_error (n_processes n) p) as [ls|]; [|discriminate]. destruct (nth_error (locs s) p) as [l|]; [|discriminate].
    exists l. split; [trivial|]. rewrite L. trivial.
  - intros (l & E & I). rewrite E. destruct (nth_error (n_processes n) p) as [ls|]; [|destruct I]. destruct (nth_error ls l) as [x|]; [|destruct I].
    eauto.
Qed.
Lemma here_process s p e : here n s p e -> e_process e = p /\ In p (processes n) /\ exists l, target_of n e = Some l.
Proof.
  intros (x & L & I). unfold location_of in L. destruct (nth_error (n_processes n) p) as [ls|] eqn:E; [|discriminate].
  destruct (nth_error (locs s) p) as [l|]; [|discriminate]. destruct (edges_leave n well p ls x e E (nth_error_In _ _ L) I) as [P T].
  split; [trivial|]. split; [apply in_seq; split; [lia|]; simpl; apply nth_error_Some; congruence|].
  unfold target_of. rewrite P, E. apply nth_error_Some in T. destruct (nth_error ls (e_target e)); [eauto|congruence].
Qed.
Lemma invariant_at s p : invariant_of n s p = match nth_error (locs s) p with None => [] | Some l => inv_at n p l end.
Proof.
  unfold invariant_of, location_of, inv_at. destruct (nth_error (n_processes n) p) as [ls|]; destruct (nth_error (locs s) p) as [l|]; trivial.
Qed.
Lemma here_moved s t p e : nth_error (locs t) p = nth_error (locs s) p -> here n s p e -> here n t p e.
Proof. rewrite !here_at. intros E (l & L & I). exists l. rewrite E. auto. Qed.
Lemma committed_moved s t p : nth_error (locs t) p = nth_error (locs s) p -> committed n s p -> committed n t p.
Proof. unfold committed, location_of. intros E (l & L & C). rewrite E. eauto. Qed.

(* ---- Zero time ---- *)

Lemma covers_pair_in seen l z : covers_pair seen l z = true -> exists z', In (l, z') seen /\ incl z' z.
Proof.
  unfold covers_pair. intro H. apply existsb_exists in H. destruct H as ((l' & z') & I & H). apply andb_prop in H. destruct H as [E S].
  apply Nat.eqb_eq in E. cbn [fst snd] in *. subst l'. exists z'. split; [trivial|]. intros k J. unfold subset in S. rewrite forallb_forall in S.
  apply mem_in. auto.
Qed.
Notation bad := (bad_sets n).
Record sound_info (p : nat) (e : edge) (i : info) : Prop := {
  si_edge : i_edge i = e;
  si_first : exists z, In (e_target e, z) (i_reach i) /\ incl z (zeros bad e);
  si_next : forall l z f, In (l, z) (i_reach i) -> In f (out_at n p l) -> blocks z f = false ->
    In f (i_edges i) /\ exists z', In (e_target f, z') (i_reach i) /\ incl z' (z ++ zeros bad f);
  si_good : forall l z y, In (l, z) (i_reach i) -> In y z -> ~ In y bad;
  si_self : In e (i_edges i);
  si_feet : forall f, In f (i_edges i) -> incl (eR f) (i_reads i) /\ incl (eW f) (i_writes i) /\ incl (eC f) (i_creads i) /\
    incl (eX f) (i_csets i) /\ In (e_event f) (i_events i);
  si_quiet : i_quiet i = true -> forall f, In f (i_edges i) -> edge_sure n (ranges n) f = true;
  si_invs : forall l z, In (l, z) (i_reach i) -> incl (flat_map ar (inv_at n p l)) (i_reads i) /\ incl (flat_map ac (inv_at n p l)) (i_creads i) }.
Lemma flat_incl {A} (f : A -> list nat) l x : In x l -> incl (f x) (flat_map f l).
Proof. intros I k J. apply in_flat_map. eauto. Qed.
Lemma nodup_incl (l m : list nat) : incl l m -> incl l (nodup Nat.eq_dec m).
Proof. intros H k I. apply nodup_In. auto. Qed.
Lemma info_sound p e i : info_of n (ranges n) bad p e = Some i -> sound_info p e i.
Proof.
  unfold info_of. cbv zeta. generalize (wander n 500 bad p [(e_target e, zeros bad e)] []). intro seen. destruct (_ && _) eqn:H; [|discriminate]. intro E. apply some_inj in E. subst i.
  apply andb_prop in H. destruct H as [C S]. unfold closed in C. rewrite forallb_forall in C. constructor; cbn [i_edge i_reach i_edges i_reads i_writes i_creads i_csets i_events i_quiet].
  - trivial.
  - destruct (covers_pair_in _ _ _ S) as (z & I & J). eauto.
  - intros l z f I J B. specialize (C _ I). apply andb_prop in C. destruct C as [_ C]. cbn [fst snd] in C. rewrite forallb_forall in C. specialize (C f J).
    rewrite B in C. cbn [orb] in C. split; [|exact (covers_pair_in _ _ _ C)]. right. apply in_flat_map. exists (l, z). split; [trivial|].
    apply filter_In. split; [trivial|]. cbn [fst snd]. rewrite B. trivial.
  - intros l z y I J. specialize (C _ I). apply andb_prop in C. destruct C as [C _]. cbn [snd] in C. rewrite forallb_forall in C. specialize (C y J).
    apply mem_not. apply negb_true_iff. trivial.
  - left. trivial.
  - intros f I. set (es := e :: _) in *. repeat split.
    + apply nodup_incl, incl_appl, flat_incl. trivial.
    + apply nodup_incl, flat_incl. trivial.
    + apply nodup_incl, incl_appl, flat_incl. trivial.
    + apply nodup_incl, flat_incl. trivial.
    + apply nodup_In, in_map. trivial.
  - intros Qt f I. rewrite forallb_forall in Qt. auto.
  - intros l z I. split; apply nodup_incl, incl_appr; intros k J; apply in_flat_map in J; destruct J as (a & Ia & J); apply in_flat_map; exists a;
      (split; [apply in_flat_map; exists (l, z); auto|trivial]).
Qed.
Lemma infos_nth pss : forall p k, nth_error (infos_from n (ranges n) bad p pss) k =
  match nth_error pss k with None => None | Some ls => Some (map (fun l => map (info_of n (ranges n) bad (p + k)) (l_out l)) ls) end.
Proof.
  induction pss as [|ls pss IH]; intros p [|k]; simpl; trivial.
  - rewrite Nat.add_0_r. trivial.
  - rewrite IH. replace (S p + k)%nat with (p + S k)%nat by lia. trivial.
Qed.
Lemma infos_here s p r : In r (infos_at (infos n) s p) <-> exists e, here n s p e /\ r = info_of n (ranges n) bad p e.
Proof.
  unfold infos_at, infos, here, location_of. rewrite infos_nth. cbn [Nat.add]. destruct (nth_error (n_processes n) p) as [ls|].
  2: { split; [intros []|intros (e & (l & E & _) & _); discriminate]. }
  destruct (nth_error (locs s) p) as [l|]; [|split; [intros []|intros (e & (x & E & _) & _); discriminate]].
  destruct (nth_error ls l) as [x|] eqn:E.
  - rewrite (map_nth_error _ _ _ E), in_map_iff. split.
    + intros (e & <- & I). exists e. split; [exists x; auto|trivial].
    + intros (e & (y & F & I) & ->). injection F as <-. exists e. auto.
  - assert (N : nth_error (map (fun l => map (info_of n (ranges n) bad p) (l_out l)) ls) l = None).
    { apply nth_error_None. rewrite map_length. apply nth_error_None. trivial. }
    rewrite N. split; [intros []|intros (e & (y & F & _) & _); discriminate].
Qed.

(* A clock that is only set to 0. *)
Lemma set_zero us y : (forall u, In u us -> u_x u = y -> u_y u = 0%nat /\ u_c u = 0) -> forall v,
  ((val v y == 0)%Q \/ (exists u, In u us /\ u_x u = y)) -> (val (set_all us v) y == 0)%Q.
Proof.
  induction us as [|u us IH]; intros H v Z; [destruct Z as [Z|(u & [] & _)]; exact Z|]. unfold set_all in *. cbn [fold_left].
  apply IH; [intros; apply H; trivial; right; trivial|]. destruct y as [|y]; [left; reflexivity|].
  destruct (Nat.eq_dec (u_x u) (S y)) as [E|E].
  - left. rewrite set1_val by congruence. rewrite E, Nat.eqb_refl. destruct (H u (or_introl eq_refl) E) as [-> ->].
    change (0 + 0 == 0)%Q. reflexivity.
  - destruct Z as [Z|(w & [<-|I] & W)]; [left|congruence|right; eauto].
    destruct (Nat.eq_dec (u_x u) 0) as [O|O]; [unfold set1; rewrite O; exact Z|]. rewrite set1_val by trivial.
    destruct (Nat.eqb_spec (S y) (u_x u)); [congruence|exact Z].
Qed.
Lemma set_down us y : (forall u, In u us -> u_x u = y -> u_y u = 0%nat /\ u_c u = 0) -> forall v, nonneg v -> ~ negative us v ->
  (val (set_all us v) y <= val v y)%Q.
Proof.
  induction us as [|u us IH]; intros H v N G; [apply Qle_refl|]. unfold set_all in *. cbn [fold_left]. simpl in G.
  assert (N1 : nonneg (set1 u v)) by (apply (nonneg_set [u]); simpl; tauto).
  eapply Qle_trans; [apply IH; [intros; apply H; trivial; right; trivial|exact N1|tauto]|].
  destruct y as [|y]; [apply Qle_refl|]. destruct (Nat.eq_dec (u_x u) 0) as [O|O]; [unfold set1; rewrite O; apply Qle_refl|]. rewrite set1_val by trivial.
  destruct (Nat.eqb_spec (S y) (u_x u)) as [E|]; [|apply Qle_refl]. destruct (H u (or_introl eq_refl) (eq_sym E)) as [-> ->].
  pose proof (nonneg_val v (S y) N). cbn [val]. change (inject_Z 0) with 0%Q. simpl in *. lra.
Qed.
Lemma bad_edge f y : In f (all_edges n) -> ~ In y bad -> ~ In y (sb (e_update f)).
Proof. intros I B J. apply B. unfold bad_sets. apply in_flat_map. eauto. Qed.

Lemma lower_means s v e y o g : In (y, o, g) (lowers e) -> holds n s v (e_guard e) ->
  clock_compare o (val v y - val v 0) (inject_Z g) /\ ((val v y == 0)%Q -> False) /\ (o = Ge \/ o = Gt).
Proof.
  unfold lowers. intros I H. apply in_flat_map in I. destruct I as (a & Ia & I). destruct (lower a) as [[[y' o'] g']|] eqn:L; [|destruct I].
  destruct I as [I|[]]. injection I as -> -> ->. specialize (H a Ia). unfold lower in L.
  destruct a as [|[x|] [[|k]|] o' e'|]; try discriminate. destruct e' as [z| | | | | | | | | | | | | | | | | |]; try discriminate.
  unfold is in H. cbn [ask clock_of eval] in H. unfold fit in H. destruct (_ && _); [|destruct H].
  destruct o'; try discriminate.
  - destruct (Z.ltb_spec 0 z) as [P|]; [|discriminate]. injection L as -> <- ->. cbn [clock_compare] in *. apply inj_lt in P. change (inject_Z 0) with 0%Q in P. simpl (val v 0) in *.
    split; [lra|split; [intro; lra|auto]].
  - destruct (Z.leb_spec 0 z) as [P|]; [|discriminate]. injection L as -> <- ->. cbn [clock_compare] in *. apply inj_le in P. change (inject_Z 0) with 0%Q in P. simpl (val v 0) in *.
    split; [lra|split; [intro; lra|auto]].
  - destruct (Z.ltb_spec 0 z) as [P|]; [|discriminate]. injection L as -> <- ->. cbn [clock_compare] in *. apply inj_lt in P. change (inject_Z 0) with 0%Q in P. simpl (val v 0) in *.
    split; [lra|split; [intro; lra|auto]].
Qed.
Lemma not_blocked s v e z : holds n s v (e_guard e) -> (forall y, In y z -> (val v y == 0)%Q) -> blocks z e = false.
Proof.
  intros H Z. destruct (blocks z e) eqn:B; [exfalso|trivial]. unfold blocks in B. apply existsb_exists in B. destruct B as ([[y o] g] & I & M).
  cbn [fst] in M. apply mem_in in M. destruct (lower_means s v e y o g I H) as (_ & F & _). auto.
Qed.

(* ---- Joint transitions ---- *)

Definition meets_by (s : state) (ps : list part) (es : list edge) : Prop :=
  Forall2 (fun p e => here n s (p_process p) e /\ e_event e = p_event p) ps es.
Definition formed (s : state) (es : list edge) : Prop :=
  (exists ps, In ps (n_syncs n) /\ meets_by s ps es /\ es <> []) \/
  (exists p e, es = [e] /\ In p (processes n) /\ here n s p e /\ ~ shared n p (e_event e)).
Definition is_led (s : state) (es : list edge) : Prop :=
  (exists p, In p (processes n) /\ committed n s p) -> exists e, In e es /\ committed n s (e_process e).
Lemma joint_formed s v es : joint n s v es <-> formed s es /\ is_led s es.
Proof.
  unfold joint, formed, is_led. assert (J : forall ps es, (forall q, In q ps -> p_kind q = Strong) -> joins n s v ps es <-> meets_by s ps es).
  { intros ps es' S. split.
    - induction 1 as [|p ps e es0 H E Nr J IH|p ps es0 W N J IH]; [constructor| |].
      + constructor; [auto|]. apply IH. intros; apply S; right; trivial.
      + exfalso. apply W, S. left. trivial.
    - intro M. revert S. induction M as [|p e ps es0 [H E] M IH]; intro S; [constructor|]. apply joins_take; trivial.
      + intro K. rewrite (S p (or_introl eq_refl)) in K. discriminate.
      + apply IH. intros; apply S; right; trivial. }
  split; (intros [[(ps & I & A & B)|R] C]; (split; [|exact C])); try (right; exact R); left; exists ps;
    (split; [trivial|split; [apply (J ps es); trivial; intros q Iq; eapply red_strong; eauto|trivial]]).
Qed.
Lemma forall2_in {A B} (R : A -> B -> Prop) l m : Forall2 R l m -> forall b, In b m -> exists a, In a l /\ R a b.
Proof. induction 1; intros c []; subst; eauto using in_eq, in_cons. destruct (IHForall2 c H1) as (a & I & J). eauto using in_cons. Qed.
Lemma forall2_in_l {A B} (R : A -> B -> Prop) l m : Forall2 R l m -> forall a, In a l -> exists b, In b m /\ R a b.
Proof. induction 1; intros c []; subst; eauto using in_eq, in_cons. destruct (IHForall2 c H1) as (b & I & J). eauto using in_cons. Qed.
Lemma formed_here s es e : formed s es -> In e es -> here n s (e_process e) e.
Proof.
  intros [(ps & I & M & _)|(p & f & -> & P & H & _)] J.
  - destruct (forall2_in _ _ _ M e J) as (q & Iq & H & _). destruct (here_process _ _ _ H) as (Ep & _). rewrite Ep. trivial.
  - destruct J as [<-|[]]. destruct (here_process _ _ _ H) as (Ep & _). rewrite Ep. trivial.
Qed.
Lemma formed_moved s t es : (forall e, In e es -> nth_error (locs t) (e_process e) = nth_error (locs s) (e_process e)) -> formed s es -> formed t es.
Proof.
  intros L [(ps & I & M & N)|(p & e & -> & P & H & N)].
  - left. exists ps. split; [trivial|]. split; [|trivial]. clear I N. induction M as [|q e ps es [H E] M IH]; constructor.
    + split; [|trivial]. apply here_moved with s; [|trivial]. destruct (here_process _ _ _ H) as (Ep & _). rewrite <- Ep. apply L. left. trivial.
    + apply IH. intros; apply L; right; trivial.
  - right. exists p, e. repeat (split; trivial). apply here_moved with s; [|trivial]. destruct (here_process _ _ _ H) as (Ep & _). rewrite <- Ep. apply L. left. trivial.
Qed.
Lemma formed_once s es : formed s es -> NoDup (map e_process es).
Proof.
  intros [(ps & I & M & _)|(p & e & -> & _)]; [|repeat constructor; intros []]. pose proof (parts_once n well ps I) as D.
  assert (E : map e_process es = map p_process ps); [|rewrite E; trivial]. clear I D. induction M as [|q e ps es [H E] M IH]; [trivial|].
  simpl. rewrite IH. destruct (here_process _ _ _ H) as (-> & _). trivial.
Qed.
Lemma formed_cons s es : formed s es -> es <> [].
Proof. intros [(ps & _ & _ & N)|(p & e & -> & _)]; [trivial|discriminate]. Qed.
Lemma relocated_to es : forall l e, NoDup (map e_process es) -> In e es -> nth_error l (e_process e) <> None ->
  nth_error (relocated es l) (e_process e) = Some (e_target e).
Proof.
  induction es as [|f es IH]; intros l e D I N; [destruct I|]. cbn [map] in D. inversion D as [|x y Nx Dy]; subst.
  change (relocated (f :: es) l) with (relocated es (set_loc l (e_process f) (e_target f))). destruct I as [<-|I].
  - rewrite relocated_other; [|intros g J E; apply Nx; rewrite <- E; apply in_map; trivial]. rewrite set_loc_nth, Nat.eqb_refl.
    destruct (nth_error l (e_process f)); [trivial|congruence].
  - apply IH; trivial. rewrite set_loc_nth. destruct (_ =? _)%nat; [destruct (nth_error l (e_process e)); congruence|trivial].
Qed.
Lemma takes_acts s v s' v' : takes n s v s' v' <-> exists es, formed s es /\ is_led s es /\ acts n s v es s' v'.
Proof.
  unfold takes, acts. split.
  - intros (es & us & J & G & _ & F & N & S & H). exists es. apply joint_formed in J. split; [apply J|]. split; [apply J|]. exists us. auto 10.
  - intros (es & F & L & us & G & Fi & N & S & H). exists es, us. split; [apply joint_formed; auto|]. split; [trivial|].
    split; [|auto]. intros (es' & _ & _ & Hi). rewrite (no_ranks n es es' red_ranks (formed_cons _ _ F)) in Hi. discriminate.
Qed.
End Network.
