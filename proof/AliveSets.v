(* Deadlock freedom of certificates with reduced sets: at a node whose set leaves something out, a transition of the set is
   possible, and stays so until one of the set is taken. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Footprint Commute Reduced Stubborn Permute Partial Forget Replay Alive.
Import ListNotations.
Open Scope Z_scope.

Section Keys.
Variable n : net.

(* The edges can be taken wherever the node says so. *)
Definition possible (s : state) (holds_here : test -> bool) (es : list edge) : bool :=
  match judge n s (guard es), fire n s es with
  | Some (false, ts1), Ok (s', us) =>
    match judge_all n s' (invariants n s') with
    | Some (false, ts2) =>
      forallb (exact n s) (guard es) && forallb (forallb (exact n s')) (invariants n s') && forallb (fun u => 0 <=? u_c u) us &&
      forallb modest (map (back (origins_of us)) ts2) && forallb holds_here (ts1 ++ map (back (origins_of us)) ts2)
    | _ => false
    end
  | _, _ => false
  end.
Definition key (t : list (list (list edge))) (s : state) (cl : claim) (misses : list test -> bool) (d : deeds) : bool :=
  existsb (fun o => is_nil (o_out o) && negb (is_nil (o_edges o)) &&
    forallb (fun e => is_in cl (e_process e) && good_edge n (bad_sets n) s cl misses d e) (o_edges o) &&
    possible s (fun u => miss n s cl misses [negated u]) (o_edges o)) (offers n t s).
(* No other process enters a committed location. *)
Definition is_calm (s : state) (can : list info) : bool :=
  some_committed n s ||
  forallb (fun i => forallb (fun x => match nth_error (n_processes n) (e_process (i_edge i)) with
    | None => true | Some ls => match nth_error ls (fst x) with None => true | Some l => negb (l_committed l) end end) (i_reach i)) can.
Definition stays_alive (t : list (list (list edge))) (f g : formula) (s : state) (cl : claim) (misses : list test -> bool) (d : deeds) (can : list info) : bool :=
  keeps n s cl misses d can false f &&
  (surely n s cl misses false g && keeps n s cl misses d can false g || key t s cl misses d && is_calm s can).

Hypothesis well : well_formed n.
Hypothesis red : reducible n = true.
Section Node.
Variable s : state.
Variable v : valuation.
Variable cl : claim.
Variable misses : list test -> bool.
Hypothesis misses_sound : forall c, misses c = true -> ~ all_hold c v.
Hypothesis v_nonneg : nonneg v.
Hypothesis v_inv : holds n s v (invariant n s).
Hypothesis v_still : all_hold (at_top n s cl) v.
Variable can : list info.
Let d := sum_up n (bad_sets n) (infos n) s cl misses can.
Hypothesis in_range : forall p, In p (cl_in cl) -> In p (processes n).
Hypothesis still : stands_still n s cl d = true.

Lemma possible_acts es : formed n s es -> possible s (fun u => miss n s cl misses [negated u]) es = true ->
  exists s' us, fire n s es = Ok (s', us) /\ (forall u, In u us -> 0 <= u_c u) /\ acts n s v es s' (set_all us v).
Proof.
  intros F H. unfold possible in H. destruct (judge n s (guard es)) as [[[|] ts1]|] eqn:J; try discriminate.
  destruct (fire n s es) as [| |[s' us]] eqn:Fi; try discriminate. destruct (judge_all n s' (invariants n s')) as [[[|] ts2]|] eqn:J2; try discriminate.
  apply andb_prop in H. destruct H as [H HT]. apply andb_prop in H. destruct H as [H HM]. apply andb_prop in H. destruct H as [H HU].
  apply andb_prop in H. destruct H as [HG HI]. rewrite forallb_forall in HT.
  assert (A : all_hold (ts1 ++ map (back (origins_of us)) ts2) v).
  { intros t I. destruct (sat_dec (t_bound t) (diff v (t_i t) (t_j t))) as [M|M]; [exact M|exfalso].
    apply (miss_sound n s v cl misses misses_sound v_still _ (HT t I)). intros u [<-|[]]. apply negated_meets. exact M. }
  exists s', us. split; [trivial|]. split; [intros u I; rewrite forallb_forall in HU; apply Z.leb_le; auto|].
  exists us. split; [eapply judge_exact; eauto; intros t I; apply A, in_or_app; auto|]. split; [trivial|].
  split; [apply positive_updates; trivial|]. split; [apply same_refl|]. eapply invariants_exact; eauto. intros t I.
  assert (Ib : In (back (origins_of us) t) (map (back (origins_of us)) ts2)) by (apply in_map; trivial).
  eapply back_complete; [apply comes_all|apply A, in_or_app; auto|]. rewrite forallb_forall in HM. auto.
Qed.

Lemma key_alive s1 v1 : key (table n) s cl misses d = true -> is_calm s can = true -> ctx n s v cl misses can s1 v1 -> alive n s1 v1.
Proof.
  intros Ke Ca X. unfold key in Ke. apply existsb_exists in Ke. destruct Ke as (o & Io & Ke).
  apply andb_prop in Ke. destruct Ke as [Ke Po]. apply andb_prop in Ke. destruct Ke as [Ke Ga]. apply andb_prop in Ke. destruct Ke as [Out _].
  set (a := o_edges o) in *. rewrite forallb_forall in Ga.
  assert (Fs : formed n s a /\ is_led n s a).
  { assert (G : holds n s v (guard a)).
    { unfold possible in Po. destruct (judge n s (guard a)) as [[[|] ts1]|] eqn:J; try discriminate.
      destruct (fire n s a) as [| |[s' us]]; try discriminate. destruct (judge_all n s' (invariants n s')) as [[[|] ts2]|]; try discriminate.
      apply andb_prop in Po. destruct Po as [Po HT]. apply andb_prop in Po. destruct Po as [Po _]. apply andb_prop in Po. destruct Po as [Po _].
      apply andb_prop in Po. destruct Po as [HG _]. rewrite forallb_forall in HT. eapply judge_exact; eauto. intros t I.
      destruct (sat_dec (t_bound t) (diff v (t_i t) (t_j t))) as [M|M]; [exact M|exfalso].
      apply (miss_sound n s v cl misses misses_sound v_still _ (HT t ltac:(apply in_or_app; auto))). intros u [<-|[]]. apply negated_meets. exact M. }
    apply (joint_formed n red s v). apply offer_joint; trivial. destruct (o_out o); [intros e []|discriminate]. }
  destruct Fs as [Fa La]. destruct (possible_acts a Fa Po) as (s' & us & Fi & Up & (us' & G & Fi' & _ & _ & I')).
  rewrite Fi in Fi'. injection Fi' as <-.
  assert (Pa : forall e, In e a -> In (e_process e) (cl_in cl)).
  { intros e I. specialize (Ga e I). apply andb_prop in Ga. apply mem_in. apply Ga. }
  assert (Go : forall e, In e a -> good_edge n (bad_sets n) s cl misses d e = true).
  { intros e I. specialize (Ga e I). apply andb_prop in Ga. apply Ga. }
  set (W := fun k => In k (d_writes d)). set (K := fun k => In k (d_csets d)).
  assert (Ea : forall e, In e a -> In e (all_edges n)).
  { intros e I. pose proof (formed_here n well s a e Fa I) as Hh. apply here_at in Hh. destruct Hh as (l & _ & J). eapply out_all; eauto. }
  assert (Ce : forall e, In e a -> pedge e = true /\ clean W (eR e) /\ clean K (eC e)).
  { intros e I. pose proof (Go e I) as H. unfold good_edge in H. split_and. split; [|split; apply disjoint_clean; assumption]. apply (red_pedge n red). auto. }
  pose proof (cx_vars _ _ _ _ _ _ _ _ X) as Av. pose proof (cx_clocks _ _ _ _ _ _ _ _ X) as Ac. fold d in Av, Ac. fold W in Av. fold K in Ac.
  pose proof (guard_agree n W K a s s1 v v1 Ce Av Ac G) as G1.
  pose proof (fire_agree n (red_before n red) (red_after n red) W a s s1 ltac:(intros f If; destruct (Ce f If) as (A1 & A2 & _); auto) Av) as Fm.
  rewrite Fi in Fm. destruct (fire n s1 a) as [| |[m us1]] eqn:Fi1; [destruct Fm|destruct Fm|]. destruct Fm as [Am Eu]. cbn [fst snd] in *. subst us1.
  destruct (fire_fired n (red_before n red) (red_after n red) _ _ _ _ Fi1) as [Lm Bm _ Um _].
  destruct (fire_fired n (red_before n red) (red_after n red) _ _ _ _ Fi) as [Ls _ _ _ _].
  set (w := set_all us v1).
  assert (Sr : forall u, In u us -> ~ K (u_y u)).
  { intros u Iu. destruct (Um u Iu) as (f & If & _ & Iy & _). destruct (Ce f If) as (_ & _ & C). apply C. unfold eC. apply in_or_app. right. trivial. }
  pose proof (set_all_agree K us Sr v v1 Ac) as Cw. fold w in Cw.
  assert (Dm : cagree (fun k => In k (flat_map eX a)) v1 w).
  { intro x. destruct (in_dec Nat.eq_dec x (flat_map eX a)) as [Ix|Ix]; [auto|right]. symmetry. apply set_all_other. intros u Iu Eq. apply Ix.
    destruct (Um u Iu) as (f & If & Ixx & _). apply in_flat_map. exists f. rewrite <- Eq. auto. }
  assert (To : forall e, In e a -> nth_error (locs m) (e_process e) = Some (e_target e) /\ nth_error (locs s') (e_process e) = Some (e_target e)).
  { intros e I. pose proof (formed_once n well s a Fa) as Nd. pose proof (formed_here n well s a e Fa I) as Hh. apply here_at in Hh. destruct Hh as (l & El & _).
    split; [rewrite Lm|rewrite Ls]; apply relocated_to; trivial; [rewrite (cx_in _ _ _ _ _ _ _ _ X); [congruence|auto]|congruence]. }
  assert (Im : holds n m w (invariant n m)).
  { intros x Ix. unfold invariant in Ix. apply in_flat_map in Ix. destruct Ix as (p & P & Ix). pose proof (invariant_p n red m p x Ix) as Px.
    destruct (existsb (fun e => Nat.eqb (e_process e) p) a) eqn:Q.
    - apply existsb_exists in Q. destruct Q as (e & I & Q). apply Nat.eqb_eq in Q. subst p. destruct (To e I) as [Tm Ts].
      pose proof (Go e I) as H. unfold good_edge in H. apply andb_prop in H. destruct H as [H _]. apply andb_prop in H. destruct H as [H _].
      apply andb_prop in H. destruct H as [_ H]. destruct (target_of n e) as [l|] eqn:Tl; [|discriminate].
      apply andb_prop in H. destruct H as [H _]. apply andb_prop in H. destruct H as [H1 H2].
      assert (Xl : In x (l_invariant l)).
      { rewrite invariant_at, Tm in Ix. unfold inv_at in Ix. unfold target_of in Tl. destruct (nth_error (n_processes n) (e_process e)); [|discriminate].
        rewrite Tl in Ix. trivial. }
      apply (is_agree n W K true x s' m (set_all us v) w); trivial.
      + intros k Ik Jk. apply (disjoint_clean _ _ H1 k); [apply in_flat_map; eauto|exact Jk].
      + intros k Ik Jk. apply (disjoint_clean _ _ H2 k); [apply in_flat_map; eauto|exact Jk].
      + apply I'. unfold invariant. apply in_flat_map. exists (e_process e). split; [trivial|]. rewrite invariant_at, Ts. rewrite invariant_at, Tm in Ix. trivial.
    - assert (Nq : forall e, In e a -> e_process e <> p).
      { intros e I E. assert (T : existsb (fun e => Nat.eqb (e_process e) p) a = true) by (apply existsb_exists; exists e; split; [trivial|apply Nat.eqb_eq; trivial]). congruence. }
      assert (Lp : nth_error (locs m) p = nth_error (locs s1) p) by (rewrite Lm; apply relocated_other; trivial).
      assert (Ix1 : In x (invariant_of n s1 p)) by (rewrite invariant_at, <- Lp, <- invariant_at; trivial).
      assert (Harm : forall e, In e a -> clean (fun k => In k (eW e)) (ar x) /\ clean (fun k => In k (eX e)) (ac x)).
      { intros e I. exact (harmless n s v cl misses can s1 v1 p x e X P Ix1 (Nq e I) (Go e I)). }
      apply (is_agree n (fun k => In k (flat_map eW a)) (fun k => In k (flat_map eX a)) true x s1 m v1 w); trivial.
      + apply clean_all. intros e I k Ik Jk. exact (proj1 (Harm e I) k Ik Jk).
      + apply clean_all. intros e I k Ik Jk. exact (proj2 (Harm e I) k Ik Jk).
      + apply (cx_inv _ _ _ _ _ _ _ _ X). unfold invariant. apply in_flat_map. eauto. }
  assert (F1 : formed n s1 a) by (apply (formed_moved n well s s1); [intros e I; apply (cx_in _ _ _ _ _ _ _ _ X); auto|trivial]).
  assert (L1 : is_led n s1 a).
  { intros (p & P & C). assert (C0 : exists p, In p (processes n) /\ committed n s p).
    { unfold is_calm in Ca. apply orb_prop in Ca. destruct Ca as [Ca|Ca]; [apply some_committed_in; trivial|].
      destruct (in_dec Nat.eq_dec p (cl_in cl)) as [Ip|Ip].
      { exists p. split; [trivial|]. apply committed_moved with s1; [symmetry; apply (cx_in _ _ _ _ _ _ _ _ X); trivial|trivial]. }
      destruct (cx_out _ _ _ _ _ _ _ _ X p P Ip) as [E|(i & e0 & l & z & Ii & Pi & So & J & Ll & _)].
      { exists p. split; [trivial|]. apply committed_moved with s1; [symmetry; trivial|trivial]. }
      exfalso. rewrite forallb_forall in Ca. specialize (Ca i Ii). rewrite forallb_forall in Ca. specialize (Ca (l, z) J). cbn [fst] in Ca. rewrite Pi in Ca.
      destruct C as (l' & L' & C). unfold location_of in L'. rewrite Ll in L'. destruct (nth_error (n_processes n) p) as [ls|]; [|discriminate].
      rewrite L' in Ca. rewrite C in Ca. discriminate. }
    destruct (La C0) as (e & I & Ce0). exists e. split; [trivial|]. apply committed_moved with s; [apply (cx_in _ _ _ _ _ _ _ _ X); auto|trivial]. }
  assert (Z : same (after (stopped n s1) 0 v1) v1).
  { intro k. unfold after. destruct (existsb _ _); [reflexivity|]. lra. }
  exists 0%Q, m, w. split.
  - split; [lra|]. split; [left; reflexivity|]. intros e Pe Le. apply holds_same with v1; [|apply (cx_inv _ _ _ _ _ _ _ _ X)].
    intro k. unfold after. destruct (existsb _ _); [reflexivity|]. assert (Ez : (e == 0)%Q) by lra. rewrite Ez. lra.
  - apply (takes_acts n red). exists a. split; [trivial|]. split; [trivial|]. apply (acts_same n s1 v1 (after (stopped n s1) 0 v1) a m w Z).
    exists us. split; [trivial|]. split; [trivial|]. split; [|split; [apply same_refl|trivial]]. apply not_negative; [trivial|apply (cx_nonneg _ _ _ _ _ _ _ _ X)].
Qed.
End Node.
End Keys.

Section Certificates.
Variable n : net.

(* As accepts_alive_whole (Alive.v), with dead slots (Forget.v) or reduced sets if the certificate has some. *)
Definition accepts_alive_forgetting (slots : list (list (list nat))) (f g : formula) (c : certificate) : bool :=
  let t := table n in
  forms_well n && begins n && unrated n && forgets n slots g &&
  forget_check_for n slots (fun s => either (clauses n true s f) (both (clauses n true s g) (dead n t s))) (Some 6%nat) f c.
Definition accepts_alive (f g : formula) (c : certificate) : bool :=
  match c_sets c, c_dead c with
  | None, None => accepts_alive_whole n f g c
  | None, Some slots => accepts_alive_forgetting slots f g c
  | Some sets, None =>
    let t := table n in
    forms_well n && begins n && unrated n && forallb (fun r => symmetry n r g && symmetry n (undone r) g) (c_renamings c) &&
    reduced_check_for n sets (fun s => either (clauses n true s f) (both (clauses n true s g) (dead n t s))) (Some 6%nat) (stays_alive n t f g) f c
  | Some sets, Some slots =>
    let t := table n in
    forms_well n && begins n && unrated n && forgets n slots g &&
    forget_sets_for n slots sets (fun s => either (clauses n true s f) (both (clauses n true s g) (dead n t s))) (Some 6%nat) (stays_alive n t f g) f c
  end.

Theorem accepts_alive_forgetting_correct slots f g c : accepts_alive_forgetting slots f g c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  forall s v, reachable n s v -> decided n false s v f /\ (decided n false s v g \/ alive n s v) /\ ~ step_fails n s v.
Proof.
  intro H. unfold accepts_alive_forgetting in H. cbv zeta in H. apply andb_prop in H. destruct H as [H A]. apply andb_prop in H. destruct H as [H Og].
  apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [W B]. pose proof (forms_well_sound n W) as Well.
  destruct (forget_means n slots _ _ Well f c A) as [S R]. destruct (forget_parts n slots _ _ f c A) as (_ & Of & _).
  split; [trivial|]. split; [apply begins_sound, B|]. split; [trivial|]. intros s v Re. destruct (R _ _ Re) as ((t & L & I & G) & F).
  assert (G' : ~ met (either (clauses n true t f) (both (clauses n true t g) (dead n (table n) t))) v) by exact G.
  split; [|split; [|trivial]].
  - apply (like_query n slots f Of s t L v false). destruct (clauses_sound n t v f true) as [M|M]; [exfalso; apply G', met_either; auto|exact M].
  - destruct (clauses_sound n t v g true) as [M|M]; [right|left; apply (like_query n slots g Og s t L v false); exact M].
    apply (like_alive n slots f Well Of t s v (like_sym slots s t L)). apply (dead_sound n U); [|apply I|].
    + intro X. apply G', met_either. right. apply met_both; [exact M|exact X].
    + apply (like_invariants n slots f Of s t L). apply reachable_holds. exact Re.
Qed.
(* What is asked of a state: where a node does not have the goal, and what follows without its set. *)
Definition good (f g : formula) (s : state) (v : valuation) : Prop := decided n false s v f /\ (decided n false s v g \/ alive n s v).
Lemma good_goal f g s v : unrated n = true -> nonneg v -> holds n s v (invariant n s) ->
  ~ meets_goal state (fun s => either (clauses n true s f) (both (clauses n true s g) (dead n (table n) s))) s v -> good f g s v.
Proof.
  intros U N1 H1 G. assert (G' : ~ met (either (clauses n true s f) (both (clauses n true s g) (dead n (table n) s))) v) by exact G. split.
  - destruct (clauses_sound n s v f true) as [M|M]; [exfalso; apply G', met_either; auto|exact M].
  - destruct (clauses_sound n s v g true) as [M|M]; [right|left; exact M].
    apply (dead_sound n U); trivial. intro X. apply G', met_either. right. apply met_both; [exact M|exact X].
Qed.
Lemma good_kept f g : well_formed n -> reducible n = true -> forall s v cl misses can s1 v1, (forall c, misses c = true -> ~ all_hold c v) -> nonneg v ->
  holds n s v (invariant n s) -> all_hold (at_top n s cl) v -> (forall p, In p (cl_in cl) -> In p (processes n)) ->
  stands_still n s cl (sum_up n (bad_sets n) (infos n) s cl misses can) = true ->
  (forall p e, In p (cl_in cl) -> In e (out_edges n s p) -> edge_ok n (bad_sets n) s cl misses (sum_up n (bad_sets n) (infos n) s cl misses can) e = true) ->
  (forall i, In i can -> In i (known n (infos n) s cl)) -> sized n s ->
  stays_alive n (table n) f g s cl misses (sum_up n (bad_sets n) (infos n) s cl misses can) can = true ->
  good f g s v -> ctx n s v cl misses can s1 v1 -> good f g s1 v1.
Proof.
  intros Well Rd s0 v0 cl misses can s1 v1 M N H0 At P1 P6 P7 P4 P2 La [D1 D2] Cx.
  unfold stays_alive in La. apply andb_prop in La. destruct La as [Kf La]. split; [exact (keeps_sound n s0 v0 cl misses M At can s1 v1 f Cx false Kf D1)|].
  apply orb_prop in La. destruct La as [La|La]; apply andb_prop in La; destruct La as [A1 A2].
  - left. apply (keeps_sound n s0 v0 cl misses M At can s1 v1 g Cx false A2). eapply surely_sound; eauto.
  - right. eapply (key_alive n Well Rd s0 v0 cl misses M N At can); eauto.
Qed.
Theorem accepts_alive_correct f g c : accepts_alive f g c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  forall s v, reachable n s v -> decided n false s v f /\ (decided n false s v g \/ alive n s v) /\ ~ step_fails n s v.
Proof.
  intro H. unfold accepts_alive in H. destruct (c_sets c) as [sets|], (c_dead c) as [slots|];
    [| |exact (accepts_alive_forgetting_correct slots f g c H)|apply (accepts_alive_whole_correct n f g c H)].
  all: cbv zeta in H; apply andb_prop in H; destruct H as [H A]; apply andb_prop in H; destruct H as [H E].
  all: apply andb_prop in H; destruct H as [H U]; apply andb_prop in H; destruct H as [W B]; pose proof (forms_well_sound n W) as Well.
  all: split; [trivial|]; split; [apply begins_sound, B|].
  - split; [exact (forget_starts n slots sets _ _ _ f c A)|]. destruct (forget_sets_parts n slots sets _ _ _ f c A) as [O _]. intros s v Re.
    assert (All : forall aim : Prop, (good f g s v -> aim) \/ step_fails n s v -> aim).
    { intros aim Bn. apply (forget_sets_means n slots sets _ _ _ f c Well A (fun s v => good f g s v -> aim) aim) with s v; trivial.
      - intros s1 s2 v1 L X [D1 D2]. apply X. split; [apply (like_query n slots f O s1 s2 L v1 false); exact D1|].
        destruct D2 as [D2|D2]; [left; apply (like_query n slots g E s1 s2 L v1 false); exact D2|right].
        exact (like_alive n slots f Well O s2 s1 v1 (like_sym slots s1 s2 L) D2).
      - intros s1 v1 N1 H1 G L. exact (L (good_goal f g s1 v1 U N1 H1 G)).
      - intros Rd s0 v0 cl misses can s1 v1 M N H0 At P1 P6 P7 P4 P2 La L Cx L1. apply L. intro D. apply L1.
        exact (good_kept f g Well Rd s0 v0 cl misses can s1 v1 M N H0 At P1 P6 P7 P4 P2 La D Cx). }
    assert (Gd : good f g s v) by (apply All; left; trivial). destruct Gd as [G1 G2]. split; [trivial|]. split; [trivial|].
    intro X. apply All. right. exact X.
  - rewrite forallb_forall in E.
    assert (Sg : forall r, In r (c_renamings c) -> symmetry n r g = true) by (intros r Ir; specialize (E r Ir); apply andb_prop in E; tauto).
    assert (Su : forall r, In r (c_renamings c) -> symmetry n (undone r) g = true) by (intros r Ir; specialize (E r Ir); apply andb_prop in E; tauto).
    split; [exact (no_start_fails n sets _ _ _ f c A)|]. intros s v Re.
    assert (All : forall aim : Prop, (good f g s v -> aim) \/ step_fails n s v -> aim).
    { intros aim Bn. apply (reduced_means n sets _ _ _ f c A Well (fun s v => good f g s v -> aim) aim) with s v; trivial.
      - intros Sy s1 v1 s2 v2 C L [D1 D2]. apply L. split; [eapply chain_query; eauto|]. destruct D2 as [D2|D2]; [left; exact (chain_query n g _ Sg _ _ _ _ C D2)|right].
        exact (chain_alive n g _ Sg g _ _ _ _ Su C D2).
      - intros s1 v1 N1 H1 G L. exact (L (good_goal f g s1 v1 U N1 H1 G)).
      - intros Rd s0 v0 cl misses can s1 v1 M N H0 At P1 P6 P7 P4 P2 La L Cx L1. apply L. intro D. apply L1.
        exact (good_kept f g Well Rd s0 v0 cl misses can s1 v1 M N H0 At P1 P6 P7 P4 P2 La D Cx). }
    assert (Gd : good f g s v) by (apply All; left; trivial). destruct Gd as [G1 G2]. split; [trivial|]. split; [trivial|].
    intro X. apply All. right. exact X.
Qed.
End Certificates.
