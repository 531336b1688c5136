(* Certificates with reduced sets. No run of any number of transitions leads from what a node stands for to a state that
   is asked for, nor to an error: by induction over that number. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Footprint Commute Ranges Reduced Stubborn Permute.
Import ListNotations.
Open Scope Z_scope.

(* ---- What does not fail ---- *)

Section Safe.
Variable n : net.
Hypothesis well : well_formed n.
Hypothesis red : reducible n = true.
Definition sized (s : state) : Prop := length (vars s) = length (n_variables n).

(* Where a state is, so that what is said not to fail does not. *)
Definition safely (s : state) : Prop := bounded (ranges n) s /\ ranged n s.
Lemma safely_sized s : safely s -> sized s.
Proof. intros [_ [L _]]. exact L. Qed.
Lemma not_negative us : (forall u, In u us -> 0 <= u_c u) -> forall v, nonneg v -> ~ negative us v.
Proof.
  induction us as [|u us IH]; intros P v N; simpl; [tauto|]. pose proof (P u (or_introl eq_refl)) as Pu.
  apply inj_le in Pu. change (inject_Z 0) with 0%Q in Pu. pose proof (nonneg_val v (u_y u) N) as V.
  intros [X|X]; [lra|]. revert X. apply IH; [intros; apply P; right; trivial|]. intro k. unfold set1. destruct (u_x u) as [|m]; [apply N|].
  destruct (k =? m)%nat; [lra|apply N].
Qed.
(* A transition fails whose guards hold. *)
Definition fails_by (s : state) (v : valuation) (es : list edge) : Prop :=
  formed n s es /\ is_led n s es /\ holds n s v (guard es) /\
  (fire n s es = Err \/ exists s' us, fire n s es = Ok (s', us) /\ negative us v).
Lemma invariants_safe s p : ranged n s -> forall a, In a (invariant_of n s p) -> ask n s a <> Wrong.
Proof.
  intros S a I. pose proof (red_safe n red) as Sa. unfold safe in Sa. apply andb_prop in Sa. destruct Sa as [_ Si]. rewrite forallb_forall in Si.
  rewrite invariant_at in I. destruct (nth_error (locs s) p) as [l|]; [|destruct I]. unfold inv_at in I.
  destruct (nth_error (n_processes n) p) as [ls|] eqn:E1; [|destruct I]. destruct (nth_error ls l) as [x|] eqn:E2; [|destruct I].
  specialize (Si ls (nth_error_In _ _ E1)). rewrite forallb_forall in Si. specialize (Si x (nth_error_In _ _ E2)).
  rewrite forallb_forall in Si. exact (sure_ok n (declared n) a s (Si a I) (proj2 (declared_ranged n s) S)).
Qed.
Lemma fails_who s v : safely s -> step_fails n s v -> exists es, fails_by s v es.
Proof.
  intros S [X|(es & J & _ & X)]; [exfalso; revert X; apply unrated_fails, (red_unrated n red)|].
  pose proof (red_safe n red) as Sa. unfold safe in Sa. apply andb_prop in Sa. destruct Sa as [Se _]. rewrite forallb_forall in Se.
  apply (joint_formed n red) in J. destruct J as [F L]. exists es. destruct X as [(_ & b & a & c & E & Wr & _)|[G X]].
  - exfalso. assert (I : In a (guard es)) by (rewrite E; apply in_or_app; right; left; trivial). unfold guard in I. apply in_flat_map in I.
    destruct I as (e & Ie & Ia). pose proof (formed_here n well s es e F Ie) as Hh. apply here_at in Hh. destruct Hh as (l & _ & J).
    specialize (Se e (out_all n _ _ e J)). rewrite forallb_forall in Se. exact (sure_ok n (ranges n) a s (Se a Ia) (proj1 S) Wr).
  - split; [trivial|split; [trivial|split; [trivial|]]]. destruct X as [X|(s' & us & X & [Y|(b & p & c & Eb & (_ & b' & a & c' & Ea & Wr & _) & _)])]; [auto|eauto|exfalso].
    assert (S' : ranged n s').
    { destruct (fire_fired n (red_before n red) (red_after n red) _ _ _ _ X) as [_ _ R _ _]. apply R, S. }
    apply (invariants_safe s' p S' a); [|trivial]. rewrite Ea. apply in_or_app. right. left. trivial.
Qed.
Lemma codes_sure es : (forall e, In e es -> edge_sure n (ranges n) e = true) ->
  forall c, In c (map code es) -> is_some (follow n (ranges n) (repeat (0, 0) (fst c)) (snd c)) = true.
Proof. intros Z c I. apply in_map_iff in I. destruct I as (e & <- & I). exact (Z e I). Qed.
Lemma quiet_none s v es : safely s -> nonneg v -> (forall e, In e es -> edge_sure n (ranges n) e = true) -> ~ fails_by s v es.
Proof.
  intros S Nn Z (_ & _ & _ & X). rewrite (fire_eq n (red_before n red) (red_after n red)) in X.
  pose proof (updates_sure n (ranges n) (map code es) (codes_sure es Z) s [] (proj1 S) ltac:(intros u [])) as U.
  destruct (updates n s [] (map code es)) as [| |[s0 r]]; [|destruct U|]; cbn [bind] in X.
  - destruct X as [X|(s' & us & X & _)]; discriminate.
  - destruct U as [_ U0]. destruct X as [X|(s' & us & X & Y)]; [discriminate|]. cbn [fst snd] in X. injection X as <- <-.
    exact (not_negative r U0 v Nn Y).
Qed.
Lemma quiet_safely s v es s' v' : safely s -> (forall e, In e es -> edge_sure n (ranges n) e = true) -> acts n s v es s' v' -> safely s'.
Proof.
  intros S Z (us & _ & Fi & _). split; [|exact (fi_range n es s s' us (fire_fired n (red_before n red) (red_after n red) _ _ _ _ Fi) (proj2 S))].
  rewrite (fire_eq n (red_before n red) (red_after n red)) in Fi.
  pose proof (updates_sure n (ranges n) (map code es) (codes_sure es Z) s [] (proj1 S) ltac:(intros u [])) as U.
  destruct (updates n s [] (map code es)) as [| |[s0 r]]; cbn [bind] in Fi; try discriminate. injection Fi as <- _. exact (proj1 U).
Qed.
End Safe.

(* ---- Runs to what is asked for ---- *)

Lemma is_dec n b s v a : is n b s v a \/ ~ is n b s v a.
Proof.
  unfold is. destruct (ask n s a) as [t|i j o c|]; [destruct t, b; auto; right; discriminate| |right; intros []].
  destruct (opposite_or o (val v i - val v j) (inject_Z c)) as [X|[X _]]; destruct b; tauto.
Qed.
Lemma decided_dec n f s v : forall b, decided n b s v f \/ ~ decided n b s v f.
Proof.
  induction f as [a|f IH|f IHf g IHg|f IHf g IHg]; intro b; cbn [decided]; [apply is_dec|apply IH| |];
    specialize (IHf b); specialize (IHg b); destruct b; tauto.
Qed.
Section Runs.
Variable n : net.
Variable lost : state -> valuation -> Prop.
Definition bad_now (s : state) (v : valuation) : Prop := lost s v \/ step_fails n s v.
Inductive ends : nat -> state -> valuation -> Prop :=
| ends_now s v : bad_now s v -> ends 0 s v
| ends_wait k s v d v' : passes n s v d -> same v' (after (stopped n s) d v) -> ends k s v' -> ends k s v
| ends_step k s v s' v' : takes n s v s' v' -> ends k s' v' -> ends (S k) s v.

Lemma ends_start s v : reachable n s v -> forall k, ends k s v -> exists j s0 v0, starts n s0 /\ zero v0 /\ holds n s0 v0 (invariant n s0) /\ ends j s0 v0.
Proof.
  induction 1 as [s v S Z H|s v d v' R IH P S|s v s' v' R IH T]; intros k E.
  - exists k, s, v. auto.
  - apply (IH k). eapply ends_wait; eauto.
  - apply (IH (S k)). eapply ends_step; eauto.
Qed.
Lemma chain_ends q rs s v s' v' k : (forall r, In r rs -> symmetry n r q = true) ->
  (forall s v s' v', chain rs s v s' v' -> lost s v -> lost s' v') -> ends k s v -> chain rs s v s' v' -> ends k s' v'.
Proof.
  intros Sy Lc E. revert s' v'. induction E as [s v B|k s v d w P S E IH|k s v t w T E IH]; intros s' v' C.
  - apply ends_now. destruct B as [B|B]; [left; eapply Lc; eauto|right; eapply chain_fails; eauto].
  - destruct (chain_delay n q rs Sy d _ _ _ _ C _ S) as (w' & C' & S'). apply ends_wait with d w'; [|trivial|apply IH; trivial].
    destruct P as (P & M & H). split; [trivial|]. split; [destruct M as [M|M]; [auto|right; eapply chain_may_wait; eauto]|].
    intros e Pe Le. destruct (chain_delay n q rs Sy e _ _ _ _ C _ (same_refl _)) as (w2 & C2 & S2).
    apply (holds_same n s' w2); [trivial|]. eapply chain_invariant; eauto.
  - destruct T as (es & us & J & G & Ro & F & N & S & H).
    destruct (chain_go n q rs Sy _ _ _ _ C es t us w J G Ro F N S H) as (es1 & t1 & us1 & w1 & J1 & G1 & R1 & F1 & N1 & S1 & H1 & C1).
    apply ends_step with t1 w1; [|apply IH; trivial]. exists es1, us1. auto 10.
Qed.
End Runs.

Section Keeps.
Variable n : net.
Variable s : state.
Variable v : valuation.
Variable cl : claim.
Variable misses : list test -> bool.
Hypothesis misses_sound : forall c, misses c = true -> ~ all_hold c v.
Hypothesis v_still : all_hold (at_top n s cl) v.
Variable can : list info.
Let d := sum_up n (bad_sets n) (infos n) s cl misses can.
Lemma surely_sound b g : surely n s cl misses b g = true -> decided n b s v g.
Proof.
  intro H. unfold surely in H. destruct (clauses_sound n s v g (negb b)) as [M|M]; [|rewrite negb_involutive in M; trivial].
  destruct (clauses n (negb b) s g) as [cs|]; [|discriminate]. destruct M as (c & I & A). rewrite forallb_forall in H.
  exfalso. apply (misses_sound _ (H c I)). apply all_hold_app; trivial.
Qed.
Lemma keeps_sound s1 v1 f : ctx n s v cl misses can s1 v1 -> forall b, keeps n s cl misses d can b f = true -> decided n b s v f -> decided n b s1 v1 f.
Proof.
  intro X. pose proof surely_sound as Su.
  induction f as [a|f IH|f IHf g IHg|f IHf g IHg]; intros b Kp D; cbn [keeps decided] in *.
  - unfold atom_kept in Kp. apply orb_prop in Kp. destruct Kp as [Kp|Kp].
    + apply andb_prop in Kp. destruct Kp as [Kp K3]. apply andb_prop in Kp. destruct Kp as [K1 K2].
      apply (is_agree n _ _ b a s s1 v v1 K1 (disjoint_clean _ _ K2) (disjoint_clean _ _ K3)); [apply (cx_vars _ _ _ _ _ _ _ _ X)|apply (cx_clocks _ _ _ _ _ _ _ _ X)|trivial].
    + destruct a as [[ | | | | |p l| | | | | | | | | | | | | ]| |]; try discriminate Kp. unfold is in *. cbn [ask eval] in *.
      assert (Same : nth_error (locs s1) p = nth_error (locs s) p -> match nth_error (locs s1) p with None => Err | Some l' => Ok (of_bool (l' =? l)%nat) end =
        match nth_error (locs s) p with None => Err | Some l' => Ok (of_bool (l' =? l)%nat) end) by (intros ->; trivial).
      apply orb_prop in Kp. destruct Kp as [Kp|Kp].
      * apply mem_in in Kp. rewrite (Same (cx_in _ _ _ _ _ _ _ _ X p Kp)). destruct (nth_error (locs s) p); exact D.
      * apply andb_prop in Kp. destruct Kp as [Kp Kf]. apply andb_prop in Kp. destruct Kp as [Kb Kl]. apply Nat.ltb_lt in Kl. apply negb_true_iff in Kb. subst b.
        destruct (in_dec Nat.eq_dec p (cl_in cl)) as [Ip|Ip]; [rewrite (Same (cx_in _ _ _ _ _ _ _ _ X p Ip)); destruct (nth_error (locs s) p); exact D|].
        destruct (cx_out _ _ _ _ _ _ _ _ X p) as [E|(i & e & l1 & z & Ii & Pi & So & J & L1 & _)]; [apply in_seq; simpl; lia|trivial|rewrite (Same E); destruct (nth_error (locs s) p); exact D|].
        rewrite L1. rewrite forallb_forall in Kf. specialize (Kf i Ii). rewrite Pi, Nat.eqb_refl in Kf. cbn [negb orb] in Kf.
        rewrite forallb_forall in Kf. specialize (Kf (l1, z) J). cbn [fst] in Kf. apply negb_true_iff in Kf. rewrite Kf. reflexivity.
  - apply IH; trivial.
  - destruct b.
    + apply andb_prop in Kp. destruct Kp. destruct D. auto.
    + apply orb_prop in Kp. destruct Kp as [Kp|Kp]; [apply orb_prop in Kp; destruct Kp as [Kp|Kp]|]; apply andb_prop in Kp; destruct Kp as [K1 K2].
      * destruct D; auto.
      * left. auto.
      * right. auto.
  - destruct b.
    + apply orb_prop in Kp. destruct Kp as [Kp|Kp]; [apply orb_prop in Kp; destruct Kp as [Kp|Kp]|]; apply andb_prop in Kp; destruct Kp as [K1 K2].
      * destruct D; auto.
      * left. auto.
      * right. auto.
    + apply andb_prop in Kp. destruct Kp. destruct D. auto.
Qed.

End Keeps.

Section Walk.
Variable n : net.
Hypothesis well : well_formed n.
Hypothesis red : reducible n = true.
Variable s : state.
Variable v : valuation.
Variable cl : claim.
Variable misses : list test -> bool.
Variable last : deeds -> list info -> bool.
Variable lost : state -> valuation -> Prop.
Variable aim : Prop.
Hypothesis misses_sound : forall c, misses c = true -> ~ all_hold c v.
Hypothesis v_nonneg : nonneg v.
Hypothesis v_inv : holds n s v (invariant n s).
Hypothesis v_still : all_hold (at_top n s cl) v.
Hypothesis s_safely : safely n s.
Hypothesis ok : stubborn n (bad_sets n) (infos n) s cl misses last = true.

Let d0 := iterate n (bad_sets n) (infos n) s cl misses 4 (Deeds [] [] [] [] []).
Let can := filter (live n (bad_sets n) s cl misses d0) (known n (infos n) s cl).
Let d := sum_up n (bad_sets n) (infos n) s cl misses can.

Notation node_ctx := (ctx n s v cl misses can).
Hypothesis kept : forall s1 v1, last d can = true -> node_ctx s1 v1 -> lost s1 v1 -> aim.

Lemma ok_parts : (forall p, In p (cl_in cl) -> In p (processes n)) /\ sized n s /\ (forall i, In i (candidates n (infos n) s cl) -> i <> None) /\
  (forall i, In i can -> i_quiet i = true) /\
  (forall i, In i can -> In i (known n (infos n) s cl)) /\
  (forall i, In i (known n (infos n) s cl) -> live n (bad_sets n) s cl misses d i = true -> In i can) /\
  stands_still n s cl d = true /\
  (forall p e, In p (cl_in cl) -> In e (out_edges n s p) -> edge_ok n (bad_sets n) s cl misses d e = true) /\
  last d can = true.
Proof.
  pose proof ok as H. unfold stubborn in H. cbv zeta in H. fold d0 in H. fold can in H. fold d in H.
  apply andb_prop in H. destruct H as [H H2]. apply andb_prop in H. destruct H as [H HN]. apply andb_prop in H. destruct H as [HR HS].
  apply andb_prop in H2. destruct H2 as [H2 HK]. apply andb_prop in H2. destruct H2 as [H2 HE]. apply andb_prop in H2. destruct H2 as [HL HT].
  apply andb_prop in HL. destruct HL as [HI HL].
  rewrite forallb_forall in HR, HN, HL, HE, HI.
  split; [intros p I; apply in_seq; specialize (HR p I); apply Nat.ltb_lt in HR; simpl; lia|].
  split; [apply Nat.eqb_eq; trivial|]. split; [intros i I E; subst i; discriminate (HN None I)|].
  split; [trivial|].
  split; [intros i I; apply filter_In in I; apply I|]. split.
  { intros i I L. apply filter_In. split; [trivial|]. specialize (HL i I). rewrite L in HL. cbn [negb] in HL. rewrite orb_false_r in HL. trivial. }
  split; [trivial|]. split; [|trivial]. intros p e P I. specialize (HE p P). rewrite forallb_forall in HE. auto.
Qed.

Lemma acts_same s1 v1 w1 a m w : same w1 v1 -> acts n s1 v1 a m w -> acts n s1 w1 a m w.
Proof.
  intros Sa (us & G & F & N & S & H). exists us. split; [apply holds_same with v1; [intro k; symmetry; apply Sa|trivial]|]. split; [trivial|].
  assert (A : cagree (fun _ => False) w1 v1) by (apply cagree_same; trivial).
  split; [intro X; apply N; apply (negative_agree (fun _ => False) us) with w1; auto|]. split; [|trivial].
  intro k. rewrite (S k). destruct (set_all_agree (fun _ => False) us (fun _ _ X => X) _ _ A (Datatypes.S k)) as [[]|E]. symmetry. exact E.
Qed.

Definition fails_first : Prop := exists es, (exists e, In e es /\ In (e_process e) (cl_in cl)) /\ fails_by n s v es.
Definition otherwise : Prop := fails_first \/ aim.
(* Of a transition without P: its updates do not fail. *)
Lemma out_sure s1 v1 es : node_ctx s1 v1 -> formed n s1 es -> holds n s1 v1 (guard es) -> is_out cl es -> forall e, In e es -> edge_sure n (ranges n) e = true.
Proof.
  destruct ok_parts as (P1 & P2 & P3 & Qt & P4 & P5 & P6 & P7 & P8). intros X F G O e I.
  destruct (out_can n well red s v cl misses misses_sound v_still can P3 P5 s1 v1 es e X F G O I) as (i & e0 & Ii & _ & So & Fe & _).
  exact (si_quiet _ _ _ _ So (Qt i Ii) e Fe).
Qed.
Lemma fails_moved s1 v1 : node_ctx s1 v1 -> safely n s1 -> step_fails n s1 v1 -> fails_first.
Proof.
  destruct ok_parts as (P1 & P2 & P3 & Qt & P4 & P5 & P6 & P7 & P8). intros X S1 Fa.
  destruct (fails_who n well red s1 v1 S1 Fa) as (es & Fb). pose proof Fb as (F & L & G & B).
  destruct (existsb (fun e => mem (e_process e) (cl_in cl)) es) eqn:Q.
  - apply existsb_exists in Q. destruct Q as (e & I & Q). apply mem_in in Q.
    assert (Fr : front n s cl misses can es) by (eapply front_first; eauto). exists es. split; [eauto|].
    destruct Fr as (F0 & L0 & Ge). set (W := fun k => In k (d_writes d)). set (K := fun k => In k (d_csets d)).
    assert (Ce : forall e, In e es -> pedge e = true /\ clean W (eR e) /\ clean K (eC e)).
    { intros f If. destruct (Ge f If) as [_ H]. unfold good_edge in H. split_and. split; [|split; apply disjoint_clean; assumption].
      apply (red_pedge n red). pose proof (formed_here n well s es f F0 If) as Hh. apply here_at in Hh. destruct Hh as (l & _ & J). eapply out_all; eauto. }
    pose proof (agree_sym _ _ _ (cx_vars _ _ _ _ _ _ _ _ X)) as Av. pose proof (cagree_sym _ _ _ (cx_clocks _ _ _ _ _ _ _ _ X)) as Ac.
    split; [trivial|split; [trivial|split; [apply (guard_agree n W K es s1 s v1 v); trivial|]]].
    pose proof (fire_agree n (red_before n red) (red_after n red) W es s1 s ltac:(intros f If; destruct (Ce f If) as (A1 & A2 & _); auto) Av) as Fi.
    destruct B as [B|(s' & us & B & N)]; rewrite B in Fi.
    + destruct (fire n s es); [destruct Fi|auto|destruct Fi].
    + destruct (fire_fired n (red_before n red) (red_after n red) _ _ _ _ B) as [_ _ _ U _].
      destruct (fire n s es) as [| |[s0 us0]]; [destruct Fi|destruct Fi|]. destruct Fi as [_ Eu]. cbn [snd] in Eu. subst us0. right. exists s0, us. split; [trivial|].
      apply (negative_agree K us) with v1; trivial. intros u Iu. destruct (U u Iu) as (f & If & _ & Iy & _). destruct (Ce f If) as (_ & _ & C).
      apply C. unfold eC. apply in_or_app. right. trivial.
  - exfalso. revert Fb. apply (quiet_none n red); trivial; [apply (cx_nonneg _ _ _ _ _ _ _ _ X)|].
    apply (out_sure s1 v1 es X F G). intros e I J.
    assert (Q' : existsb (fun e => mem (e_process e) (cl_in cl)) es = true) by (apply existsb_exists; exists e; split; [trivial|apply mem_in; trivial]). congruence.
Qed.

Lemma walk k s1 v1 : ends n lost k s1 v1 -> node_ctx s1 v1 -> safely n s1 ->
  (exists j a m w, k = S j /\ front n s cl misses can a /\ acts n s1 v1 a m w /\ ends n lost j m w) \/ otherwise.
Proof.
  destruct ok_parts as (P1 & P2 & P3 & _ & P4 & P5 & P6 & P7 & P8). intro E. induction E as [s1 v1 B|k s1 v1 e w P S E IH|k s1 v1 t w T E IH]; intros X Sf.
  - right. destruct B as [B|B]; [right; exact (kept s1 v1 P8 X B)|left; exact (fails_moved s1 v1 X Sf B)].
  - pose proof (time_still n red s v cl misses v_still can P1 P6 s1 v1 e X P) as Z.
    rewrite unrated_stopped in S by (apply red_unrated; trivial).
    assert (Sa : same w v1) by (intro x; rewrite (S x); unfold after; simpl; rewrite Z; lra).
    destruct IH as [(j & a & m & w' & Ek & Fa & A & En)|Ff]; [eapply ctx_same; eauto|trivial| |right; trivial]. left. exists j, a, m, w'. repeat (split; trivial).
    eapply acts_same; [|exact A]. intro x. symmetry. apply Sa.
  - apply (takes_acts n red) in T. destruct T as (es & F & L & A).
    destruct (existsb (fun e => mem (e_process e) (cl_in cl)) es) eqn:Q.
    + apply existsb_exists in Q. destruct Q as (e & I & Q). apply mem_in in Q. left. exists k, es, t, w. split; [trivial|].
      split; [|auto]. pose proof A as (us & G & _). eapply front_first; eauto.
    + assert (O : is_out cl es).
      { intros e I J. assert (Q' : existsb (fun e => mem (e_process e) (cl_in cl)) es = true) by (apply existsb_exists; exists e; split; [trivial|apply mem_in; trivial]). congruence. }
      destruct IH as [(j & a & m & w' & Ek & Fa & B & En)|Ff]; [eapply out_step; eauto| | |right; trivial].
      { pose proof A as (us & G & _). exact (quiet_safely n red s1 v1 es t w Sf (out_sure s1 v1 es X F G O) A). } subst k. left.
      assert (Bk : exists m1 w1, acts n s1 v1 a m1 w1 /\ takes n m1 w1 m w') by (eapply front_back; eauto).
      destruct Bk as (m1 & w1 & A1 & T1). exists (S j), a, m1, w1. repeat (split; trivial). eapply ends_step; eauto.
Qed.
Lemma first_of_set k : ends n lost k s v ->
  (exists j a m w, k = S j /\ (exists e, In e a /\ In (e_process e) (cl_in cl)) /\ formed n s a /\ is_led n s a /\ acts n s v a m w /\ ends n lost j m w) \/ otherwise.
Proof.
  intro E. destruct (walk k s v E) as [(j & a & m & w & Ek & (F & L & G) & A & En)|Ff]; [apply ctx_here; trivial|trivial| |right; trivial].
  left. exists j, a, m, w. split; [trivial|]. split; [|auto]. pose proof (formed_cons n s a F) as N. destruct a as [|e a]; [congruence|].
  exists e. split; [left; trivial|]. apply (G e (or_introl eq_refl)).
Qed.
End Walk.

(* ---- Certificates ---- *)

Lemma place_eqb_eq a b : place_eqb a b = true -> a = b.
Proof.
  destruct a as [s g], b as [t h]. unfold place_eqb. cbn [fst snd]. intro H. apply andb_prop in H. destruct H as [A B].
  apply state_eqb_eq in A. apply N.eqb_eq in B. congruence.
Qed.
Lemma sift_in n cl s o m ts l : In o l -> move_of n s o = Some m -> verdict n cl s (o_edges o) = Some ts ->
  forall k, exists j, In (j, Move _ (ts ++ m_tests _ m) (m_out _ m)) (sift n cl k s l).
Proof.
  intros I E V. induction l as [|x l IH]; intro k; [destruct I|]. cbn [sift]. destruct I as [->|I].
  - rewrite V, E. eexists. left. reflexivity.
  - destruct (IH I (N.succ k)) as (j & J). destruct (verdict n cl s (o_edges x)) as [us|]; [|eauto].
    destruct (move_of n s x); [|eauto]. exists j. right. exact J.
Qed.

Section Correct.
Variable n : net.
Hypothesis well : well_formed n.
Variable sets : N -> option claim.
Variable clauses_of : state -> option (list (list test)).
Variable many : option nat.
Variable last : state -> claim -> (list test -> bool) -> deeds -> list info -> bool.
Variable called : names -> state -> option state.
Variable clock_of_name : names -> nat -> nat.
Variable c : certificate.
Hypothesis accepted : reduced_check_by n sets called clock_of_name clauses_of many last c = true.
(* What is asked for: it is the same under other names, a node does not have it, nor what follows without its set. *)
Variable lost : state -> valuation -> Prop.
Variable aim : Prop.
(* What a name does: the state that has it can do the same. *)
Variable link : state -> valuation -> state -> valuation -> Prop.
Hypothesis link_called : forall a s s' v, called a s = Some s' ->
  exists v', link s v s' v' /\ forall x, (val v' x == val v (clock_of_name a x))%Q.
Hypothesis link_invariant : forall s v s' v', link s v s' v' -> holds n s v (invariant n s) -> holds n s' v' (invariant n s').
Hypothesis link_ends : forall k s v s' v', ends n lost k s v -> link s v s' v' -> ends n lost k s' v'.
Hypothesis lost_goal : forall s v, nonneg v -> holds n s v (invariant n s) -> ~ meets_goal state clauses_of s v -> lost s v -> aim.
Hypothesis lost_kept : reducible n = true -> forall s v cl misses can s1 v1, (forall c, misses c = true -> ~ all_hold c v) -> nonneg v ->
  holds n s v (invariant n s) -> all_hold (at_top n s cl) v -> (forall p, In p (cl_in cl) -> In p (processes n)) ->
  stands_still n s cl (sum_up n (bad_sets n) (infos n) s cl misses can) = true ->
  (forall p e, In p (cl_in cl) -> In e (out_edges n s p) -> edge_ok n (bad_sets n) s cl misses (sum_up n (bad_sets n) (infos n) s cl misses can) e = true) ->
  (forall i, In i can -> In i (known n (infos n) s cl)) -> sized n s ->
  last s cl misses (sum_up n (bad_sets n) (infos n) s cl misses can) can = true ->
  (lost s v -> aim) -> ctx n s v cl misses can s1 v1 -> lost s1 v1 -> aim.
Let group_at := fun g => let (s, ab) := c_group_at c g in ((s, g), ab).
Let initial := map (fun s : state => (s, 0%N)) (net_initial n).
Let inv := fun p : place => net_inv n (fst p).
Let delay := fun p : place => net_delay n (fst p).
Let moves := place_moves n sets (table n).
Let goal := fun p : place => clauses_of (fst p).
Let extra := place_extra n sets (bad_sets n) (infos n) (in_ranges n) last.
Let named := place_named called.
Let clock_named := fun a : names * N => clock_of_name (fst a).
Let checked := check place place_eqb initial inv delay moves goal many extra (names * N) named clock_named
  (c_groups c) group_at (c_group_of c) (c_frame_at c) (c_zone_at c) (fun k => placed_hints c (c_hints_at c k)) (placed_hints c (c_start_hints c)).
Let is_inside := inside place inv delay (c_groups c) group_at (c_frame_at c) (c_zone_at c).
Let found := is_covered place (names * N) named clock_named (c_groups c) group_at (c_frame_at c) (c_zone_at c).

Lemma check_parts : forallb (starts_well n) (net_initial n) = true /\ checked = true.
Proof. pose proof accepted as H. unfold reduced_check_by in H. cbv zeta in H. apply andb_prop in H. exact H. Qed.

Definition in_node (s : state) (v : valuation) : Prop := exists g, is_inside (s, g) v.
Lemma found_node p v : found p v -> nonneg v -> holds n (fst p) v (invariant n (fst p)) ->
  exists s' v', link (fst p) v s' v' /\ in_node s' v'.
Proof.
  intros F N H.
  destruct (covered_inside place inv delay _ _ _ _ _ _ _ _ _ F N) as ((a & g) & p' & E & K).
  unfold named, place_named in E. cbn [fst snd] in E. destruct (called a (fst p)) as [s'|] eqn:Es; [|discriminate]. injection E as <-.
  destruct (link_called a (fst p) s' v Es) as (v' & C & V). exists s', v'. split; [trivial|]. exists g. apply K; [exact V|].
  unfold inv. cbn [fst]. apply holds_inv. eapply link_invariant; eauto.
Qed.
Lemma node_inv s g v : is_inside (s, g) v -> exists ts, net_inv n s = Some ts /\ all_hold ts v.
Proof. intros (_ & H & _). exact H. Qed.

(* A transition that has to be listed. *)
Lemma listed s g v es us s' v' : is_inside (s, g) v -> joint n s v es -> holds n s v (guard es) -> ~ outranked n s v es ->
  fire n s es = Ok (s', us) -> same v' (set_all us v) -> holds n s' v' (invariant n s') ->
  match sets g with None => True | Some cl => exists ts, verdict n cl s es = Some ts /\ all_hold ts v end ->
  ~ negative us v -> exists s2 v2, link s' v' s2 v2 /\ in_node s2 v2.
Proof.
  intros I J G Ro F S H Vd Nn. destruct check_parts as (_ & Ok).
  destruct (judge_holds n _ _ _ G) as (ts & E & A). pose proof H as H1. apply (holds_same n _ _ _ _ S) in H1.
  destruct (invariants_hold n _ _ H1) as (ts' & E' & A').
  assert (Re : result n s es = Some (ts, Some (us, Some (map (back (origins_of us)) ts', s')))) by (unfold result; rewrite E, F, E'; trivial).
  assert (Mv : exists j m, In (j, m) (moves (s, g)) /\ all_hold (m_tests _ m) v /\ m_out _ m = Some (us, Some (map (back (origins_of us)) ts', (s', 0%N)))).
  { unfold moves, place_moves. cbn [fst snd]. destruct (sets g) as [cl|].
    - destruct Vd as (ws & V & Aw). destruct (joint_in n s v es false ts (proj1 I) (proj1 (proj2 I)) J (not_false_holds n _ _ _ G) Ro E A) as (o & Io & Eo & To).
      subst es. destruct (sift_in n cl s o _ ws (joints n (table n) s) Io (move_result n s o ts _ Re) V 0%N) as (j & K).
      exists j. eexists. split; [apply (in_map (fun x => (fst x, raised (snd x)))) in K; exact K|].
      split; [|reflexivity]. cbn [raised m_tests snd]. apply all_hold_app; [trivial|]. apply all_hold_app; trivial.
    - destruct (moves_in n s v es ts _ (proj1 I) (proj1 (proj2 I)) J (not_false_holds n _ _ _ G) Ro Re A) as (j & m & K & Tm & Om).
      exists j. eexists. split; [apply (in_map (fun x => (fst x, raised (snd x)))) in K; exact K|].
      split; [exact Tm|]. cbn [raised m_out snd]. rewrite Om. reflexivity. }
  destruct Mv as (j & m & K & Tm & Om).
  destruct (inside_move place place_eqb place_eqb_eq initial inv delay moves goal many extra _ _ _ _ _ _ _ _ _ _ Ok _ _ _ _ I K Tm) as (us2 & target & O & NN & Co).
  rewrite Om in O. injection O as <- <-. specialize (Co _ _ eq_refl (all_hold_back _ _ _ A')).
  apply (is_covered_same _ _ _ _ _ _ _ _ _ _ _ S) in Co.
  apply (found_node (s', 0%N) v' Co); [|exact H]. intro x. rewrite (S x). apply nonneg_set; [apply I|trivial].
Qed.

Lemma node_kept s g v : is_inside (s, g) v -> holds n s v (invariant n s) -> lost s v -> aim.
Proof.
  intros I H. destruct check_parts as (_ & Ok).
  destruct (inside_good place place_eqb place_eqb_eq initial inv delay moves goal many extra _ _ _ _ _ _ _ _ _ _ Ok _ _ I) as [Gd _].
  apply lost_goal; [apply I|trivial|exact Gd].
Qed.
Lemma node_extra s g v cl : is_inside (s, g) v -> sets g = Some cl -> reducible n = true /\ safely n s /\
  exists misses, (forall c, misses c = true -> ~ all_hold c v) /\ stubborn n (bad_sets n) (infos n) s cl misses (last s cl misses) = true.
Proof.
  intros I E. destruct check_parts as (_ & Ok).
  destruct (inside_extra place place_eqb initial inv delay moves goal many extra _ _ _ _ _ _ _ _ _ _ Ok _ _ I) as (misses & M & X).
  unfold extra, place_extra in X. cbn [fst snd] in X. rewrite E in X. apply andb_prop in X. destruct X as [R X].
  unfold in_ranges in R. cbv zeta in R. apply andb_prop in R. destruct R as [R R2]. apply andb_prop in R. destruct R as [R0 R1].
  split; [trivial|]. split; [split; [apply bounded_b_sound; trivial|apply declared_ranged, bounded_b_sound; trivial]|eauto].
Qed.

Lemma stays s g v cl misses : is_inside (s, g) v -> holds n s v (invariant n s) -> reducible n = true -> (forall c, misses c = true -> ~ all_hold c v) ->
  all_hold (at_top n s cl) v -> stubborn n (bad_sets n) (infos n) s cl misses (last s cl misses) = true ->
  let can := filter (live n (bad_sets n) s cl misses (iterate n (bad_sets n) (infos n) s cl misses 4 (Deeds [] [] [] [] []))) (known n (infos n) s cl) in
  forall s1 v1, last s cl misses (sum_up n (bad_sets n) (infos n) s cl misses can) can = true -> ctx n s v cl misses can s1 v1 -> lost s1 v1 -> aim.
Proof.
  intros I H Rd M At X can s1 v1 La Cx. destruct (ok_parts n s cl misses (last s cl misses) X) as (P1 & P2 & P3 & _ & P4 & P5 & P6 & P7 & P8).
  apply (lost_kept Rd s v cl misses can s1 v1); trivial; [apply I|]. eapply node_kept; eauto.
Qed.
(* A transition has to be listed, or time stands still. *)
Lemma or_listed s (g : N) v cl es : (exists ts, verdict n cl s es = Some ts /\ all_hold ts v) \/
  existsb (fun e => mem (e_process e) (cl_in cl)) es = false /\ all_hold (at_top n s cl) v.
Proof.
  destruct (existsb (fun e => mem (e_process e) (cl_in cl)) es) eqn:Q.
  { left. exists []. unfold verdict. rewrite Q. split; [trivial|apply all_hold_nil]. }
  unfold at_top. destruct (top_of n s cl) as [[x [a c0]]|] eqn:Et; [|right; split; [trivial|apply all_hold_nil]].
  assert (Tp : exists p y, cl_top cl = Some (p, y)) by (unfold top_of in Et; destruct (cl_top cl) as [[p y]|]; [eauto|discriminate]). destruct Tp as (p & y & Ct).
  destruct (opposite_or Ge (val v x - val v 0) (inject_Z c0)) as [Y|[_ Y]]; [right; split; [trivial|apply tests_sound; exact Y]|left].
  unfold verdict. rewrite Q, Ct, Et. exists (tests x 0 Lt c0). split; [trivial|]. apply tests_sound. exact Y.
Qed.
(* One that has to be listed does not fail. *)
Lemma listed_fails s g v cl es : is_inside (s, g) v -> sets g = Some cl -> reducible n = true ->
  (exists ts, verdict n cl s es = Some ts /\ all_hold ts v) -> ~ fails_by n s v es.
Proof.
  intros I Eg Rd (ws & V & Aw) (F & L & G & B). destruct check_parts as (_ & Ok).
  assert (J : joint n s v es) by (apply (joint_formed n Rd); auto). destruct (judge_holds n _ _ _ G) as (ts & E & A).
  assert (Ro : ~ outranked n s v es) by (intros (es' & _ & _ & Hi); rewrite (no_ranks n es es' (red_ranks n Rd) (formed_cons n _ _ F)) in Hi; discriminate).
  destruct (joint_in n s v es false ts (proj1 I) (proj1 (proj2 I)) J (not_false_holds n _ _ _ G) Ro E A) as (o & Io & Eo & To).
  assert (Re : exists out, result n s es = Some (ts, out) /\ match out with None => True | Some (us, _) => negative us v end).
  { unfold result. rewrite E. destruct B as [B|(s' & us & B & N)]; rewrite B; [eexists; split; [reflexivity|exact Logic.I]|].
    destruct (judge_all n s' (invariants n s')) as [[[|] ts']|]; eexists; (split; [reflexivity|]); first [exact N | exact Logic.I]. }
  destruct Re as (out & Re & Bad). subst es.
  destruct (sift_in n cl s o _ ws (joints n (table n) s) Io (move_result n s o ts _ Re) V 0%N) as (j & K).
  destruct (inside_good place place_eqb place_eqb_eq initial inv delay moves goal many extra _ _ _ _ _ _ _ _ _ _ Ok _ _ I) as [_ Gd].
  apply Gd. exists j. eexists. split; [unfold moves, place_moves; cbn [fst snd]; rewrite Eg; apply (in_map (fun x => (fst x, raised (snd x)))) in K; exact K|].
  cbn [raised m_tests m_out snd]. split; [apply all_hold_app; [trivial|apply all_hold_app; trivial]|]. destruct out as [[us [[ts' t]|]]|]; trivial.
Qed.

Theorem none_ends : forall k s v, ends n lost k s v -> (forall j, (j < k)%nat -> forall s v, in_node s v -> holds n s v (invariant n s) -> ends n lost j s v -> aim) ->
  in_node s v -> holds n s v (invariant n s) -> aim.
Proof.
  destruct check_parts as (_ & Ok).
  assert (Next : forall k s' v' s2 v2, (forall j, (j < k)%nat -> forall s v, in_node s v -> holds n s v (invariant n s) -> ends n lost j s v -> aim) ->
    forall j, (j < k)%nat -> holds n s' v' (invariant n s') -> ends n lost j s' v' -> link s' v' s2 v2 -> in_node s2 v2 -> aim).
  { intros k s' v' s2 v2 IH j L H E C I. apply (IH j L s2 v2 I); [eapply link_invariant; eauto|eapply link_ends; eauto]. }
  intros k s v E. induction E as [s v B|k s v e w P S E IH|k s v s' v' T E _]; intros Out (g & I) H.
  - destruct B as [B|B]; [exact (node_kept s g v I H B)|]. destruct (sets g) as [cl|] eqn:Eg.
    + destruct (node_extra s g v cl I Eg) as (Rd & Sz & misses & M & X).
      destruct (fails_who n well Rd s v Sz B) as (es & Fb). destruct (or_listed s g v cl es) as [V|[_ At]]; [exfalso; exact (listed_fails s g v cl es I Eg Rd V Fb)|].
      destruct (first_of_set n well Rd s v cl misses (last s cl misses) lost aim M (proj1 I) H At Sz X (stays s g v cl misses I H Rd M At X) 0%nat (ends_now n lost s v (or_intror B))) as [(j & a & m & w & Ej & _)|[(es' & (e & Ie & Pe) & Ff)|Gt]]; [discriminate| |exact Gt].
      exfalso. apply (listed_fails s g v cl es' I Eg Rd); [|exact Ff]. exists []. split; [|apply all_hold_nil]. unfold verdict.
      assert (Q' : existsb (fun e => mem (e_process e) (cl_in cl)) es' = true) by (apply existsb_exists; exists e; split; [trivial|apply mem_in; trivial]). rewrite Q'. trivial.
    + destruct (inside_good place place_eqb place_eqb_eq initial inv delay moves goal many extra _ _ _ _ _ _ _ _ _ _ Ok _ _ I) as [_ Gd].
      exfalso. apply Gd. destruct (fails_in n s v (proj1 I) (proj1 (proj2 I)) B) as (j & m & K & A & O). exists j, (raised m). split.
      * unfold moves, place_moves. cbn [fst snd]. rewrite Eg. apply (in_map (fun x => (fst x, raised (snd x)))) in K. exact K.
      * split; [exact A|]. unfold raised. cbn [m_out]. destruct (m_out _ m) as [[us [[ts t]|]]|]; exact O.
  - destruct P as (Pe & Wt & Hh). assert (Hw : holds n s w (invariant n s)).
    { apply holds_same with (after (stopped n s) e v); [intro x; symmetry; apply S|]. apply Hh; lra. }
    apply IH; trivial. exists g. destruct Wt as [Z|Wt].
    + apply (inside_same _ _ _ _ _ _ _ _ v w); [|exact I]. intro x. rewrite (S x). unfold after. destruct (existsb _ _); [|rewrite Z]; lra.
    + eapply delay_inside; [exact I|unfold delay; cbn [fst]; apply may_wait_delay; exact Wt|exact Pe|exact S|]. unfold inv; cbn [fst]. apply holds_inv. trivial.
  - pose proof T as (es & us & J & G & Ro & F & Nn & S & H').
    assert (Direct : match sets g with None => True | Some cl => exists ts, verdict n cl s es = Some ts /\ all_hold ts v end -> aim).
    { intro Vd. destruct (listed s g v es us s' v' I J G Ro F S H' Vd Nn) as (s2 & v2 & C & I2). exact (Next (Datatypes.S k) s' v' s2 v2 Out k ltac:(lia) H' E C I2). }
    destruct (sets g) as [cl|] eqn:Eg; [|exact (Direct Logic.I)]. destruct (node_extra s g v cl I Eg) as (Rd & Sz & misses & M & X).
    destruct (or_listed s g v cl es) as [V|[_ At]]; [exact (Direct V)|].
    destruct (first_of_set n well Rd s v cl misses (last s cl misses) lost aim M (proj1 I) H At Sz X (stays s g v cl misses I H Rd M At X) (Datatypes.S k)) as [(j & a & m & w & Ej & (e0 & Ie & Pe) & Fa & La & A & En)|[(es' & (e & Ie & Pe) & Ff)|Gt]].
    { eapply ends_step; eauto. }
    3: exact Gt.
    2: { exfalso. apply (listed_fails s g v cl es' I Eg Rd); [|exact Ff]. exists []. split; [|apply all_hold_nil]. unfold verdict.
      assert (Q' : existsb (fun e => mem (e_process e) (cl_in cl)) es' = true) by (apply existsb_exists; exists e; split; [trivial|apply mem_in; trivial]). rewrite Q'. trivial. }
    injection Ej as <-. destruct A as (ua & Ga & Fi & Na & Sa & Ia).
    assert (Ja : joint n s v a) by (apply (joint_formed n Rd); auto).
    destruct (listed s g v a ua m w I Ja Ga) as (s2 & v2 & C & I2); trivial.
    + intros (es' & _ & _ & Hi). rewrite (no_ranks n a es' (red_ranks n Rd) (formed_cons n _ _ Fa)) in Hi. discriminate.
    + rewrite Eg. exists []. split; [|apply all_hold_nil]. unfold verdict.
      assert (Q' : existsb (fun e => mem (e_process e) (cl_in cl)) a = true) by (apply existsb_exists; exists e0; split; [trivial|apply mem_in; trivial]). rewrite Q'. trivial.
    + exact (Next (Datatypes.S k) m w s2 v2 Out k ltac:(lia) Ia En C I2).
Qed.
Lemma node_never k : forall s v, in_node s v -> holds n s v (invariant n s) -> ends n lost k s v -> aim.
Proof. induction k as [k IH] using lt_wf_ind. intros s v I H E. exact (none_ends k s v E IH I H). Qed.

Lemma no_start_fails_by : ~ start_fails n.
Proof.
  destruct check_parts as (C0 & Ok). intros (s & S & E). rewrite forallb_forall in C0. specialize (C0 _ (starts_in n _ S)).
  unfold starts_well in C0. destruct (invariants_fail _ _ E) as (ts & J). rewrite J in C0. discriminate.
Qed.
Theorem reduced_means_by s v : reachable n s v -> bad_now n lost s v -> aim.
Proof.
  destruct check_parts as (C0 & Ok). intros R B. destruct (ends_start n lost s v R 0%nat (ends_now n lost s v B)) as (j & s0 & v0 & S0 & Z0 & H0 & E0).
    assert (F : found (s0, 0%N) v0).
    { apply (initial_covered place place_eqb place_eqb_eq initial inv delay moves goal many extra _ _ _ _ _ _ _ _ _ _ Ok); [|exact Z0|].
      - apply (in_map (fun s => (s, 0%N))), starts_in. trivial.
      - unfold inv; cbn [fst]. apply holds_inv. trivial. }
    destruct (found_node (s0, 0%N) v0 F) as (s1 & v1 & C & I); [intro x; rewrite (Z0 x); lra|exact H0|]. cbn [fst] in C.
    apply (node_never j s1 v1 I); [eapply link_invariant; eauto|eapply link_ends; eauto].
Qed.
End Correct.

(* Under renamings. *)
Section Renamed.
Variable n : net.
Variable sets : N -> option claim.
Variable clauses_of : state -> option (list (list test)).
Variable many : option nat.
Variable last : state -> claim -> (list test -> bool) -> deeds -> list info -> bool.
Variable q : formula.
Variable c : certificate.
Hypothesis accepted : reduced_check_for n sets clauses_of many last q c = true.
Let rs := c_renamings c.
Lemma renamed_parts : (forall r, In r rs -> symmetry n r q = true) /\
  reduced_check_by n sets (state_called rs) (clock_called rs) clauses_of many last c = true.
Proof.
  pose proof accepted as H. unfold reduced_check_for in H. apply andb_prop in H. destruct H as [A B]. rewrite forallb_forall in A. auto.
Qed.
Lemma no_start_fails : ~ start_fails n.
Proof. destruct renamed_parts as [_ A]. exact (no_start_fails_by _ _ _ _ _ _ _ _ A). Qed.
Theorem reduced_means (well : well_formed n) (lost : state -> valuation -> Prop) (aim : Prop) :
  ((forall r, In r rs -> symmetry n r q = true) -> forall s v s' v', chain rs s v s' v' -> lost s v -> lost s' v') ->
  (forall s v, nonneg v -> holds n s v (invariant n s) -> ~ meets_goal state clauses_of s v -> lost s v -> aim) ->
  (reducible n = true -> forall s v cl misses can s1 v1, (forall c, misses c = true -> ~ all_hold c v) -> nonneg v ->
    holds n s v (invariant n s) -> all_hold (at_top n s cl) v -> (forall p, In p (cl_in cl) -> In p (processes n)) ->
    stands_still n s cl (sum_up n (bad_sets n) (infos n) s cl misses can) = true ->
    (forall p e, In p (cl_in cl) -> In e (out_edges n s p) -> edge_ok n (bad_sets n) s cl misses (sum_up n (bad_sets n) (infos n) s cl misses can) e = true) ->
    (forall i, In i can -> In i (known n (infos n) s cl)) -> sized n s ->
    last s cl misses (sum_up n (bad_sets n) (infos n) s cl misses can) can = true ->
    (lost s v -> aim) -> ctx n s v cl misses can s1 v1 -> lost s1 v1 -> aim) ->
  forall s v, reachable n s v -> bad_now n lost s v -> aim.
Proof.
  intros Lc Lg Lk. destruct renamed_parts as [Sy A].
  apply (reduced_means_by n well sets clauses_of many last _ _ c A lost aim (chain rs)); trivial.
  - intros a s s' v E. exact (chain_called n q rs Sy a s s' v E).
  - intros s v s' v' C. exact (chain_invariant n q rs Sy s v s' v' C).
  - intros k s v s' v' E C. exact (chain_ends n lost q rs s v s' v' k Sy (Lc Sy) E C).
Qed.
End Renamed.

Theorem reduced_correct n (well : well_formed n) sets q c : reduced_check n sets q c = true ->
  ~ start_fails n /\ forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof.
  intro A. split; [exact (no_start_fails n sets _ _ _ q c A)|]. intros s v Re.
  assert (N : bad_now n (fun s v => ~ decided n false s v q) s v -> False).
  { apply (reduced_means n sets _ _ _ q c A well (fun s v => ~ decided n false s v q) False); trivial.
    - intros Sy s1 v1 s2 v2 C L D. apply L. eapply chain_query; eauto.
    - intros s1 v1 _ _ G L. apply L. destruct (clauses_sound n s1 v1 q true) as [M|D]; [|exact D]. exfalso. apply G. exact M.
    - intros Rd s0 v0 cl misses can s1 v1 M N H At P1 P6 P7 P4 P2 La L Cx L1. apply L1. apply (keeps_sound n s0 v0 cl misses M At can s1 v1 q Cx false La).
      destruct (decided_dec n q s0 v0 false) as [D|D]; [exact D|destruct (L D)]. }
  split; [|intro X; apply N; right; exact X].
  destruct (decided_dec n q s v false) as [D|D]; [exact D|]. exfalso. apply N. left. exact D.
Qed.
