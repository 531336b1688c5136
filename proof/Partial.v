(* Certificates with reduced sets. No run of any number of transitions leads from what a node stands for to a state that
   is asked for, nor to an error: by induction over that number. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Footprint Commute Reduced Stubborn Permute.
Import ListNotations.
Open Scope Z_scope.

(* ---- Nothing fails ---- *)

Section Safe.
Variable n : net.
Hypothesis well : well_formed n.
Hypothesis red : reducible n = true.
Definition sized (s : state) : Prop := length (vars s) = length (n_variables n).

Lemma fits_ok z : fits z = true -> fit false z = Ok z.
Proof. unfold fits, fit. intros ->. trivial. Qed.
Lemma ze_ok e : ze n e = true -> forall s f, sized s -> exists z, eval n s f e = Ok z.
Proof.
  induction e as [z|k| | | | | | |a IHa|o a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb c IHc|low high a IHa| | | | | ]; cbn [ze]; intros H s f S; try discriminate H; cbn [eval].
  - exists z. apply fits_ok. trivial.
  - apply Nat.ltb_lt in H. unfold get. destruct (nth_error (vars s) k) eqn:E; [eauto|]. apply nth_error_None in E. rewrite S in E. lia.
  - destruct (IHa H s f S) as (x & ->). cbn [bind]. eauto.
  - destruct o; try discriminate H. apply andb_prop in H. destruct H as [A B]. destruct (IHa A s f S) as (x & ->). destruct (IHb B s f S) as (y & ->). cbn [bind]. exists (of_bool (compare c x y)). reflexivity.
  - apply andb_prop in H. destruct H as [A B]. destruct (IHa A s f S) as (x & ->). destruct (IHb B s f S) as (y & ->). cbn [bind]. destruct (is_true x); eauto.
  - apply andb_prop in H. destruct H as [A B]. destruct (IHa A s f S) as (x & ->). destruct (IHb B s f S) as (y & ->). cbn [bind]. destruct (is_true x); eauto.
  - apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [A B]. destruct (IHa A s f S) as (x & ->). cbn [bind]. destruct (is_true x); auto.
  - destruct a; try discriminate H. apply andb_prop in H. destruct H as [A B]. cbn [eval]. rewrite (fits_ok _ A). cbn [bind]. rewrite B. eauto.
Qed.
Lemma run_seq a b e : run n (SSeq a b) e = bind (run n a e) (fun f => run n b f).
Proof. reflexivity. Qed.
Lemma run_var k x e : run n (SVar k x) e = bind (eval n (en_state e) (en_frame e) x) (fun z => store n e k z).
Proof. reflexivity. Qed.
Lemma run_if x a b e : run n (SIf x a b) e = bind (eval n (en_state e) (en_frame e) x) (fun z => if is_true z then run n a e else run n b e).
Proof. reflexivity. Qed.
Lemma run_clock x y z e : run n (SClock (Clock x) (Clock y) (EConst z)) e =
  bind (fit false z) (fun z => if (y =? 0)%nat && (z <? 0) then Err else Ok (Env (en_state e) (en_frame e) (Upd x y z :: en_updates e))).
Proof. reflexivity. Qed.
Lemma zs_ok c : zs n c = true -> forall e, sized (en_state e) ->
  match run n c e with
  | Err => False | Fails => True
  | Ok f => sized (en_state f) /\ forall u, In u (en_updates f) -> In u (en_updates e) \/ 0 <= u_c u
  end.
Proof.
  induction c as [ |a IHa b IHb|k x| | | |x y z|x a IHa b IHb| ]; cbn [zs]; intros H en S; try discriminate H.
  - cbn [run]. auto.
  - rewrite run_seq. apply andb_prop in H. destruct H as [A B]. specialize (IHa A en S). destruct (run n a en) as [| |g]; cbn [bind]; trivial.
    destruct IHa as [Sg Ug]. specialize (IHb B g Sg). destruct (run n b g) as [| |h]; trivial. destruct IHb as [Sh Uh]. split; [trivial|].
    intros u I. destruct (Uh u I) as [J|J]; auto.
  - rewrite run_var. apply andb_prop in H. destruct H as [A B]. destruct (ze_ok x A (en_state en) (en_frame en) S) as (z & ->). cbn [bind]. unfold store.
    apply Nat.ltb_lt in B. destruct (nth_error (n_variables n) k) as [v|] eqn:E; [|apply nth_error_None in E; lia].
    destruct (_ && _); [|trivial]. destruct (put_ok (vars (en_state en)) k z) as (l & P); [unfold sized in S; lia|]. rewrite P. cbn [bind].
    split; [|auto]. destruct (put_nth _ _ _ _ P) as (L & _). unfold sized in *. cbn [en_state vars]. congruence.
  - destruct x as [x|], y as [y|], z as [z| | | | | | | | | | | | | | | | | |]; try discriminate H. apply andb_prop in H. destruct H as [A B]. apply Z.leb_le in B.
    rewrite run_clock. rewrite (fits_ok _ A). cbn [bind]. destruct ((y =? 0)%nat && (z <? 0)) eqn:E.
    + apply andb_prop in E. destruct E as [_ E]. apply Z.ltb_lt in E. lia.
    + split; [trivial|]. cbn [en_updates]. intros u [<-|I]; [right; trivial|auto].
  - rewrite run_if. apply andb_prop in H. destruct H as [H B]. apply andb_prop in H. destruct H as [X A]. destruct (ze_ok x X (en_state en) (en_frame en) S) as (z & ->). cbn [bind].
    destruct (is_true z); [apply IHa|apply IHb]; trivial.
Qed.
Lemma updates_ok cs : (forall c, In c cs -> zs n (snd c) = true) -> forall s us, sized s -> (forall u, In u us -> 0 <= u_c u) ->
  match updates n s us cs with Err => False | Fails => True | Ok (s', r) => sized s' /\ forall u, In u r -> 0 <= u_c u end.
Proof.
  induction cs as [|c cs IH]; intros Z s us S U; cbn [updates].
  - split; [trivial|]. intros u I. apply U, in_rev. trivial.
  - pose proof (zs_ok (snd c) (Z c (or_introl eq_refl)) (Env s (repeat 0 (fst c)) us) S) as R.
    destruct (run n (snd c) (Env s (repeat 0 (fst c)) us)) as [| |f]; cbn [bind]; trivial. destruct R as [Sf Uf].
    apply IH; trivial; [intros; apply Z; right; trivial|]. intros u I. destruct (Uf u I) as [J|J]; [apply U; exact J|trivial].
Qed.
Lemma za_ok a s : za n a = true -> sized s -> ask n s a <> Wrong.
Proof.
  destruct a as [e|[x|] [y|] o e|]; cbn [za]; intros H S; try discriminate H; cbn [ask clock_of].
  - destruct (ze_ok e H s [] S) as (z & ->). discriminate.
  - destruct (ze_ok e H s [] S) as (z & ->). discriminate.
Qed.
Lemma not_negative us : (forall u, In u us -> 0 <= u_c u) -> forall v, nonneg v -> ~ negative us v.
Proof.
  induction us as [|u us IH]; intros P v N; simpl; [tauto|]. pose proof (P u (or_introl eq_refl)) as Pu.
  apply inj_le in Pu. change (inject_Z 0) with 0%Q in Pu. pose proof (nonneg_val v (u_y u) N) as V.
  intros [X|X]; [lra|]. revert X. apply IH; [intros; apply P; right; trivial|]. intro k. unfold set1. destruct (u_x u) as [|m]; [apply N|].
  destruct (k =? m)%nat; [lra|apply N].
Qed.
Lemma never_fails s v : sized s -> nonneg v -> ~ step_fails n s v.
Proof.
  intros S Nn [X|(es & J & _ & X)]; [revert X; apply unrated_fails, (red_unrated n red)|].
  pose proof (red_safe n red) as Sa. unfold safe in Sa. apply andb_prop in Sa. destruct Sa as [Se Si]. rewrite forallb_forall in Se.
  apply (joint_formed n red) in J. destruct J as [F _].
  assert (Ed : forall e, In e es -> forallb (za n) (e_guard e) = true /\ zs n (e_update e) = true).
  { intros e I. pose proof (formed_here n well s es e F I) as Hh. apply here_at in Hh. destruct Hh as (l & _ & J).
    specialize (Se e (out_all n _ _ e J)). apply andb_prop in Se. trivial. }
  destruct X as [(_ & b & a & c & E & Wr & _)|[_ X]].
  - assert (I : In a (guard es)) by (rewrite E; apply in_or_app; right; left; trivial). unfold guard in I. apply in_flat_map in I.
    destruct I as (e & Ie & Ia). destruct (Ed e Ie) as [Z _]. rewrite forallb_forall in Z. exact (za_ok a s (Z a Ia) S Wr).
  - pose proof (updates_ok (map code es)) as U. rewrite (fire_eq n (red_before n red) (red_after n red)) in X.
    specialize (U ltac:(intros c I; apply in_map_iff in I; destruct I as (e & <- & I); apply (Ed e I)) s [] S ltac:(intros u [])).
    destruct (updates n s [] (map code es)) as [| |[s0 r]]; [|destruct U|]; cbn [bind] in X.
    + destruct X as [X|(s' & us & X & _)]; discriminate.
    + destruct U as [S0 U0]. destruct X as [X|(s' & us & X & Y)]; [discriminate|]. cbn [fst snd] in X. injection X as <- <-.
      destruct Y as [Y|(b & p & c & Eb & (_ & b' & a & c' & Ea & Wr & _) & _)]; [exact (not_negative r U0 v Nn Y)|].
      assert (I : In a (invariant_of n (State (relocated es (locs s0)) (vars s0)) p)) by (rewrite Ea; apply in_or_app; right; left; trivial).
      rewrite invariant_at in I. destruct (nth_error _ p) as [l|]; [|destruct I]. unfold inv_at in I.
      destruct (nth_error (n_processes n) p) as [ls|] eqn:E1; [|destruct I]. destruct (nth_error ls l) as [x|] eqn:E2; [|destruct I].
      rewrite forallb_forall in Si. specialize (Si ls (nth_error_In _ _ E1)). rewrite forallb_forall in Si. specialize (Si x (nth_error_In _ _ E2)).
      rewrite forallb_forall in Si. exact (za_ok a (State (relocated es (locs s0)) (vars s0)) (Si a I) S0 Wr).
Qed.
End Safe.

(* ---- Runs to what is asked for ---- *)

Section Runs.
Variable n : net.
Variable q : formula.
Definition bad_now (s : state) (v : valuation) : Prop := ~ decided n false s v q \/ step_fails n s v.
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
Lemma is_dec b s v a : is n b s v a \/ ~ is n b s v a.
Proof.
  unfold is. destruct (ask n s a) as [t|i j o c|]; [destruct t, b; auto; right; discriminate| |right; intros []].
  destruct (opposite_or o (val v i - val v j) (inject_Z c)) as [X|[X _]]; destruct b; tauto.
Qed.
Lemma decided_dec f s v : forall b, decided n b s v f \/ ~ decided n b s v f.
Proof.
  induction f as [a|f IH|f IHf g IHg|f IHf g IHg]; intro b; cbn [decided]; [apply is_dec|apply IH| |];
    specialize (IHf b); specialize (IHg b); destruct b; tauto.
Qed.
Lemma chain_ends rs s v s' v' k : (forall r, In r rs -> symmetry n r q = true) -> ends k s v -> chain rs s v s' v' -> ends k s' v'.
Proof.
  intros Sy E. revert s' v'. induction E as [s v B|k s v d w P S E IH|k s v t w T E IH]; intros s' v' C.
  - apply ends_now. destruct B as [B|B]; [left; intro D; apply B; eapply chain_query; eauto|right; eapply chain_fails; eauto].
  - destruct (chain_delay n q rs Sy d _ _ _ _ C _ S) as (w' & C' & S'). apply ends_wait with d w'; [|trivial|apply IH; trivial].
    destruct P as (P & M & H). split; [trivial|]. split; [destruct M as [M|M]; [auto|right; eapply chain_may_wait; eauto]|].
    intros e Pe Le. destruct (chain_delay n q rs Sy e _ _ _ _ C _ (same_refl _)) as (w2 & C2 & S2).
    apply (holds_same n s' w2); [trivial|]. eapply chain_invariant; eauto.
  - destruct T as (es & us & J & G & Ro & F & N & S & H).
    destruct (chain_go n q rs Sy _ _ _ _ C es t us w J G Ro F N S H) as (es1 & t1 & us1 & w1 & J1 & G1 & R1 & F1 & N1 & S1 & H1 & C1).
    apply ends_step with t1 w1; [|apply IH; trivial]. exists es1, us1. auto 10.
Qed.
End Runs.

Section Walk.
Variable n : net.
Hypothesis well : well_formed n.
Hypothesis red : reducible n = true.
Variable s : state.
Variable v : valuation.
Variable cl : claim.
Variable misses : list test -> bool.
Variable q : formula.
Hypothesis misses_sound : forall c, misses c = true -> ~ all_hold c v.
Hypothesis v_nonneg : nonneg v.
Hypothesis v_inv : holds n s v (invariant n s).
Hypothesis v_still : all_hold (at_top n s cl) v.
Hypothesis ok : stubborn n (bad_sets n) (infos n) s cl misses q = true.
Hypothesis false_now : decided n false s v q.

Let d0 := iterate n (bad_sets n) (infos n) s cl misses 4 (Deeds [] [] [] [] []).
Let can := filter (live n (bad_sets n) s cl misses d0) (known n (infos n) s cl).
Let d := sum_up n (bad_sets n) (infos n) s cl misses can.

Lemma ok_parts : (forall p, In p (cl_in cl) -> In p (processes n)) /\ sized n s /\ (forall i, In i (candidates n (infos n) s cl) -> i <> None) /\
  (forall i, In i can -> In i (known n (infos n) s cl)) /\
  (forall i, In i (known n (infos n) s cl) -> live n (bad_sets n) s cl misses d i = true -> In i can) /\
  stands_still n s cl d = true /\
  (forall p e, In p (cl_in cl) -> In e (out_edges n s p) -> edge_ok n (bad_sets n) s cl misses d e = true) /\
  keeps n s cl misses d can false q = true.
Proof.
  pose proof ok as H. unfold stubborn in H. cbv zeta in H. fold d0 in H. fold can in H. fold d in H.
  apply andb_prop in H. destruct H as [H H2]. apply andb_prop in H. destruct H as [H HN]. apply andb_prop in H. destruct H as [HR HS].
  apply andb_prop in H2. destruct H2 as [H2 HK]. apply andb_prop in H2. destruct H2 as [H2 HE]. apply andb_prop in H2. destruct H2 as [HL HT].
  rewrite forallb_forall in HR, HN, HL, HE.
  split; [intros p I; apply in_seq; specialize (HR p I); apply Nat.ltb_lt in HR; simpl; lia|].
  split; [apply Nat.eqb_eq; trivial|]. split; [intros i I E; subst i; discriminate (HN None I)|].
  split; [intros i I; apply filter_In in I; apply I|]. split.
  { intros i I L. apply filter_In. split; [trivial|]. specialize (HL i I). rewrite L in HL. cbn [negb] in HL. rewrite orb_false_r in HL. trivial. }
  split; [trivial|]. split; [|trivial]. intros p e P I. specialize (HE p P). rewrite forallb_forall in HE. auto.
Qed.

Notation node_ctx := (ctx n s v cl misses can).
Lemma keeps_sound s1 v1 f : node_ctx s1 v1 -> forall b, keeps n s cl misses d can b f = true -> decided n b s v f -> decided n b s1 v1 f.
Proof.
  intro X. assert (Su : forall b g, surely n s cl misses b g = true -> decided n b s v g).
  { intros b g H. unfold surely in H. destruct (clauses_sound n s v g (negb b)) as [M|M]; [|rewrite negb_involutive in M; trivial].
    destruct (clauses n (negb b) s g) as [cs|]; [|discriminate]. destruct M as (c & I & A). rewrite forallb_forall in H.
    exfalso. apply (misses_sound _ (H c I)). apply all_hold_app; trivial. }
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

Lemma acts_same s1 v1 w1 a m w : same w1 v1 -> acts n s1 v1 a m w -> acts n s1 w1 a m w.
Proof.
  intros Sa (us & G & F & N & S & H). exists us. split; [apply holds_same with v1; [intro k; symmetry; apply Sa|trivial]|]. split; [trivial|].
  assert (A : cagree (fun _ => False) w1 v1) by (apply cagree_same; trivial).
  split; [intro X; apply N; apply (negative_agree (fun _ => False) us) with w1; auto|]. split; [|trivial].
  intro k. rewrite (S k). destruct (set_all_agree (fun _ => False) us (fun _ _ X => X) _ _ A (Datatypes.S k)) as [[]|E]. symmetry. exact E.
Qed.

Lemma walk k s1 v1 : ends n q k s1 v1 -> node_ctx s1 v1 -> exists j a m w, k = S j /\ front n s cl misses can a /\ acts n s1 v1 a m w /\ ends n q j m w.
Proof.
  destruct ok_parts as (P1 & P2 & P3 & P4 & P5 & P6 & P7 & P8). intro E. induction E as [s1 v1 B|k s1 v1 e w P S E IH|k s1 v1 t w T E IH]; intro X.
  - exfalso. destruct B as [B|B]; [apply B, (keeps_sound s1 v1 q X); trivial|]. revert B. apply never_fails; trivial.
    + unfold sized in *. destruct (cx_vars _ _ _ _ _ _ _ _ X) as [L _]. congruence.
    + apply (cx_nonneg _ _ _ _ _ _ _ _ X).
  - pose proof (time_still n red s v cl misses v_still can P1 P6 s1 v1 e X P) as Z.
    rewrite unrated_stopped in S by (apply red_unrated; trivial).
    assert (Sa : same w v1) by (intro x; rewrite (S x); unfold after; simpl; rewrite Z; lra).
    destruct IH as (j & a & m & w' & Ek & Fa & A & En); [eapply ctx_same; eauto|]. exists j, a, m, w'. repeat (split; trivial).
    eapply acts_same; [|exact A]. intro x. symmetry. apply Sa.
  - apply (takes_acts n red) in T. destruct T as (es & F & L & A).
    destruct (existsb (fun e => mem (e_process e) (cl_in cl)) es) eqn:Q.
    + apply existsb_exists in Q. destruct Q as (e & I & Q). apply mem_in in Q. exists k, es, t, w. split; [trivial|].
      split; [|auto]. eapply front_first; eauto.
    + assert (O : is_out cl es).
      { intros e I J. assert (Q' : existsb (fun e => mem (e_process e) (cl_in cl)) es = true) by (apply existsb_exists; exists e; split; [trivial|apply mem_in; trivial]). congruence. }
      destruct IH as (j & a & m & w' & Ek & Fa & B & En); [eapply out_step; eauto|]. subst k.
      assert (Bk : exists m1 w1, acts n s1 v1 a m1 w1 /\ takes n m1 w1 m w') by (eapply front_back; eauto).
      destruct Bk as (m1 & w1 & A1 & T1). exists (S j), a, m1, w1. repeat (split; trivial). eapply ends_step; eauto.
Qed.
Lemma first_of_set k : ends n q k s v -> exists j a m w, k = S j /\ (exists e, In e a /\ In (e_process e) (cl_in cl)) /\ formed n s a /\ is_led n s a /\ acts n s v a m w /\ ends n q j m w.
Proof.
  intro E. destruct (walk k s v E) as (j & a & m & w & Ek & (F & L & G) & A & En); [apply ctx_here; trivial|].
  exists j, a, m, w. split; [trivial|]. split; [|auto]. pose proof (formed_cons n s a F) as N. destruct a as [|e a]; [congruence|].
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
Variable q : formula.
Variable c : certificate.
Hypothesis accepted : reduced_check n sets q c = true.
Let rs := c_renamings c.
Let group_at := fun g => let (s, ab) := c_group_at c g in ((s, g), ab).
Let initial := map (fun s : state => (s, 0%N)) (net_initial n).
Let inv := fun p : place => net_inv n (fst p).
Let delay := fun p : place => net_delay n (fst p).
Let moves := place_moves n sets (table n).
Let goal := fun p : place => clauses n true (fst p) q.
Let extra := place_extra n sets (bad_sets n) (infos n) (reducible n) q.
Let named := place_named rs.
Let clock_named := fun a : names * N => clock_called rs (fst a).
Let checked := check place place_eqb initial inv delay moves goal None extra (names * N) named clock_named
  (c_groups c) group_at (c_group_of c) (c_frame_at c) (c_zone_at c) (fun k => placed_hints c (c_hints_at c k)) (placed_hints c (c_start_hints c)).
Let is_inside := inside place inv delay (c_groups c) group_at (c_frame_at c) (c_zone_at c).
Let found := is_covered place (names * N) named clock_named (c_groups c) group_at (c_frame_at c) (c_zone_at c).

Lemma check_parts : forallb (starts_well n) (net_initial n) = true /\ (forall r, In r rs -> symmetry n r q = true) /\ checked = true.
Proof.
  pose proof accepted as H. unfold reduced_check in H. cbv zeta in H. apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [A B].
  rewrite forallb_forall in B. auto.
Qed.

Definition in_node (s : state) (v : valuation) : Prop := exists g, is_inside (s, g) v.
Lemma found_node p v : found p v -> nonneg v -> holds n (fst p) v (invariant n (fst p)) ->
  exists s' v', chain rs (fst p) v s' v' /\ in_node s' v'.
Proof.
  intros F N H. destruct check_parts as (_ & Sy & _).
  destruct (covered_inside place inv delay _ _ _ _ _ _ _ _ _ F N) as ((a & g) & p' & E & K).
  unfold named, place_named in E. cbn [fst snd] in E. destruct (state_called rs a (fst p)) as [s'|] eqn:Es; [|discriminate]. injection E as <-.
  destruct (chain_called n q rs Sy a (fst p) s' v Es) as (v' & C & V). exists s', v'. split; [trivial|]. exists g. apply K; [exact V|].
  unfold inv. cbn [fst]. apply holds_inv. eapply chain_invariant; eauto.
Qed.
Lemma node_inv s g v : is_inside (s, g) v -> exists ts, net_inv n s = Some ts /\ all_hold ts v.
Proof. intros (_ & H & _). exact H. Qed.

(* A transition that has to be listed. *)
Lemma listed s g v es us s' v' : is_inside (s, g) v -> joint n s v es -> holds n s v (guard es) -> ~ outranked n s v es ->
  fire n s es = Ok (s', us) -> same v' (set_all us v) -> holds n s' v' (invariant n s') ->
  match sets g with None => True | Some cl => exists ts, verdict n cl s es = Some ts /\ all_hold ts v end ->
  ~ negative us v -> exists s2 v2, chain rs s' v' s2 v2 /\ in_node s2 v2.
Proof.
  intros I J G Ro F S H Vd Nn. destruct check_parts as (_ & Sy & Ok).
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
  destruct (inside_move place place_eqb place_eqb_eq initial inv delay moves goal None extra _ _ _ _ _ _ _ _ _ _ Ok _ _ _ _ I K Tm) as (us2 & target & O & NN & Co).
  rewrite Om in O. injection O as <- <-. specialize (Co _ _ eq_refl (all_hold_back _ _ _ A')).
  apply (is_covered_same _ _ _ _ _ _ _ _ _ _ _ S) in Co.
  apply (found_node (s', 0%N) v' Co); [|exact H]. intro x. rewrite (S x). apply nonneg_set; [apply I|trivial].
Qed.

Lemma node_false s g v : is_inside (s, g) v -> decided n false s v q.
Proof.
  intro I. destruct check_parts as (_ & _ & Ok).
  destruct (inside_good place place_eqb place_eqb_eq initial inv delay moves goal None extra _ _ _ _ _ _ _ _ _ _ Ok _ _ I) as [G _].
  destruct (clauses_sound n s v q true) as [M|D]; [|exact D]. exfalso. apply G. exact M.
Qed.
Lemma node_extra s g v cl : is_inside (s, g) v -> sets g = Some cl -> reducible n = true /\
  exists misses, (forall c, misses c = true -> ~ all_hold c v) /\ stubborn n (bad_sets n) (infos n) s cl misses q = true.
Proof.
  intros I E. destruct check_parts as (_ & _ & Ok).
  destruct (inside_extra place place_eqb initial inv delay moves goal None extra _ _ _ _ _ _ _ _ _ _ Ok _ _ I) as (misses & M & X).
  unfold extra, place_extra in X. cbn [fst snd] in X. rewrite E in X. apply andb_prop in X. destruct X. eauto.
Qed.

Theorem none_ends : forall k s v, ends n q k s v -> (forall j, (j < k)%nat -> forall s v, in_node s v -> holds n s v (invariant n s) -> ~ ends n q j s v) ->
  in_node s v -> holds n s v (invariant n s) -> False.
Proof.
  destruct check_parts as (_ & Sy & Ok).
  assert (Next : forall k s' v' s2 v2, (forall j, (j < k)%nat -> forall s v, in_node s v -> holds n s v (invariant n s) -> ~ ends n q j s v) ->
    forall j, (j < k)%nat -> holds n s' v' (invariant n s') -> ends n q j s' v' -> chain rs s' v' s2 v2 -> in_node s2 v2 -> False).
  { intros k s' v' s2 v2 IH j L H E C I. apply (IH j L s2 v2 I); [eapply chain_invariant; eauto|eapply chain_ends; eauto]. }
  intros k s v E. induction E as [s v B|k s v e w P S E IH|k s v s' v' T E _]; intros Out (g & I) H.
  - destruct B as [B|B]; [exact (B (node_false s g v I))|]. destruct (sets g) as [cl|] eqn:Eg.
    + destruct (node_extra s g v cl I Eg) as (Rd & misses & M & X). revert B. apply (never_fails n well Rd); [|apply I].
      unfold stubborn in X. unfold sized. apply andb_prop in X. destruct X as [X _]. apply andb_prop in X. destruct X as [X _]. apply andb_prop in X. destruct X as [_ X].
      apply Nat.eqb_eq. trivial.
    + destruct (inside_good place place_eqb place_eqb_eq initial inv delay moves goal None extra _ _ _ _ _ _ _ _ _ _ Ok _ _ I) as [_ G].
      apply G. destruct (fails_in n s v (proj1 I) (proj1 (proj2 I)) B) as (j & m & K & A & O). exists j, (raised m). split.
      * unfold moves, place_moves. cbn [fst snd]. rewrite Eg. apply (in_map (fun x => (fst x, raised (snd x)))) in K. exact K.
      * split; [exact A|]. unfold raised. cbn [m_out]. destruct (m_out _ m) as [[us [[ts t]|]]|]; exact O.
  - destruct P as (Pe & Wt & Hh). assert (Hw : holds n s w (invariant n s)).
    { apply holds_same with (after (stopped n s) e v); [intro x; symmetry; apply S|]. apply Hh; lra. }
    apply IH; trivial. exists g. destruct Wt as [Z|Wt].
    + apply (inside_same _ _ _ _ _ _ _ _ v w); [|exact I]. intro x. rewrite (S x). unfold after. destruct (existsb _ _); [|rewrite Z]; lra.
    + eapply delay_inside; [exact I|unfold delay; cbn [fst]; apply may_wait_delay; exact Wt|exact Pe|exact S|]. unfold inv; cbn [fst]. apply holds_inv. trivial.
  - pose proof T as (es & us & J & G & Ro & F & Nn & S & H').
    assert (Direct : match sets g with None => True | Some cl => exists ts, verdict n cl s es = Some ts /\ all_hold ts v end -> False).
    { intro Vd. destruct (listed s g v es us s' v' I J G Ro F S H' Vd Nn) as (s2 & v2 & C & I2). exact (Next (Datatypes.S k) s' v' s2 v2 Out k ltac:(lia) H' E C I2). }
    destruct (sets g) as [cl|] eqn:Eg; [|exact (Direct Logic.I)]. destruct (node_extra s g v cl I Eg) as (Rd & misses & M & X).
    destruct (existsb (fun e => mem (e_process e) (cl_in cl)) es) eqn:Q.
    { apply Direct. exists []. unfold verdict. rewrite Q. split; [trivial|apply all_hold_nil]. }
    assert (At : all_hold (at_top n s cl) v).
    { unfold at_top. destruct (top_of n s cl) as [[x [a c0]]|] eqn:Et; [|apply all_hold_nil].
      assert (Tp : exists p y, cl_top cl = Some (p, y)) by (unfold top_of in Et; destruct (cl_top cl) as [[p y]|]; [eauto|discriminate]). destruct Tp as (p & y & Ct).
      destruct (opposite_or Ge (val v x - val v 0) (inject_Z c0)) as [Y|[_ Y]]; [apply tests_sound; exact Y|]. exfalso. apply Direct.
      unfold verdict. rewrite Q, Ct, Et. exists (tests x 0 Lt c0). split; [trivial|]. apply tests_sound. exact Y. }
    destruct (first_of_set n well Rd s v cl misses q M (proj1 I) H At X (node_false s g v I) (Datatypes.S k)) as (j & a & m & w & Ej & (e0 & Ie & Pe) & Fa & La & A & En).
    { eapply ends_step; eauto. }
    injection Ej as <-. destruct A as (ua & Ga & Fi & Na & Sa & Ia).
    assert (Ja : joint n s v a) by (apply (joint_formed n Rd); auto).
    destruct (listed s g v a ua m w I Ja Ga) as (s2 & v2 & C & I2); trivial.
    + intros (es' & _ & _ & Hi). rewrite (no_ranks n a es' (red_ranks n Rd) (formed_cons n _ _ Fa)) in Hi. discriminate.
    + rewrite Eg. exists []. split; [|apply all_hold_nil]. unfold verdict.
      assert (Q' : existsb (fun e => mem (e_process e) (cl_in cl)) a = true) by (apply existsb_exists; exists e0; split; [trivial|apply mem_in; trivial]). rewrite Q'. trivial.
    + exact (Next (Datatypes.S k) m w s2 v2 Out k ltac:(lia) Ia En C I2).
Qed.
Lemma node_never k : forall s v, in_node s v -> holds n s v (invariant n s) -> ~ ends n q k s v.
Proof. induction k as [k IH] using lt_wf_ind. intros s v I H E. exact (none_ends k s v E IH I H). Qed.

Theorem reduced_correct : ~ start_fails n /\ forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof.
  destruct check_parts as (C0 & Sy & Ok). split.
  { intros (s & S & E). rewrite forallb_forall in C0. specialize (C0 _ (starts_in n _ S)).
    unfold starts_well in C0. destruct (invariants_fail _ _ E) as (ts & J). rewrite J in C0. discriminate. }
  intros s v R. assert (N : ~ bad_now n q s v).
  { intro B. destruct (ends_start n q s v R 0%nat (ends_now n q s v B)) as (j & s0 & v0 & S0 & Z0 & H0 & E0).
    assert (F : found (s0, 0%N) v0).
    { apply (initial_covered place place_eqb place_eqb_eq initial inv delay moves goal None extra _ _ _ _ _ _ _ _ _ _ Ok); [|exact Z0|].
      - apply (in_map (fun s => (s, 0%N))), starts_in. trivial.
      - unfold inv; cbn [fst]. apply holds_inv. trivial. }
    destruct (found_node (s0, 0%N) v0 F) as (s1 & v1 & C & I); [intro x; rewrite (Z0 x); lra|exact H0|]. cbn [fst] in C.
    apply (node_never j s1 v1 I); [eapply chain_invariant; eauto|eapply chain_ends; eauto]. }
  split; [|intro X; apply N; right; exact X].
  destruct (decided_dec n q s v false) as [D|D]; [exact D|]. exfalso. apply N. left. exact D.
Qed.
End Correct.
