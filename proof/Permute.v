(* At a node whose set satisfies the rules: a transition of the set that comes later in a run can come first. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Footprint Commute Ranges Reduced Stubborn.
Import ListNotations.
Open Scope Z_scope.

Section Network.
Variable n : net.
Hypothesis well : well_formed n.
Hypothesis red : reducible n = true.
Notation bad := (bad_sets n).
Notation pedges := (red_pedge n red).

Section Node.
Variable s : state.
Variable v : valuation.
Variable cl : claim.
Variable misses : list test -> bool.
Variable q : formula.
Hypothesis misses_sound : forall c, misses c = true -> ~ all_hold c v.
Hypothesis v_nonneg : nonneg v.
Hypothesis v_inv : holds n s v (invariant n s).
Hypothesis v_still : all_hold (at_top n s cl) v.
Variable can : list info.
Let d := sum_up n bad (infos n) s cl misses can.
Let W := d_writes d.
Let K := d_csets d.
Notation is_dead := (dead n bad s cl misses W K).
Hypothesis in_range : forall p, In p (cl_in cl) -> In p (processes n).
Hypothesis all_known : forall i, In i (candidates n (infos n) s cl) -> i <> None.
Hypothesis can_known : forall i, In i can -> In i (known n (infos n) s cl).
Hypothesis can_all : forall i, In i (known n (infos n) s cl) -> live n bad s cl misses d i = true -> In i can.
Hypothesis still : stands_still n s cl d = true.
Hypothesis edges_ok : forall p e, In p (cl_in cl) -> In e (out_edges n s p) -> edge_ok n bad s cl misses d e = true.

Lemma miss_sound ts : miss n s cl misses ts = true -> ~ all_hold ts v.
Proof. intros M A. apply (misses_sound _ M). apply all_hold_app; trivial. Qed.
Lemma refuted_sound e : refuted_guard n s cl misses e = true -> ~ holds n s v (e_guard e).
Proof.
  unfold refuted_guard. intros R H. destruct (judge_holds _ _ _ _ H) as (ts & E & A). rewrite E in R. exact (miss_sound _ R A).
Qed.
Lemma outsider_in p : In p (outsiders n cl) <-> In p (processes n) /\ ~ In p (cl_in cl).
Proof.
  unfold outsiders, is_in. rewrite filter_In. split; intros [A B]; (split; [trivial|]).
  - apply negb_true_iff in B. apply mem_not. trivial.
  - apply negb_true_iff, mem_not. trivial.
Qed.
Lemma known_in i : In i (known n (infos n) s cl) <-> exists p e, In p (processes n) /\ ~ In p (cl_in cl) /\ here n s p e /\ info_of n (ranges n) bad p e = Some i.
Proof.
  unfold known, candidates. rewrite in_flat_map. split.
  - intros (r & I & J). apply in_flat_map in I. destruct I as (p & O & I). apply outsider_in in O. destruct O. apply infos_here in I.
    destruct I as (e & H1 & ->). destruct (info_of n (ranges n) bad p e) as [j|] eqn:E; [|destruct J]. destruct J as [<-|[]]. exists p, e. auto.
  - intros (p & e & P & O & H & E). exists (Some i). split; [|left; trivial]. apply in_flat_map. exists p. split; [apply outsider_in; auto|].
    apply infos_here. exists e. auto.
Qed.
Lemma known_edge p e : In p (processes n) -> ~ In p (cl_in cl) -> here n s p e ->
  exists i, In i (known n (infos n) s cl) /\ sound_info n p e i.
Proof.
  intros P O H. destruct (info_of n (ranges n) bad p e) as [i|] eqn:E.
  - exists i. split; [apply known_in; eauto 6|apply info_sound; trivial].
  - exfalso. apply (all_known None); [|trivial]. unfold candidates. apply in_flat_map. exists p. split; [apply outsider_in; auto|].
    apply infos_here. exists e. auto.
Qed.
Lemma known_means i : In i can -> exists p e, In p (processes n) /\ ~ In p (cl_in cl) /\ here n s p e /\ sound_info n p e i /\ e_process (i_edge i) = p.
Proof.
  intro I. apply can_known, known_in in I. destruct I as (p & e & P & O & H & E). apply info_sound in E. exists p, e.
  repeat (split; trivial). rewrite (si_edge _ _ _ _ E). apply (here_process n well s p e H).
Qed.
Lemma feet i p e f : In i can -> sound_info n p e i -> In f (i_edges i) ->
  incl (eR f) (d_reads d) /\ incl (eW f) W /\ incl (eC f) (d_creads d) /\ incl (eX f) K.
Proof.
  intros I S F. destruct (si_feet _ _ _ _ S f F) as (A & B & C & D & _). unfold W, K, d, sum_up; cbn [d_reads d_writes d_creads d_csets].
  repeat split; (eapply incl_tran; [eassumption|]); apply flat_incl with (f := _); trivial.
Qed.

Lemma some_committed_in s0 : some_committed n s0 = true <-> exists p, In p (processes n) /\ committed n s0 p.
Proof.
  unfold some_committed. split.
  - intro H. destruct (located n _ s0) as [|u us] eqn:L; [discriminate|].
    assert (U : In u (located n (fun l => if l_committed l then [tt] else []) s0)) by (rewrite L; left; trivial).
    apply located_in in U. destruct U as (p & l & P & E & I). exists p. split; [trivial|]. exists l. split; [trivial|]. destruct (l_committed l); [trivial|destruct I].
  - intros (p & P & l & E & C). assert (U : In tt (located n (fun l => if l_committed l then [tt] else []) s0)).
    { apply located_in. exists p, l. rewrite C. split; [trivial|split; [trivial|left; trivial]]. }
    destruct (located n _ s0); [destruct U|trivial].
Qed.

(* ---- Where a run without P can be ---- *)

Record ctx (s1 : state) (v1 : valuation) : Prop := {
  cx_vars : agree (fun k => In k W) s s1;
  cx_clocks : cagree (fun k => In k K) v v1;
  cx_down : forall y, ~ In y bad -> (val v1 y <= val v y)%Q;
  cx_nonneg : nonneg v1;
  cx_inv : holds n s1 v1 (invariant n s1);
  cx_in : forall p, In p (cl_in cl) -> nth_error (locs s1) p = nth_error (locs s) p;
  cx_out : forall p, In p (processes n) -> ~ In p (cl_in cl) -> nth_error (locs s1) p = nth_error (locs s) p \/
    exists i e l z, In i can /\ e_process (i_edge i) = p /\ sound_info n p e i /\ In (l, z) (i_reach i) /\ nth_error (locs s1) p = Some l /\
      forall y, In y z -> (val v1 y == 0)%Q }.

Lemma ctx_here : ctx s v.
Proof.
  constructor; auto.
  - split; auto.
  - intro x. right. reflexivity.
  - intros. apply Qle_refl.
Qed.
Lemma ctx_same s1 v1 v2 : same v2 v1 -> ctx s1 v1 -> ctx s1 v2.
Proof.
  intros S [A B C D E F G]. constructor; trivial.
  - apply cagree_trans with v1; [trivial|]. apply cagree_sym, cagree_same. trivial.
  - intros y H. rewrite (same_val _ _ S y). auto.
  - intro x. rewrite (S x). apply D.
  - apply holds_same with v1; [intro x; symmetry; apply S|trivial].
  - intros p P O. destruct (G p P O) as [L|(i & e & l & z & I & Pi & So & J & L & Z)]; [auto|right]. exists i, e, l, z. repeat (split; trivial).
    intros y Y. rewrite (same_val _ _ S y). auto.
Qed.

Lemma dead_sound s1 v1 e : ctx s1 v1 -> In e (all_edges n) -> holds n s1 v1 (e_guard e) -> is_dead e = false.
Proof.
  intros X Ie H. destruct (is_dead e) eqn:D; [exfalso|trivial]. unfold dead in D. apply orb_prop in D. destruct D as [D|D].
  - apply andb_prop in D. destruct D as [G R]. unfold guard_kept in G. apply andb_prop in G. destruct G as [G1 G2]. apply (refuted_sound e R).
    pose proof (pedges e Ie) as Pe. unfold pedge in Pe. apply andb_prop in Pe.
    apply (holds_agree n (fun k => In k W) (fun k => In k K) (e_guard e) s1 s v1 v); trivial; [apply Pe|apply disjoint_clean|apply disjoint_clean|apply agree_sym, (cx_vars _ _ X)|apply cagree_sym, (cx_clocks _ _ X)]; trivial.
  - unfold never in D. apply existsb_exists in D. destruct D as ([[y o] g] & I & D). apply andb_prop in D. destruct D as [B M].
    apply negb_true_iff, mem_not in B. apply (miss_sound _ M). apply tests_sound.
    destruct (lower_means n s1 v1 e y o g I H) as (C & _ & O). pose proof (cx_down _ _ X y B) as L. simpl (val v 0). simpl (val v1 0) in C.
    destruct O as [-> | ->]; cbn [clock_compare] in *; lra.
Qed.

(* An edge that is present later. *)
Lemma present s1 v1 r e : ctx s1 v1 -> here n s1 r e -> holds n s1 v1 (e_guard e) ->
  here n s r e /\ is_dead e = false \/
  ~ In r (cl_in cl) /\ exists i e0 l z, In i can /\ e_process (i_edge i) = r /\ sound_info n r e0 i /\ In (l, z) (i_reach i) /\ In e (out_at n r l) /\ blocks z e = false /\
    forall y, In y z -> (val v1 y == 0)%Q.
Proof.
  intros X Hh G. pose proof Hh as Hl. apply here_at in Hl. destruct Hl as (l & L & I). destruct (here_process n well s1 r e Hh) as (Er & P & _).
  assert (D : is_dead e = false) by (apply (dead_sound s1 v1); trivial; eapply out_all; eauto).
  destruct (in_dec Nat.eq_dec r (cl_in cl)) as [O|O].
  - left. split; [|trivial]. apply here_moved with s1; [symmetry; apply (cx_in _ _ X); trivial|trivial].
  - destruct (cx_out _ _ X r P O) as [E|(i & e0 & l' & z & Ii & Pi & So & J & L' & Z)].
    + left. split; [|trivial]. apply here_moved with s1; [symmetry|]; trivial.
    + right. split; [trivial|]. rewrite L in L'. injection L' as <-. exists i, e0, l, z. repeat (split; trivial). eapply not_blocked; eauto.
Qed.
Lemma pair_in_iff p ev l : pair_in p ev l = true <-> In (p, ev) l.
Proof.
  unfold pair_in. rewrite existsb_exists. split.
  - intros ([a b] & I & H). apply andb_prop in H. destruct H as [A B]. apply Nat.eqb_eq in A, B. cbn [fst snd] in *. subst. trivial.
  - intro I. exists (p, ev). split; [trivial|]. cbn [fst snd]. rewrite !Nat.eqb_refl. trivial.
Qed.
Lemma offered_sound s1 v1 r e : ctx s1 v1 -> here n s1 r e -> holds n s1 v1 (e_guard e) -> offered n bad s cl misses d r (e_event e) = true.
Proof.
  intros X Hh G. destruct (here_process n well s1 r e Hh) as (Er & P & _). unfold offered, is_in.
  destruct (mem r (cl_in cl)) eqn:M.
  - destruct (present s1 v1 r e X Hh G) as [[H D]|[N _]]; [|apply mem_in in M; contradiction]. apply existsb_exists. exists e.
    split; [apply here_out; trivial|]. rewrite Nat.eqb_refl. unfold W, K in D. rewrite D. trivial.
  - apply mem_not in M. apply pair_in_iff. unfold d, sum_up at 1; cbn [d_offers]. apply in_or_app.
    destruct (present s1 v1 r e X Hh G) as [[H D]|[_ (i & e0 & l & z & I & Pi & So & J & O & B & _)]].
    + right. destruct (known_edge r e P M H) as (i & I & So). apply in_flat_map. exists i. split; [trivial|]. rewrite (si_edge _ _ _ _ So).
      unfold W, K, d, sum_up in D; cbn [d_writes d_csets] in D. rewrite D, Er. left. trivial.
    + left. apply in_flat_map. exists i. split; [trivial|]. destruct (si_next _ _ _ _ So l z e J O B) as [F _]. destruct (si_feet _ _ _ _ So e F) as (_ & _ & _ & _ & Ev).
      apply in_map_iff. exists (e_event e). split; [f_equal; trivial|trivial].
Qed.

(* ---- Without P ---- *)

Definition is_out (es : list edge) : Prop := forall e, In e es -> ~ In (e_process e) (cl_in cl).

Lemma takes_part_in e ps : takes_part e ps = true <-> exists p, In p ps /\ p_process p = e_process e /\ p_event p = e_event e.
Proof.
  unfold takes_part. rewrite existsb_exists. split; intros (p & I & H); exists p; (split; [trivial|]).
  - apply andb_prop in H. destruct H as [A B]. apply Nat.eqb_eq in A, B. auto.
  - destruct H as [-> ->]. rewrite !Nat.eqb_refl. trivial.
Qed.
Lemma others_offered s1 v1 ps es e : ctx s1 v1 -> meets_by n s1 ps es -> holds n s1 v1 (guard es) -> all_offered n bad s cl misses d e ps = true.
Proof.
  intros X M G. unfold all_offered. apply forallb_forall. intros p I. apply orb_true_iff. right.
  destruct (forall2_in_l _ _ _ M p I) as (f & J & H & E). rewrite <- E. apply (offered_sound s1 v1); trivial. eapply guard_part; eauto.
Qed.
Lemma out_can s1 v1 es e : ctx s1 v1 -> formed n s1 es -> holds n s1 v1 (guard es) -> is_out es -> In e es ->
  exists i e0, In i can /\ e_process (i_edge i) = e_process e /\ sound_info n (e_process e) e0 i /\ In e (i_edges i) /\
    exists z, In (e_target e, z) (i_reach i) /\ forall y, In y z -> In y (zeros bad e) \/ (val v1 y == 0)%Q.
Proof.
  intros X F G O I. pose proof (formed_here n well s1 es e F I) as H. pose proof (guard_part n s1 v1 es e G I) as Ge.
  destruct (here_process n well s1 _ e H) as (_ & P & _). destruct (present s1 v1 _ e X H Ge) as [[Hs D]|[_ (i & e0 & l & z & Ii & Pi & So & J & Oe & B & Z)]].
  - destruct (known_edge _ e P (O e I) Hs) as (i & Ik & So). pose proof (si_edge _ _ _ _ So) as Ei.
    exists i, e. rewrite Ei. destruct (si_first _ _ _ _ So) as (z & Jz & Sz).
    assert (Ic : In i can).
    { apply can_all; [trivial|]. unfold live. rewrite Ei. fold W K. rewrite D. cbn [negb andb]. apply negb_true_iff.
      unfold lonely. destruct F as [(ps & Ips & M & _)|(p & f & -> & _ & Hp & Ns)].
      - apply andb_false_iff. right. apply not_true_iff_false. intro A. rewrite forallb_forall in A. specialize (A ps Ips).
        destruct (forall2_in _ _ _ M e I) as (p & Ip & Hp & Ep). assert (T : takes_part e ps = true).
        { apply takes_part_in. exists p. split; [trivial|]. destruct (here_process n well s1 _ e Hp) as (Eq & _). auto. }
        rewrite T, (others_offered s1 v1 ps es e X M G) in A. cbn [negb orb] in A. rewrite orb_false_r in A. apply existsb_exists in A.
        destruct A as (p' & Ip' & A). apply mem_in in A. destruct (forall2_in_l _ _ _ M p' Ip') as (f & If & Hf & _).
        destruct (here_process n well s1 _ f Hf) as (Ef & _). apply (O f If). rewrite Ef. trivial.
      - destruct I as [<-|[]]. apply andb_false_iff. left. apply not_true_iff_false. intro A. apply shared_b_sound in A. apply Ns.
        destruct (here_process n well s1 p f Hp) as (Ep & _). rewrite <- Ep. trivial. }
    split; [trivial|]. split; [trivial|]. split; [trivial|]. split; [apply (si_self _ _ _ _ So)|]. exists z. split; [trivial|]. auto.
  - destruct (si_next _ _ _ _ So l z e J Oe B) as [Fe (z' & Jz & Sz)]. exists i, e0. repeat (split; trivial). exists z'. split; [trivial|].
    intros y Y. apply Sz, in_app_or in Y. destruct Y as [Y|Y]; auto.
Qed.

Lemma out_step s1 v1 es s2 v2 : ctx s1 v1 -> formed n s1 es -> is_out es -> acts n s1 v1 es s2 v2 -> ctx s2 v2.
Proof.
  intros X F O A. pose proof A as (us & G & Fi & N & S & H). destruct (fire_fired n (red_before n red) (red_after n red) _ _ _ _ Fi) as [L V _ U M].
  assert (Wr : forall k, In k (flat_map eW es) -> In k W).
  { intros k I. apply in_flat_map in I. destruct I as (e & Ie & I). destruct (out_can s1 v1 es e X F G O Ie) as (i & e0 & Ii & _ & So & Fe & _).
    destruct (feet i _ _ e Ii So Fe) as (_ & B & _). auto. }
  assert (Wx : forall u, In u us -> In (u_x u) K).
  { intros u I. destruct (U u I) as (e & Ie & Ix & _). destruct (out_can s1 v1 es e X F G O Ie) as (i & e0 & Ii & _ & So & Fe & _).
    destruct (feet i _ _ e Ii So Fe) as (_ & _ & _ & B). auto. }
  assert (Ed : forall e, In e es -> In e (all_edges n)).
  { intros e I. pose proof (formed_here n well s1 es e F I) as Hh. apply here_at in Hh. destruct Hh as (l & _ & J). eapply out_all; eauto. }
  assert (Gd : forall y, ~ In y bad -> forall u, In u us -> u_x u = y -> u_y u = 0%nat /\ u_c u = 0).
  { intros y B u I E. destruct (U u I) as (e & Ie & _ & _ & [J|J]); [exfalso|trivial]. rewrite E in J. exact (bad_edge n e y (Ed e Ie) B J). }
  pose proof (cx_nonneg _ _ X) as Nn. constructor.
  - apply agree_trans with s1; [apply (cx_vars _ _ X)|]. eapply agree_more; [|exact V]. exact Wr.
  - intro x. destruct (in_dec Nat.eq_dec x K) as [I|I]; [auto|right]. destruct (cx_clocks _ _ X x) as [J|J]; [contradiction|].
    rewrite J, (same_val _ _ S x). symmetry. apply set_all_other. intros u Iu E. apply I. rewrite <- E. auto.
  - intros y B. rewrite (same_val _ _ S y). eapply Qle_trans; [|apply (cx_down _ _ X y B)]. apply set_down; [apply Gd; trivial|trivial|trivial].
  - intro x. rewrite (S x). apply nonneg_set; trivial.
  - trivial.
  - intros p P. rewrite L, relocated_other; [apply (cx_in _ _ X p P)|]. intros e I E. apply (O e I). rewrite E. trivial.
  - intros p P Np. destruct (existsb (fun e => Nat.eqb (e_process e) p) es) eqn:Q.
    + apply existsb_exists in Q. destruct Q as (e & Ie & Q). apply Nat.eqb_eq in Q. subst p. right.
      destruct (out_can s1 v1 es e X F G O Ie) as (i & e0 & Ii & Pi & So & Fe & z & J & Z). exists i, e0, (e_target e), z.
      repeat (split; trivial).
      * rewrite L. apply relocated_to; [eapply formed_once; eauto|trivial|].
        pose proof (formed_here n well s1 es e F Ie) as Hh. apply here_at in Hh. destruct Hh as (l & E & _). congruence.
      * intros y Y. rewrite (same_val _ _ S y). pose proof (si_good _ _ _ _ So _ _ y J Y) as B. apply set_zero; [apply Gd; trivial|].
        destruct (Z y Y) as [Ze|Ze]; [right|left; trivial]. unfold zeros in Ze. apply filter_In in Ze. apply (M e y Ie). apply Ze.
    + assert (E : nth_error (locs s2) p = nth_error (locs s1) p).
      { rewrite L. apply relocated_other. intros e I E. assert (T : existsb (fun e => Nat.eqb (e_process e) p) es = true) by
          (apply existsb_exists; exists e; split; [trivial|apply Nat.eqb_eq; trivial]). congruence. }
      destruct (cx_out _ _ X p P Np) as [B|(i & e0 & l & z & Ii & Pi & So & J & L' & Z)]; [left; congruence|right].
      exists i, e0, l, z. repeat (split; trivial); [congruence|]. intros y Y. rewrite (same_val _ _ S y).
      apply set_zero; [apply Gd; exact (si_good _ _ _ _ So _ _ y J Y)|auto].
Qed.

(* Time stands still. *)
Lemma top_found x g a c : find_top n s x g = Some (a, c) -> In a g /\ ask n s a = Asks x 0 Le c /\ x <> 0%nat /\ small c = true.
Proof.
  induction g as [|b g IH]; cbn [find_top]; [discriminate|]. unfold top_atom. destruct (ask n s b) as [t|i j o k|] eqn:E.
  - intro H. destruct (IH H). split; [right|]; trivial.
  - destruct j, o; try (intro H; destruct (IH H); split; [right|]; trivial; fail).
    destruct (_ && _) eqn:B; [|intro H; destruct (IH H); split; [right|]; trivial].
    apply andb_prop in B. destruct B as [B Sc]. apply andb_prop in B. destruct B as [B Z]. apply Nat.eqb_eq in B. subst i.
    apply negb_true_iff, Nat.eqb_neq in Z. intro H. injection H as <- <-. split; [left; trivial|]. auto.
  - intro H. destruct (IH H). split; [right|]; trivial.
Qed.
Lemma inv_p p l : forallb pa (inv_at n p l) = true.
Proof. apply red_inv. trivial. Qed.
Lemma invariant_p s1 p a : In a (invariant_of n s1 p) -> pa a = true.
Proof.
  rewrite invariant_at. destruct (nth_error (locs s1) p) as [l|]; [|intros []]. intro I. pose proof (inv_p p l) as H. rewrite forallb_forall in H. auto.
Qed.
Lemma time_still s1 v1 e : ctx s1 v1 -> passes n s1 v1 e -> (e == 0)%Q.
Proof.
  intros X (P & Wt & H). destruct Wt as [Z|Wt]; [exact Z|]. pose proof still as St. unfold stands_still in St. apply andb_prop in St. destruct St as [St _].
  unfold at_top, top_of in v_still, St. destruct (cl_top cl) as [[p x]|].
  - apply andb_prop in St. destruct St as [Ip St]. apply mem_in in Ip. destruct (find_top n s x (invariant_of n s p)) as [[a c]|] eqn:Ft; [|discriminate].
    destruct (top_found _ _ _ _ Ft) as (Ia & Q & Nz & Sc). apply andb_prop in St. destruct St as [Da Nx]. apply negb_true_iff, mem_not in Nx.
    assert (Q1 : ask n s1 a = Asks x 0 Le c).
    { rewrite <- Q. symmetry. apply (ask_agree n (fun k => In k W)); [eapply invariant_p; eauto|apply disjoint_clean; exact Da|apply (cx_vars _ _ X)]. }
    assert (I1 : In a (invariant n s1)).
    { unfold invariant. apply in_flat_map. exists p. split; [apply in_range; trivial|]. rewrite invariant_at, (cx_in _ _ X p Ip), <- invariant_at. trivial. }
    assert (Tv : (inject_Z c <= val v x)%Q).
    { pose proof (tests_exact x 0 Ge c v ltac:(discriminate) Sc v_still) as T. cbn [clock_compare] in T. simpl (val v 0) in T. lra. }
    destruct (cx_clocks _ _ X x) as [B|B]; [contradiction|].
    pose proof (H e P (Qle_refl e) a I1) as T. unfold is in T. rewrite Q1 in T. cbn [clock_compare] in T.
    rewrite unrated_stopped in T by (apply red_unrated; trivial). destruct x as [|x]; [congruence|].
    simpl in T, B, Tv. unfold after in T. simpl in T. lra.
  - apply existsb_exists in St. destruct St as (p & Ip & St). destruct (location_of n s p) as [l|] eqn:L; [|discriminate].
    destruct Wt as [[Wt _] _]. assert (L1 : location_of n s1 p = Some l) by (unfold location_of in *; rewrite (cx_in _ _ X p Ip); exact L).
    destruct (Wt p l (in_range p Ip) L1) as [A B]. rewrite A, B in St. discriminate.
Qed.

(* ---- With P ---- *)

Definition front (a : list edge) : Prop := formed n s a /\ is_led n s a /\
  forall e, In e a -> In (e_process e) (cl_in cl) /\ good_edge n bad s cl misses d e = true.

Lemma led_by_p s1 : (exists p, In p (processes n) /\ committed n s p) -> (forall p, In p (cl_in cl) -> nth_error (locs s1) p = nth_error (locs s) p) ->
  exists p, In p (processes n) /\ committed n s1 p.
Proof.
  intros (p0 & P0 & C0) H. pose proof still as St. unfold stands_still in St. apply andb_prop in St. destruct St as [_ St].
  assert (Sc : some_committed n s = true) by (apply some_committed_in; eauto). rewrite Sc in St. cbn [negb orb] in St. apply existsb_exists in St.
  destruct St as (p & I & C). exists p. split; [apply in_range; trivial|]. apply committed_moved with s; [apply H; trivial|]. apply committed_b_iff. trivial.
Qed.

Lemma front_first s1 v1 t e0 : ctx s1 v1 -> formed n s1 t -> is_led n s1 t -> holds n s1 v1 (guard t) -> In e0 t -> In (e_process e0) (cl_in cl) -> front t.
Proof.
  intros X F L G I0 P0.
  assert (Ok : forall e, In e t -> In (e_process e) (cl_in cl) -> good_edge n bad s cl misses d e = true).
  { intros e I P. pose proof (formed_here n well s1 t e F I) as H. pose proof (guard_part n s1 v1 t e G I) as Ge.
    destruct (present s1 v1 _ e X H Ge) as [[Hs D]|[N _]]; [|contradiction].
    pose proof (edges_ok _ e P (proj1 (here_out n s _ e) Hs)) as E. unfold edge_ok in E. fold W K in E. rewrite D in E. cbn [orb] in E.
    apply orb_prop in E. destruct E as [E|E]; [exfalso|trivial]. unfold alone_here in E. apply andb_prop in E. destruct E as [Sh E].
    destruct F as [(ps & Ips & M & _)|(p & f & -> & _ & Hp & Ns)].
    - rewrite forallb_forall in E. specialize (E ps Ips). destruct (forall2_in _ _ _ M e I) as (p & Ip & Hp & Ep).
      assert (T : takes_part e ps = true) by (apply takes_part_in; exists p; split; [trivial|]; destruct (here_process n well s1 _ e Hp) as (Eq & _); auto).
      rewrite T, (others_offered s1 v1 ps t e X M G) in E. discriminate.
    - destruct I as [<-|[]]. destruct (here_process n well s1 p f Hp) as (Ep & _). apply Ns. rewrite <- Ep. apply shared_b_sound. trivial. }
  assert (All : forall e, In e t -> In (e_process e) (cl_in cl)).
  { destruct F as [(ps & Ips & M & _)|(p & f & -> & _)]; [|intros e [<-|[]]; destruct I0 as [<-|[]]; trivial].
    pose proof (Ok e0 I0 P0) as Go. unfold good_edge in Go. apply andb_prop in Go. destruct Go as [_ Go]. rewrite forallb_forall in Go. specialize (Go ps Ips).
    destruct (forall2_in _ _ _ M e0 I0) as (p & Ip & Hp & Ep).
    assert (T : takes_part e0 ps = true) by (apply takes_part_in; exists p; split; [trivial|]; destruct (here_process n well s1 _ e0 Hp) as (Eq & _); auto).
    rewrite T, (others_offered s1 v1 ps t e0 X M G) in Go. cbn [negb orb] in Go. rewrite forallb_forall in Go.
    intros e I. destruct (forall2_in _ _ _ M e I) as (p' & Ip' & Hp' & _). destruct (here_process n well s1 _ e Hp') as (Eq & _). rewrite Eq.
    apply mem_in. exact (Go p' Ip'). }
  split; [|split].
  - apply (formed_moved n well s1 s); [|trivial]. intros e I. symmetry. apply (cx_in _ _ X). auto.
  - intro C. destruct (L (led_by_p s1 C (cx_in _ _ X))) as (e & I & Ce). exists e. split; [trivial|].
    apply committed_moved with s1; [symmetry; apply (cx_in _ _ X); auto|trivial].
  - auto.
Qed.

(* What an edge of P writes is in no invariant of another process. *)
Lemma harmless s1 v1 p x e : ctx s1 v1 -> In p (processes n) -> In x (invariant_of n s1 p) -> e_process e <> p ->
  good_edge n bad s cl misses d e = true -> clean (fun k => In k (eW e)) (ar x) /\ clean (fun k => In k (eX e)) (ac x).
Proof.
  intros X P Ix1 Nq G. unfold good_edge in G. apply andb_prop in G. destruct G as [G _]. apply andb_prop in G. destruct G as [G0 G].
  apply orb_prop in G. destruct G as [G|G].
  { apply andb_prop in G. destruct G as [G1 G2]. destruct (eW e); [|discriminate]. destruct (eX e); [|discriminate]. split; intros k _ []. }
  rewrite forallb_forall in G. specialize (G p P). destruct (Nat.eqb_spec p (e_process e)) as [E|_]; [exfalso; exact (Nq (eq_sym E))|].
  cbn [orb] in G. apply andb_prop in G. destruct G as [G1 G2].
  assert (Same : nth_error (locs s1) p = nth_error (locs s) p -> clean (fun k => In k (eW e)) (ar x) /\ clean (fun k => In k (eX e)) (ac x)).
  { intro E. rewrite invariant_at, E, <- invariant_at in Ix1. split; intros k Ik Jk.
    - apply (disjoint_clean _ _ G1 k); [apply in_flat_map; eauto|trivial].
    - apply (disjoint_clean _ _ G2 k); [apply in_flat_map; eauto|trivial]. }
  destruct (in_dec Nat.eq_dec p (cl_in cl)) as [Ip|Ip]; [apply Same, (cx_in _ _ X); trivial|].
  destruct (cx_out _ _ X p P Ip) as [E|(i & e0 & l & z & Ii & Pi & So & J & L1 & _)]; [auto|].
  rewrite invariant_at, L1 in Ix1. destruct (si_invs _ _ _ _ So l z J) as [R1 R2].
  apply andb_prop in G0. destruct G0 as [G0 _]. apply andb_prop in G0. destruct G0 as [G0 H6]. apply andb_prop in G0. destruct G0 as [_ H5].
  pose proof (disjoint_clean _ _ H5) as G5. pose proof (disjoint_clean _ _ H6) as G6.
  split; intros k Ik Jk; [apply (G5 k Jk)|apply (G6 k Jk)]; unfold d, sum_up; cbn [d_reads d_creads]; apply in_flat_map; exists i; (split; [trivial|]);
    [apply R1|apply R2]; apply in_flat_map; eauto.
Qed.

Lemma front_back s1 v1 t s2 v2 a s3 v3 : ctx s1 v1 -> formed n s1 t -> is_led n s1 t -> is_out t -> acts n s1 v1 t s2 v2 -> front a -> acts n s2 v2 a s3 v3 ->
  exists m w, acts n s1 v1 a m w /\ takes n m w s3 v3.
Proof.
  intros X F L O A (Fa & La & Ga) B. pose proof A as (ut & Gt & Ft & _). pose proof B as (ua & Gb & Fb & _ & _ & I3).
  assert (Ea : forall e, In e a -> In e (all_edges n)).
  { intros e I. pose proof (formed_here n well s a e Fa I) as Hh. apply here_at in Hh. destruct Hh as (l & _ & J). eapply out_all; eauto. }
  assert (Et : forall e, In e t -> In e (all_edges n)).
  { intros e I. pose proof (formed_here n well s1 t e F I) as Hh. apply here_at in Hh. destruct Hh as (l & _ & J). eapply out_all; eauto. }
  assert (Ap : apart a t).
  { intros e f I J E. apply (O f J). rewrite <- E. apply (Ga e I). }
  assert (Good : forall e, In e a -> clean (fun k => In k W) (eR e) /\ clean (fun k => In k K) (eC e) /\ clean (fun k => In k W) (eW e) /\ clean (fun k => In k K) (eX e) /\
    clean (fun k => In k (d_reads d)) (eW e) /\ clean (fun k => In k (d_creads d)) (eX e)).
  { intros e I. destruct (Ga e I) as [_ G]. unfold good_edge in G. split_and. unfold W, K. repeat split; apply disjoint_clean; trivial. }
  assert (Ft' : forall f, In f t -> incl (eR f) (d_reads d) /\ incl (eW f) W /\ incl (eC f) (d_creads d) /\ incl (eX f) K).
  { intros f J. destruct (out_can s1 v1 t f X F Gt O J) as (i & e0 & Ii & _ & So & Fe & _). exact (feet i _ _ f Ii So Fe). }
  assert (Ind : independent a t).
  { intros e f I J. destruct (Good e I) as (G1 & G2 & G3 & G4 & G5 & G6). destruct (Ft' f J) as (T1 & T2 & T3 & T4). repeat split.
    - intros k Ik Jk. exact (G1 k Ik (T2 k Jk)).
    - intros k Ik Jk. exact (G3 k Ik (T2 k Jk)).
    - intros k Ik Jk. exact (G5 k Jk (T1 k Ik)).
    - intros k Ik Jk. exact (G2 k Ik (T4 k Jk)).
    - intros k Ik Jk. exact (G4 k Ik (T4 k Jk)).
    - intros k Ik Jk. exact (G6 k Jk (T3 k Ik)). }
  destruct (swap n (red_before n red) (red_after n red) a t s1 v1 s2 v2 s3 v3) as (m & w & us & Fm & Sw & Lm & Am & Bm & Cm & Dm & Go); trivial;
    [intros e I; apply pedges, Ea; trivial|intros e I; apply pedges, Et; trivial|].
  pose proof (out_step s1 v1 t s2 v2 X F O A) as X2. destruct (fire_fired n (red_before n red) (red_after n red) _ _ _ _ Fb) as [L3 _ _ _ _].
  destruct (fire_fired n (red_before n red) (red_after n red) _ _ _ _ Ft) as [L2 _ _ _ _].
  assert (Wt : forall k, In k (flat_map eW t) -> In k W) by (intros k Ik; apply in_flat_map in Ik; destruct Ik as (f & J & Ik); apply (Ft' f J); trivial).
  assert (Kt : forall k, In k (flat_map eX t) -> In k K) by (intros k Ik; apply in_flat_map in Ik; destruct Ik as (f & J & Ik); apply (Ft' f J); trivial).
  assert (To : forall e, In e a -> nth_error (locs m) (e_process e) = Some (e_target e) /\ nth_error (locs s3) (e_process e) = Some (e_target e)).
  { intros e I. pose proof (formed_once n well s a Fa) as Nd. pose proof (formed_here n well s a e Fa I) as Hh. apply here_at in Hh. destruct Hh as (l & El & _).
    split; [rewrite Lm|rewrite L3]; apply relocated_to; trivial; [rewrite (cx_in _ _ X)|rewrite (cx_in _ _ X2)]; try (apply Ga; trivial); congruence. }
  assert (Im : holds n m w (invariant n m)).
  { intros x Ix. unfold invariant in Ix. apply in_flat_map in Ix. destruct Ix as (p & P & Ix). pose proof (invariant_p m p x Ix) as Px.
    destruct (existsb (fun e => Nat.eqb (e_process e) p) a) eqn:Q.
    - apply existsb_exists in Q. destruct Q as (e & I & Q). apply Nat.eqb_eq in Q. subst p. destruct (To e I) as [Tm T3].
      destruct (Ga e I) as [_ G]. unfold good_edge in G. apply andb_prop in G. destruct G as [G _]. apply andb_prop in G. destruct G as [G _].
      apply andb_prop in G. destruct G as [_ G]. destruct (target_of n e) as [l|] eqn:Tl; [|discriminate].
      apply andb_prop in G. destruct G as [G _]. apply andb_prop in G. destruct G as [G1 G2]. fold W K in G1, G2.
      assert (Xl : In x (l_invariant l)).
      { rewrite invariant_at, Tm in Ix. unfold inv_at in Ix. unfold target_of in Tl. destruct (nth_error (n_processes n) (e_process e)); [|discriminate].
        rewrite Tl in Ix. trivial. }
      apply (is_agree n (fun k => In k (flat_map eW t)) (fun k => In k (flat_map eX t)) true x s3 m v3 w); trivial.
      + intros k Ik Jk. apply (disjoint_clean _ _ G1 k); [apply in_flat_map; eauto|auto].
      + intros k Ik Jk. apply (disjoint_clean _ _ G2 k); [apply in_flat_map; eauto|auto].
      + apply agree_sym. trivial.
      + apply cagree_sym. trivial.
      + apply I3. unfold invariant. apply in_flat_map. exists (e_process e). split; [trivial|]. rewrite invariant_at, T3. rewrite invariant_at, Tm in Ix. trivial.
    - assert (Nq : forall e, In e a -> e_process e <> p).
      { intros e I E. assert (T : existsb (fun e => Nat.eqb (e_process e) p) a = true) by (apply existsb_exists; exists e; split; [trivial|apply Nat.eqb_eq; trivial]). congruence. }
      assert (Lp : nth_error (locs m) p = nth_error (locs s1) p) by (rewrite Lm; apply relocated_other; trivial).
      assert (Ix1 : In x (invariant_of n s1 p)) by (rewrite invariant_at, <- Lp, <- invariant_at; trivial).
      assert (Harm : forall e, In e a -> clean (fun k => In k (eW e)) (ar x) /\ clean (fun k => In k (eX e)) (ac x)).
      { intros e I. exact (harmless s1 v1 p x e X P Ix1 (Nq e I) (proj2 (Ga e I))). }
      apply (is_agree n (fun k => In k (flat_map eW a)) (fun k => In k (flat_map eX a)) true x s1 m v1 w); trivial.
      + apply clean_all. intros e I k Ik Jk. exact (proj1 (Harm e I) k Ik Jk).
      + apply clean_all. intros e I k Ik Jk. exact (proj2 (Harm e I) k Ik Jk).
      + apply (cx_inv _ _ X). unfold invariant. apply in_flat_map. eauto. }
  destruct (Go Im) as [A1 A2]. exists m, w. split; [trivial|]. apply (takes_acts n red). exists t.
  assert (Tl : forall e, In e t -> nth_error (locs m) (e_process e) = nth_error (locs s1) (e_process e)).
  { intros e I. rewrite Lm. apply relocated_other. intros f J E. apply (O e I). rewrite <- E. apply (Ga f J). }
  split; [apply (formed_moved n well s1 m); trivial|]. split; [|trivial].
  intros (p & P & C). assert (C1 : exists p, In p (processes n) /\ committed n s1 p).
  { destruct (existsb (fun e => Nat.eqb (e_process e) p) a) eqn:Q.
    - apply existsb_exists in Q. destruct Q as (e & I & Q). apply Nat.eqb_eq in Q. subst p. destruct (To e I) as [Tm _].
      destruct (Ga e I) as [_ G]. unfold good_edge in G. apply andb_prop in G. destruct G as [G _]. apply andb_prop in G. destruct G as [G _].
      apply andb_prop in G. destruct G as [_ G]. destruct (target_of n e) as [l|] eqn:Tg; [|discriminate]. apply andb_prop in G. destruct G as [_ G].
      destruct C as (l' & L' & C). unfold location_of in L'. rewrite Tm in L'. unfold target_of in Tg. destruct (nth_error (n_processes n) (e_process e)); [|discriminate].
      rewrite Tg in L'. injection L' as <-. rewrite C in G. cbn [negb orb] in G. apply some_committed_in in G. exact (led_by_p s1 G (cx_in _ _ X)).
    - exists p. split; [trivial|]. apply committed_moved with m; [|trivial]. symmetry. rewrite Lm. apply relocated_other. intros e I E.
      assert (T : existsb (fun e => Nat.eqb (e_process e) p) a = true) by (apply existsb_exists; exists e; split; [trivial|apply Nat.eqb_eq; trivial]). congruence. }
  destruct (L C1) as (e & I & Ce). exists e. split; [trivial|]. apply committed_moved with s1; [auto|trivial].
Qed.
End Node.
End Network.
