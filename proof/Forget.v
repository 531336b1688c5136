(* Dead variables: certificates that list slots for each location. Nodes stand for all values of the slots that are listed
   for their locations, because nothing reads such a value before it is written. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Footprint Commute Reduced Stubborn Permute Partial.
Import ListNotations.
Open Scope Z_scope.

(* ---- States that agree on locations, and on most slots ---- *)

Definition near (X : nat -> Prop) (s t : state) : Prop := agree X s t /\ locs s = locs t.
Definition near_env (X : nat -> Prop) (e f : env) : Prop :=
  near X (en_state e) (en_state f) /\ en_frame e = en_frame f /\ en_updates e = en_updates f.
Lemma near_sym X s t : near X s t -> near X t s.
Proof. intros [A L]. split; [apply agree_sym|]; auto. Qed.
Lemma near_more (X Y : nat -> Prop) s t : (forall k, X k -> Y k) -> near X s t -> near Y s t.
Proof. intros H [A L]. split; [exact (agree_more X Y s t H A)|trivial]. Qed.
Lemma near_env_more (X Y : nat -> Prop) e f : (forall k, X k -> Y k) -> near_env X e f -> near_env Y e f.
Proof. intros H [A L]. split; [exact (near_more X Y _ _ H A)|trivial]. Qed.
Lemma alike_more {A} (R S : A -> A -> Prop) r r' : (forall a b, R a b -> S a b) -> alike R r r' -> alike S r r'.
Proof. intro H. destruct r, r'; simpl; auto. Qed.

(* What statements may read of the slots A before they have written it: nothing. The slots that may not be written then. *)
Definition join_slots (a b : option (list nat)) : option (list nat) :=
  match a, b with Some a, Some b => Some (a ++ b) | _, _ => None end.
Fixpoint left_by (A : list nat) (c : stmt) : option (list nat) :=
  match c with
  | SNop => Some A
  | SSeq a b => match left_by A a with Some A => left_by A b | None => None end
  | SVar k e => if disjoint (er e) A then Some (remove Nat.eq_dec k A) else None
  | SElem b _ (EConst z) e => if disjoint (er e) A then Some (remove Nat.eq_dec (b + Z.to_nat z)%nat A) else None
  | SIf e a b => if disjoint (er e) A then join_slots (left_by A a) (left_by A b) else None
  | c => if disjoint (sr c) A then Some A else None
  end.

Arguments turns : simpl never.
Arguments fit : simpl never.
Arguments binary : simpl never.
Arguments wrapped : simpl never.
Section Network.
Variable n : net.

Lemma turns_near X (step step' : env -> res (env * bool)) :
  (forall e f, near_env X e f -> alike (fun a b => near_env X (fst a) (fst b) /\ snd a = snd b) (step e) (step' f)) ->
  forall k e f, near_env X e f -> alike (fun a b => near_env X (fst a) (fst b) /\ snd a = snd b) (turns k step e) (turns k step' f).
Proof.
  intros H. induction k as [|k IH]; intros e f A; cbn [turns]; [auto|]. eapply alike_bind; [exact (IH e f A)|].
  intros [a x] [b y] [B E]; cbn [fst snd] in *. subst y. destruct x; [apply IH; trivial|]. simpl. auto.
Qed.
Lemma store_written X e f k z : near_env X e f -> alike (near_env (fun i => X i /\ i <> k)) (store n e k z) (store n f k z).
Proof.
  intros (((L & A) & Lo) & Fr & U). unfold store. destruct (nth_error (n_variables n) k) as [v|]; simpl; [|trivial].
  destruct (_ && _); simpl; [|trivial]. destruct (Nat.lt_ge_cases k (length (vars (en_state e)))) as [B|B].
  - destruct (put_ok _ k z B) as (l & El). rewrite L in B. destruct (put_ok _ k z B) as (m & Em). rewrite El, Em. simpl.
    destruct (put_nth _ _ _ _ El) as (L1 & _ & N1). destruct (put_nth _ _ _ _ Em) as (L2 & _ & N2).
    split; [|auto]. split; [|exact Lo]. split; [simpl; congruence|]. intro i. simpl. rewrite N1, N2. destruct (Nat.eqb_spec i k); auto.
    destruct (A i); auto.
  - rewrite !put_err by lia. simpl. trivial.
Qed.
Lemma store_near X e f k z : near_env X e f -> alike (near_env X) (store n e k z) (store n f k z).
Proof. intro A. eapply alike_more; [|apply (store_written X); exact A]. intros a b. apply near_env_more. tauto. Qed.
Lemma store_local_near X e f k z : near_env X e f -> alike (near_env X) (store_local e k z) (store_local f k z).
Proof.
  intros (A & Fr & U). unfold store_local. rewrite Fr. destruct (put (en_frame f) k z); simpl; trivial. split; [trivial|simpl; auto].
Qed.
Lemma location_near s t p : locs s = locs t -> location_of n s p = location_of n t p.
Proof. intro L. unfold location_of. rewrite L. trivial. Qed.

Ltac eapply_near := match goal with A : near_env _ ?e ?f |- _ = _ => destruct A as (A & _); eauto end.
(* As agree_all (Footprint.v), of what reads locations, too. *)
Theorem near_all X :
  (forall e, clean X (er e) -> forall s t f, near X s t -> eval n s f e = eval n t f e) /\
  (forall c, clean X (cr c) -> forall s t f, near X s t -> clock_of n s f c = clock_of n t f c) /\
  (forall c, clean X (sr c) -> forall e f, near_env X e f -> alike (near_env X) (run n c e) (run n c f)).
Proof.
  apply expr_stmt_ind.
  all: cbn [er cr sr].
  all: intros.
  all: repeat match goal with H : clean _ (_ ++ _) |- _ => apply clean_app in H; destruct H end.
  all: repeat match goal with
      | H : clean ?X ?l -> _, E : clean ?X ?l |- _ => specialize (H E)
    end.
  all: cbn [eval clock_of run].
  all: repeat match goal with A : near_env _ ?e ?f |- _ => lazymatch goal with B : en_frame e = en_frame f |- _ => fail | _ => pose proof (proj1 (proj2 A)) end end.
  all: try match goal with B : en_frame ?e = en_frame _ |- _ => rewrite B end.
  - trivial.
  - match goal with A : near _ _ _ |- _ => destruct A as [A _] end. eapply get_agree; eauto. match goal with C : clean _ _ |- _ => apply C end. left. trivial.
  - apply bind_eq; [eauto|]. intro k. destruct (index base size k) as [| |m] eqn:E; simpl; trivial.
    match goal with A : near _ _ _ |- _ => destruct A as [A _] end. eapply get_agree; eauto. match goal with C : clean _ (cells _ _) |- _ => apply C end. eapply index_cells; eauto.
  - trivial.
  - apply bind_eq; [eauto|]. trivial.
  - match goal with A : near _ _ _ |- _ => destruct A as [_ A]; rewrite A; trivial end.
  - match goal with A : near _ _ _ |- _ => destruct A as [_ A] end. unfold is_labelled.
    match goal with |- Ok (of_bool (existsb ?g _)) = Ok (of_bool (existsb ?h _)) => assert (E : forall p, g p = h p) end.
    { intro p. cbv beta. rewrite (location_near s t p) by trivial. trivial. }
    f_equal. f_equal. induction (processes n) as [|p l IH]; cbn [existsb]; [trivial|]. rewrite E, IH. trivial.
  - apply bind_eq; eauto.
  - apply bind_eq; eauto.
  - apply bind_eq; [eauto|]. intro x. apply bind_eq; eauto.
  - apply bind_eq; [eauto|]. intro x. destruct (is_true x); [|trivial]. apply bind_eq; eauto.
  - apply bind_eq; [eauto|]. intro x. destruct (is_true x); [trivial|]. apply bind_eq; eauto.
  - apply bind_eq; [eauto|]. intro x. destruct (is_true x); eauto.
  - apply bind_eq; eauto.
  - apply every_eq. eauto.
  - apply some_eq. eauto.
  - apply total_eq. eauto.
  - assert (A : alike (near_env X) (run n c (Env s (f ++ repeat 0 k) [])) (run n c (Env t (f ++ repeat 0 k) []))).
    { match goal with H : forall e f, near_env _ e f -> alike _ _ _ |- _ => apply H end. split; [trivial|simpl; auto]. }
    change (bind (run n c (Env s (f ++ repeat 0 k) [])) (fun e => eval n (en_state e) (en_frame e) a) =
            bind (run n c (Env t (f ++ repeat 0 k) [])) (fun e => eval n (en_state e) (en_frame e) a)).
    revert A. generalize (run n c (Env s (f ++ repeat 0 k) [])), (run n c (Env t (f ++ repeat 0 k) [])). intros [| |x] [| |y]; cbn [alike bind]; intro A; try (exfalso; exact A); try reflexivity.
    destruct A as (A & Fr & _). rewrite Fr. eauto.
  - apply bind_eq; [eauto|]. trivial.
  - trivial.
  - apply bind_eq; [eauto|]. trivial.
  - trivial.
  - eapply alike_bind; [eauto|]. eauto.
  - apply alike_bind_eq; [eapply_near|]. intro z. apply store_near. trivial.
  - apply alike_bind_eq; [eapply_near|]. intro k. apply alike_bind_eq; [trivial|]. intro m.
    apply alike_bind_eq; [eapply_near|]. intro z. apply store_near. trivial.
  - apply alike_bind_eq; [eapply_near|]. intro z. apply store_local_near. trivial.
  - apply alike_bind_eq; [eapply_near|]. intro k. apply alike_bind_eq; [trivial|]. intro m.
    apply alike_bind_eq; [eapply_near|]. intro z. apply store_local_near. trivial.
  - apply alike_bind_eq; [eapply_near|]. intro i. apply alike_bind_eq; [eapply_near|]. intro j. apply alike_bind_eq; [eapply_near|]. intro z.
    destruct ((j =? 0)%nat && (z <? 0)); simpl; [trivial|]. match goal with H : near_env _ _ _ |- _ => destruct H as (A & Fr & U) end.
    split; [trivial|]. simpl. split; [trivial|]. congruence.
  - apply alike_bind_eq; [eapply_near|]. intro z. destruct (is_true z); eauto.
  - eapply alike_bind.
    + eapply turns_near with (X := X); [|eassumption]. intros x y B. pose proof B as (C & Fx & Ux). cbv beta. rewrite Fx.
      apply alike_bind_eq; [eauto|]. intro z. destruct (is_true z); [|simpl; auto].
      eapply alike_bind; [eauto|]. intros; simpl; auto.
    + intros [x bx] [y b] [B E]; cbn [fst snd] in *. subst. destruct b; simpl; trivial.
Qed.
Definition eval_near X := proj1 (near_all X).
Definition clock_near X := proj1 (proj2 (near_all X)).
Definition run_near X := proj2 (proj2 (near_all X)).
Lemma ask_near X s t a : clean X (ar a) -> near X s t -> ask n s a = ask n t a.
Proof.
  intros C A. induction a as [e|x y o e|e a IH]; cbn [ar ask] in *.
  - rewrite (eval_near X e C s t [] A). trivial.
  - apply clean_app in C. destruct C as [C1 C]. apply clean_app in C. destruct C as [C2 C3].
    rewrite (clock_near X x C1 s t [] A), (clock_near X y C2 s t [] A), (eval_near X e C3 s t [] A). trivial.
  - apply clean_app in C. destruct C as [C1 C2]. rewrite (eval_near X e C1 s t [] A), (IH C2). trivial.
Qed.

(* The slots of Y are none that the statement reads. *)
Definition or_in (Y : nat -> Prop) (A : list nat) (k : nat) : Prop := In k A \/ Y k.
Lemma clean_or Y A l : disjoint l A = true -> clean Y l -> clean (or_in Y A) l.
Proof. intros D C k I [J|J]; [exact (disjoint_clean _ _ D k I J)|exact (C k I J)]. Qed.
Lemma keep_near Y A c : disjoint (sr c) A = true -> clean Y (sr c) -> forall e f,
  near_env (or_in Y A) e f -> alike (near_env (or_in Y A)) (run n c e) (run n c f).
Proof. intros D C. apply run_near, clean_or; trivial. Qed.
Lemma store_left Y A e f k z : near_env (or_in Y A) e f -> alike (near_env (or_in Y (remove Nat.eq_dec k A))) (store n e k z) (store n f k z).
Proof.
  intro H. eapply alike_more; [|apply (store_written (or_in Y A)); exact H]. intros a b. apply near_env_more.
  intros i [[I|I] N]; [left; apply in_in_remove; trivial|right; trivial].
Qed.
Lemma fit_same z k : fit false z = Ok k -> k = z.
Proof. unfold fit. destruct (_ && _); [|discriminate]. intro H. injection H as ->. trivial. Qed.
Lemma index_same b size i m : index b size i = Ok m -> m = (b + Z.to_nat i)%nat.
Proof. unfold index. destruct (_ && _); [|discriminate]. intro H. injection H as ->. trivial. Qed.
Theorem left_near Y c : forall A B, left_by A c = Some B -> clean Y (sr c) -> forall e f,
  near_env (or_in Y A) e f -> alike (near_env (or_in Y B)) (run n c e) (run n c f).
Proof.
  assert (Keep : forall c A B, (if disjoint (sr c) A then Some A else None) = Some B -> clean Y (sr c) -> forall e f,
    near_env (or_in Y A) e f -> alike (near_env (or_in Y B)) (run n c e) (run n c f)).
  { intros c' A B H C. destruct (disjoint (sr c') A) eqn:D; [|discriminate]. injection H as <-. apply keep_near; trivial. }
  induction c as [ |a IHa b IHb|k x|b size i x|k x|b size i x|x y z|x a IHa b IHb|x a IHa]; intros A B H C e f N.
  - injection H as <-. exact N.
  - cbn [left_by sr] in *. apply clean_app in C. destruct C as [C1 C2]. destruct (left_by A a) as [A1|] eqn:E; [|discriminate].
    change (alike (near_env (or_in Y B)) (bind (run n a e) (run n b)) (bind (run n a f) (run n b))).
    eapply alike_bind; [exact (IHa A A1 E C1 e f N)|]. intros e1 f1. apply (IHb A1 B H C2).
  - cbn [left_by sr] in *. destruct (disjoint (er x) A) eqn:D; [|discriminate]. injection H as <-. cbn [run].
    pose proof N as (N1 & Fr & _). rewrite Fr. apply alike_bind_eq; [apply (eval_near _ x (clean_or Y A _ D C)); trivial|].
    intro z. apply store_left. trivial.
  - destruct i as [z| | | | | | | | | | | | | | | | | |]; try (eapply Keep; eauto; fail).
    cbn [left_by sr er app] in *. destruct (disjoint (er x) A) eqn:D; [|discriminate]. injection H as <-. cbn [run eval].
    pose proof N as (N1 & Fr & _). rewrite Fr. destruct (fit false z) as [| |k] eqn:F; cbn [bind]; [exact Logic.I|exact Logic.I|].
    apply fit_same in F. subst k. destruct (index b size z) as [| |m] eqn:E; cbn [bind]; [exact Logic.I|exact Logic.I|].
    apply index_same in E. subst m. apply alike_bind_eq; [apply (eval_near _ x (clean_or Y A _ D C)); trivial|].
    intro w. apply store_left. trivial.
  - eapply Keep; eauto.
  - eapply Keep; eauto.
  - eapply Keep; eauto.
  - cbn [left_by sr] in *. apply clean_app in C. destruct C as [C0 C]. apply clean_app in C. destruct C as [C1 C2].
    destruct (disjoint (er x) A) eqn:D; [|discriminate]. destruct (left_by A a) as [A1|] eqn:E1; [|discriminate].
    destruct (left_by A b) as [A2|] eqn:E2; [|discriminate]. injection H as <-. cbn [run].
    pose proof N as (N1 & Fr & _). rewrite Fr. apply alike_bind_eq; [apply (eval_near _ x (clean_or Y A _ D C0)); trivial|].
    intro z. destruct (is_true z).
    + eapply alike_more; [|exact (IHa A A1 E1 C1 e f N)]. intros p q. apply near_env_more. intros k [I|I]; [left; apply in_or_app|right]; auto.
    + eapply alike_more; [|exact (IHb A A2 E2 C2 e f N)]. intros p q. apply near_env_more. intros k [I|I]; [left; apply in_or_app|right]; auto.
  - eapply Keep; eauto.
Qed.

(* ---- What is listed ---- *)

Variable dead : list (list (list nat)).             (* slots, for each location of each process *)
Definition dead_at (p l : nat) : list nat := nth l (nth p dead []) [].
Definition dead_in (ls : list nat) (k : nat) : Prop := exists p l, nth_error ls p = Some l /\ In k (dead_at p l).
Definition elsewhere (p : nat) : list nat :=
  nodup Nat.eq_dec (flat_map (fun q => if (q =? p)%nat then [] else concat (nth q dead [])) (seq 0 (length dead))).
Definition everywhere : list nat := nodup Nat.eq_dec (flat_map (@concat nat) dead).

Definition reads_here (l : location) : list nat :=
  flat_map ar (l_invariant l) ++ flat_map (fun r => cr (fst r) ++ er (snd r)) (l_rates l) ++
  flat_map (fun e => flat_map ar (e_guard e)) (l_out l).
Fixpoint fr (f : formula) : list nat :=
  match f with FAtom a => ar a | FNot f => fr f | FAnd f g | FOr f g => fr f ++ fr g end.
Definition numbered {A} (l : list A) : list (nat * A) := combine (seq 0 (length l)) l.
(* The process has a slot to itself, and does not read it before it writes it. *)
Definition location_forgets (p : nat) (others : list nat) (i : nat) (l : location) : bool :=
  disjoint (reads_here l) (others ++ dead_at p i) &&
  forallb (fun e => disjoint (sr (e_update e)) others &&
                    match left_by (dead_at p i) (e_update e) with None => false | Some b => subset b (dead_at p (e_target e)) end) (l_out l).
Definition forgets (q : formula) : bool :=
  forallb (fun x => let others := elsewhere (fst x) in
                    forallb (fun y => location_forgets (fst x) others (fst y) (snd y)) (numbered (snd x))) (numbered (n_processes n)) &&
  forallb (fun c => disjoint (sr (snd c)) everywhere) (n_before n ++ n_after n) &&
  disjoint (fr q) everywhere.

(* The listed slots get other values. *)
Fixpoint set_back (mask : list bool) (first vs : list Z) : list Z :=
  match mask, vs with
  | b :: mask, z :: vs => (if b : bool then hd 0 first else z) :: set_back mask (tl first) vs
  | _, _ => vs
  end.
Fixpoint all_back (masks : list (list (list bool))) (first : list Z) (ls : list nat) (vs : list Z) : list Z :=
  match masks, ls with
  | m :: masks, l :: ls => all_back masks first ls (set_back (nth l m []) first vs)
  | _, _ => vs
  end.
Definition mask (l : list nat) : list bool := match l with [] => [] | _ => map (fun k => mem k l) (seq 0 (length (n_variables n))) end.
Definition back_in (masks : list (list (list bool))) (first : list Z) (s : state) : state := State (locs s) (all_back masks first (locs s) (vars s)).

Lemma set_back_near m : forall first vs, length (set_back m first vs) = length vs /\
  forall k, nth_error m k = Some true \/ nth_error (set_back m first vs) k = nth_error vs k.
Proof.
  induction m as [|b m IH]; intros first vs; [cbn; auto|]. destruct vs as [|z vs]; cbn [set_back]; [auto|].
  destruct (IH (tl first) vs) as [L N]. split; [simpl; congruence|]. intros [|k]; [|apply N]. simpl. destruct b; auto.
Qed.
Lemma mask_in l k : nth_error (mask l) k = Some true -> In k l.
Proof.
  unfold mask. destruct l as [|x l]; [destruct k; discriminate|]. intro H. rewrite nth_error_map in H.
  destruct (nth_error (seq 0 (length (n_variables n))) k) as [i|] eqn:E; [|discriminate]. injection H as H.
  assert (B : (k < length (n_variables n))%nat) by (rewrite <- (seq_length (length (n_variables n)) 0); apply nth_error_Some; congruence).
  rewrite (nth_error_nth' _ 0%nat) in E by (rewrite seq_length; trivial). rewrite seq_nth in E by trivial. injection E as <-. apply mem_in. exact H.
Qed.
Lemma all_back_near ds : forall first ls vs, length (all_back (map (map mask) ds) first ls vs) = length vs /\
  forall k, (exists p l, nth_error ls p = Some l /\ In k (nth l (nth p ds []) [])) \/
            nth_error (all_back (map (map mask) ds) first ls vs) k = nth_error vs k.
Proof.
  induction ds as [|d ds IH]; intros first ls vs; [cbn; auto|]. destruct ls as [|l ls]; [cbn; auto|]. cbn [map all_back].
  destruct (IH first ls (set_back (nth l (map mask d) []) first vs)) as [L N].
  destruct (set_back_near (nth l (map mask d) []) first vs) as [L' N']. split; [congruence|]. intro k.
  destruct (N k) as [(p & l' & E & I)|E]; [left; exists (S p), l'; auto|].
  destruct (N' k) as [E'|E']; [left|right; congruence]. exists 0%nat, l. split; [trivial|]. cbn [nth].
  change (@nil bool) with (mask []) in E'. rewrite map_nth in E'. apply mask_in. exact E'.
Qed.

(* ---- States that are alike ---- *)

Definition like (s t : state) : Prop := near (dead_in (locs s)) s t.
Lemma like_sym s t : like s t -> like t s.
Proof. unfold like. intro H. pose proof (proj2 H) as L. rewrite <- L. apply near_sym. trivial. Qed.
Lemma like_refl s : like s s.
Proof. split; [|trivial]. split; [trivial|]. auto. Qed.
Lemma like_back first s : like s (back_in (map (map mask) dead) first s).
Proof.
  split; [|trivial]. destruct (all_back_near dead first (locs s) (vars s)) as [L N]. split; [symmetry; exact L|].
  intro k. destruct (N k) as [D|D]; [left; exact D|right; symmetry; exact D].
Qed.

Variable q : formula.
Hypothesis well : well_formed n.
Hypothesis ok : forgets q = true.

Lemma numbered_in {A} (l : list A) k x : nth_error l k = Some x -> In (k, x) (numbered l).
Proof.
  unfold numbered. intro H. assert (G : forall (l : list A) b k, nth_error l k = Some x -> In ((b + k)%nat, x) (combine (seq b (length l)) l)).
  { clear. induction l as [|y l IH]; intros b k H; [destruct k; discriminate|]. cbn [length seq combine]. destruct k as [|k]; simpl in H.
    - injection H as ->. left. rewrite Nat.add_0_r. trivial.
    - right. rewrite <- Nat.add_succ_comm. apply IH. trivial. }
  exact (G l 0%nat k H).
Qed.
Lemma dead_listed p l k : In k (dead_at p l) -> (p < length dead)%nat /\ In k (concat (nth p dead [])).
Proof.
  unfold dead_at. intro I. destruct (Nat.lt_ge_cases p (length dead)) as [L|L].
  2: { rewrite (nth_overflow dead) in I by trivial. destruct l; destruct I. }
  split; [trivial|]. apply in_concat. exists (nth l (nth p dead []) []). split; [|trivial]. apply nth_In.
  destruct (Nat.lt_ge_cases l (length (nth p dead []))) as [M|M]; [trivial|]. rewrite nth_overflow in I by trivial. destruct I.
Qed.
Lemma listed_elsewhere p p' l k : In k (dead_at p' l) -> p' <> p -> In k (elsewhere p).
Proof.
  intros I N. destruct (dead_listed _ _ _ I) as [L J]. apply nodup_In, in_flat_map. exists p'. split; [apply in_seq; simpl; lia|].
  destruct (Nat.eqb_spec p' p); [contradiction|trivial].
Qed.
Lemma clean_everywhere l ls : disjoint l everywhere = true -> clean (dead_in ls) l.
Proof.
  intros D k I (p & i & _ & J). apply (disjoint_clean _ _ D k I). destruct (dead_listed _ _ _ J) as [L K]. apply nodup_In, in_flat_map.
  exists (nth p dead []). split; [apply nth_In|]; trivial.
Qed.
Lemma forgets_at s p l : location_of n s p = Some l -> exists i, nth_error (locs s) p = Some i /\ location_forgets p (elsewhere p) i l = true.
Proof.
  unfold location_of. destruct (nth_error (n_processes n) p) as [ls|] eqn:E; [|discriminate]. destruct (nth_error (locs s) p) as [i|]; [|discriminate].
  intro F. exists i. split; [trivial|]. pose proof ok as O. unfold forgets in O. apply andb_prop in O. destruct O as [O _]. apply andb_prop in O. destruct O as [O _].
  rewrite forallb_forall in O. specialize (O _ (numbered_in _ _ _ E)). cbn [fst snd] in O. cbv zeta in O. rewrite forallb_forall in O.
  exact (O _ (numbered_in _ _ _ F)).
Qed.
Lemma reads_clean s p l : location_of n s p = Some l -> clean (dead_in (locs s)) (reads_here l).
Proof.
  intro E. destruct (forgets_at _ _ _ E) as (i & Ei & F). unfold location_forgets in F. apply andb_prop in F. destruct F as [F _].
  intros k I (p' & i' & Ep & J). apply (disjoint_clean _ _ F k I). apply in_or_app.
  destruct (Nat.eq_dec p' p) as [->|N]; [right; congruence|left; eapply listed_elsewhere; eauto].
Qed.

Section Like.
Variables s t : state.
Hypothesis lk : like s t.
Let same_locs : locs s = locs t := proj2 lk.

Lemma like_location p : location_of n s p = location_of n t p.
Proof. apply location_near. exact same_locs. Qed.
Lemma like_here p e : here n s p e -> here n t p e.
Proof. intros (l & E & I). exists l. rewrite <- like_location. auto. Qed.
Lemma like_committed p : committed n s p -> committed n t p.
Proof. intros (l & E & I). exists l. rewrite <- like_location. auto. Qed.
Lemma like_guard p e a : here n s p e -> In a (e_guard e) -> ask n s a = ask n t a.
Proof.
  intros (l & E & I) J. apply (ask_near (dead_in (locs s))); [|exact lk]. intros k K. apply (reads_clean s p l E). unfold reads_here.
  apply in_or_app. right. apply in_or_app. right. apply in_flat_map. exists e. split; [trivial|]. apply in_flat_map. eauto.
Qed.
Lemma like_invariant_of p : invariant_of n s p = invariant_of n t p.
Proof. unfold invariant_of. rewrite like_location. trivial. Qed.
Lemma like_invariant p a : In a (invariant_of n s p) -> ask n s a = ask n t a.
Proof.
  unfold invariant_of. destruct (location_of n s p) as [l|] eqn:E; [|intros []]. intro J. apply (ask_near (dead_in (locs s))); [|exact lk].
  intros k K. apply (reads_clean s p l E). unfold reads_here. apply in_or_app. left. apply in_flat_map. eauto.
Qed.
Lemma like_is b v a : ask n s a = ask n t a -> is n b s v a <-> is n b t v a.
Proof. unfold is. intros ->. tauto. Qed.
Lemma like_invariants v : holds n s v (invariant n s) -> holds n t v (invariant n t).
Proof.
  intros H a I. unfold invariant in I. apply in_flat_map in I. destruct I as (p & P & I). rewrite <- like_invariant_of in I.
  apply (like_is true v a (like_invariant p a I)). apply H. unfold invariant. apply in_flat_map. eauto.
Qed.
Lemma like_errs (no no' : atom -> Prop) g : (forall a, In a g -> ask n s a = ask n t a) -> (forall a, In a g -> no a <-> no' a) ->
  errs n s no g -> errs n t no' g.
Proof.
  intros A N (S & b & a & c & E & W & B). split; [intros x I J K; apply (S x I J), N; trivial|]. exists b, a, c. split; [trivial|]. split.
  - rewrite <- A; [trivial|]. rewrite E. apply in_or_app. right. left. trivial.
  - intros x I J. apply (B x I), N; [|trivial]. rewrite E. apply in_or_app. left. trivial.
Qed.
Lemma like_rated : rated n s = rated n t.
Proof.
  unfold rated. apply flat_map_ext. intro p. rewrite <- like_location. destruct (location_of n s p) as [l|] eqn:E; [|trivial].
  apply map_ext_in. intros r I. assert (C : clean (dead_in (locs s)) (cr (fst r) ++ er (snd r))).
  { intros k K. apply (reads_clean s p l E). unfold reads_here. apply in_or_app. right. apply in_or_app. left. apply in_flat_map. eauto. }
  apply clean_app in C. destruct C as [C1 C2]. rewrite (clock_near _ (fst r) C1 s t [] lk), (eval_near _ (snd r) C2 s t [] lk). trivial.
Qed.
Lemma like_stopped : stopped n s = stopped n t.
Proof. unfold stopped. rewrite like_rated. trivial. Qed.
Lemma like_urged : urged n s -> urged n t.
Proof.
  intros (ps & es & I & U & F & A). exists ps, es. split; [trivial|split; [trivial|]].
  assert (H : forall e, In e es -> exists p, here n s p e).
  { clear A U I. induction F as [|x e l es' [H E] F IH]; [intros e []|]. intros e' [<-|J]; eauto. }
  split.
  - clear A U I H. induction F as [|x e l es' [H E] F IH]; constructor; [split; [apply like_here|]; trivial|trivial].
  - intros a J. rewrite <- (A a J). unfold guard in J. apply in_flat_map in J. destruct J as (e & Ie & Ia). destruct (H e Ie) as (p & Hp).
    symmetry. eapply like_guard; eauto.
Qed.
Lemma like_query v : forall b, decided n b s v q <-> decided n b t v q.
Proof.
  assert (Q : clean (dead_in (locs s)) (fr q)).
  { pose proof ok as O. unfold forgets in O. apply andb_prop in O. destruct O as [_ O]. apply clean_everywhere. trivial. }
  revert Q. generalize q. clear well ok q. intro q. induction q as [a|f IH|f IHf g IHg|f IHf g IHg]; intros C b; cbn [fr decided] in *.
  - apply like_is. exact (ask_near _ s t a C lk).
  - apply IH. trivial.
  - apply clean_app in C. destruct C as [C1 C2]. specialize (IHf C1 b). specialize (IHg C2 b). destruct b; tauto.
  - apply clean_app in C. destruct C as [C1 C2]. specialize (IHf C1 b). specialize (IHg C2 b). destruct b; tauto.
Qed.
End Like.

Lemma like_refuses s t v p e : like s t -> here n s p e -> refuses n s v e -> refuses n t v e.
Proof.
  intros L H ((a & I & F) & E). pose proof (like_guard s t L p e) as G. split.
  - exists a. split; [trivial|]. apply (like_is s t false v a (G a H I)). trivial.
  - intro X. apply E. revert X. apply like_errs; [intros x J; symmetry; apply G; trivial|]. intros x J. symmetry. apply like_is. apply G; trivial.
Qed.
Lemma like_joins s t v ps es : like s t -> joins n s v ps es -> joins n t v ps es.
Proof.
  intros L. induction 1 as [|p ps e es H E R J IH|p ps es K O J IH].
  - constructor.
  - apply joins_take; trivial; [eapply like_here; eauto|]. intros X Y. apply (R X). eapply (like_refuses t s); [apply like_sym, L| |exact Y].
    eapply like_here; eauto.
  - apply joins_skip; trivial. intros e H E. destruct (O e) as [O1 O2]; [apply (like_here t s (like_sym _ _ L)); trivial|trivial|].
    split; [trivial|]. eapply like_refuses; [exact L| |exact O2]. apply (like_here t s (like_sym _ _ L)). exact H.
Qed.
Lemma like_joint s t v es : like s t -> joint n s v es -> joint n t v es.
Proof.
  intros L [J C]. split.
  - destruct J as [(ps & I & J & N)|(p & e & -> & P & H & S)]; [left|right].
    + exists ps. split; [trivial|]. split; [exact (like_joins s t v ps es L J)|trivial].
    + exists p, e. split; [trivial|]. split; [trivial|]. split; [exact (like_here s t L p e H)|trivial].
  - intros (p & P & K). destruct C as (e & I & K').
    + exists p. split; [trivial|]. exact (like_committed t s (like_sym _ _ L) p K).
    + exists e. split; [trivial|]. exact (like_committed s t L _ K').
Qed.

(* The edges of a joint transition leave the locations of different processes. *)
Definition leaves (ls : list nat) (e : edge) : Prop := exists i l, nth_error ls (e_process e) = Some i /\
  location_forgets (e_process e) (elsewhere (e_process e)) i l = true /\ In e (l_out l).
Lemma here_process s p e : here n s p e -> e_process e = p.
Proof.
  intros (l & E & I). unfold location_of in E. destruct (nth_error (n_processes n) p) as [ls|] eqn:P; [|discriminate].
  destruct (nth_error (locs s) p) as [i|]; [|discriminate]. apply nth_error_In in E. exact (proj1 (edges_leave n well p ls l e P E I)).
Qed.
Lemma here_leaves s p e : here n s p e -> leaves (locs s) e.
Proof.
  intro H. rewrite <- (here_process s p e H) in H. destruct H as (l & E & I). destruct (forgets_at _ _ _ E) as (i & Ei & F). exists i, l. auto.
Qed.
Lemma joint_here s v es : joint n s v es -> (forall e, In e es -> exists p, here n s p e) /\ NoDup (map e_process es).
Proof.
  intros [[(ps & I & J & _)|(p & e & -> & P & H & _)] _].
  - pose proof (parts_once n well ps I) as N. clear I.
    assert (G : (forall e, In e es -> exists p, here n s p e) /\ (forall x, In x (map e_process es) -> In x (map p_process ps)) /\ NoDup (map e_process es)); [|tauto].
    induction J as [|p ps e es H E R J IH|p ps es K O J IH]; cbn [map] in *.
    + split; [intros e []|]. split; [trivial|constructor].
    + inversion N as [|x l Nx Nl]; subst. destruct (IH Nl) as (A & B & C). pose proof (here_process _ _ _ H) as Ep. split; [|split].
      * intros e' [<-|I]; eauto.
      * intros x [<-|I]; [left; auto|right; auto].
      * constructor; [|trivial]. rewrite Ep. intro I. exact (Nx (B _ I)).
    + inversion N as [|x l Nx Nl]; subst. destruct (IH Nl) as (A & B & C). split; [trivial|]. split; [intros x I; right; auto|trivial].
  - split; [intros e' [<-|[]]; eauto|]. cbn. constructor; [intros []|constructor].
Qed.
Lemma like_guards s t v es : like s t -> joint n s v es -> forall a, In a (guard es) -> ask n s a = ask n t a.
Proof.
  intros L J a I. unfold guard in I. apply in_flat_map in I. destruct I as (e & Ie & Ia). destruct (proj1 (joint_here _ _ _ J) e Ie) as (p & H).
  exact (like_guard s t L p e a H Ia).
Qed.
Lemma like_holds s t v es : like s t -> joint n s v es -> holds n s v (guard es) -> holds n t v (guard es).
Proof. intros L J H a I. apply (like_is s t true v a (like_guards s t v es L J a I)). apply H. trivial. Qed.
Lemma like_guard_errs s t v es : like s t -> joint n s v es -> errs n s (is n false s v) (guard es) -> errs n t (is n false t v) (guard es).
Proof.
  intros L J. apply like_errs; [exact (like_guards s t v es L J)|]. intros a I. apply like_is. exact (like_guards s t v es L J a I).
Qed.
Lemma like_outranked s t v es : like s t -> outranked n s v es -> outranked n t v es.
Proof.
  intros L (es' & J & G & H). exists es'. split; [exact (like_joint s t v es' L J)|]. split; [|trivial].
  destruct G as [G|G]; [left; exact (like_holds s t v es' L J G)|right; exact (like_guard_errs s t v es' L J G)].
Qed.
Lemma like_unhurried s t : like s t -> unhurried n s -> unhurried n t.
Proof.
  intros L [A U]. split; [|intro X; apply U; exact (like_urged t s (like_sym _ _ L) X)]. intros p l P E. apply (A p l P). rewrite (like_location s t L). exact E.
Qed.
Lemma like_rates s t : like s t -> rates_fail n s -> rates_fail n t.
Proof. intros L [U X]. split; [exact (like_unhurried s t L U)|]. rewrite <- (like_rated s t L). exact X. Qed.
Lemma like_may_wait s t : like s t -> may_wait n s -> may_wait n t.
Proof. intros L [U R]. split; [exact (like_unhurried s t L U)|]. intro X. apply R. exact (like_rates t s (like_sym _ _ L) X). Qed.
Lemma like_invariant_fails s t : like s t -> invariant_fails n s -> invariant_fails n t.
Proof.
  intros L (b & p & a & E & F & H). exists b, p, a. split; [trivial|]. rewrite <- (like_invariant_of s t L). split.
  - revert F. apply like_errs; [exact (like_invariant s t L p)|]. intros x I. unfold Spec.never. rewrite (like_invariant s t L p x I). tauto.
  - intros p' x P I N. rewrite <- (like_invariant_of s t L) in I. apply (H p' x P I). unfold Spec.never in *. rewrite (like_invariant s t L p' x I). trivial.
Qed.

(* ---- Updates ---- *)

Definition ends_alike (X : nat -> Prop) (a b : state * list upd) : Prop := near X (fst a) (fst b) /\ snd a = snd b.
Lemma hooks_near X Y cs rest : (forall c, In c cs -> clean X (sr (snd c))) ->
  (forall s t us, near X s t -> alike (ends_alike Y) (updates n s us rest) (updates n t us rest)) ->
  forall s t us, near X s t -> alike (ends_alike Y) (updates n s us (cs ++ rest)) (updates n t us (cs ++ rest)).
Proof.
  intros C R. induction cs as [|c cs IH]; intros s t us N; cbn [app updates]; [auto|].
  eapply alike_bind; [apply (run_near X (snd c)); [apply C; left; trivial|split; [exact N|auto]]|].
  intros e f (A & _ & U). rewrite U. apply IH; [intros; apply C; right|]; trivial.
Qed.
Definition moved (es : list edge) (ls : list nat) : list nat := fold_left (fun l e => set_loc l (e_process e) (e_target e)) es ls.
Lemma edges_near Y rest es : forall ls, NoDup (map e_process es) -> (forall e, In e es -> leaves ls e) ->
  (forall s t us, near (dead_in (moved es ls)) s t -> alike (ends_alike Y) (updates n s us rest) (updates n t us rest)) ->
  forall s t us, near (dead_in ls) s t -> alike (ends_alike Y) (updates n s us (map code es ++ rest)) (updates n t us (map code es ++ rest)).
Proof.
  induction es as [|e es IH]; intros ls D Le R s t us N; cbn [map app updates]; [apply R; trivial|]. cbn [map] in D. inversion D as [|x l' Nx D']; subst.
  destruct (Le e (or_introl eq_refl)) as (i & l & Ei & F & I). set (p := e_process e) in *.
  unfold location_forgets in F. apply andb_prop in F. destruct F as [_ F]. rewrite forallb_forall in F. specialize (F e I). apply andb_prop in F. destruct F as [Fo F].
  destruct (left_by (dead_at p i) (e_update e)) as [b|] eqn:Lb; [|discriminate].
  set (others := fun k => exists p' i', p' <> p /\ nth_error ls p' = Some i' /\ In k (dead_at p' i')).
  assert (C : clean others (sr (e_update e))).
  { intros k K (p' & i' & Np & _ & J). apply (disjoint_clean _ _ Fo k K). eapply listed_elsewhere; eauto. }
  cbn [fst snd code]. eapply alike_bind; [apply (left_near others (e_update e) (dead_at p i) b Lb C (Env s (repeat 0 (e_locals e)) us) (Env t (repeat 0 (e_locals e)) us))|].
  - split; [|auto]. refine (near_more _ _ _ _ _ N). intros k (p' & i' & E & J). destruct (Nat.eq_dec p' p) as [->|Np]; [left; congruence|right]. exists p', i'. auto.
  - intros x y (A & _ & U). rewrite U. apply (IH (set_loc ls p (e_target e))); trivial.
    + intros e' I'. destruct (Le e' (or_intror I')) as (i' & l' & Ei' & F' & J'). exists i', l'. rewrite set_loc_nth.
      destruct (Nat.eqb_spec (e_process e') p) as [Ep|Ep]; [exfalso; apply Nx; rewrite <- Ep; apply in_map; trivial|auto].
    + refine (near_more _ _ _ _ _ A). intros k [J|(p' & i' & Np & E & J)].
      * exists p, (e_target e). rewrite set_loc_nth, Nat.eqb_refl, Ei. split; [trivial|].
        unfold subset in F. rewrite forallb_forall in F. apply mem_in, F. exact J.
      * exists p', i'. rewrite set_loc_nth. destruct (Nat.eqb_spec p' p); [contradiction|auto].
Qed.
Lemma like_fire s t v es : like s t -> joint n s v es -> alike (fun a b => like (fst a) (fst b) /\ snd a = snd b) (fire n s es) (fire n t es).
Proof.
  intros L J. destruct (joint_here _ _ _ J) as [H D].
  assert (K : forall c ls, In c (n_before n ++ n_after n) -> clean (dead_in ls) (sr (snd c))).
  { intros c ls I. pose proof ok as O. unfold forgets in O. apply andb_prop in O. destruct O as [O _]. apply andb_prop in O. destruct O as [_ O].
    rewrite forallb_forall in O. apply clean_everywhere. apply O. trivial. }
  assert (U : alike (ends_alike (dead_in (moved es (locs s)))) (updates n s [] (n_before n ++ map code es ++ n_after n)) (updates n t [] (n_before n ++ map code es ++ n_after n))).
  { apply (hooks_near (dead_in (locs s))); [intros c I; apply K, in_or_app; auto| |exact L]. apply edges_near; trivial.
    - intros e I. destruct (H e I) as (p & Hp). eapply here_leaves; eauto.
    - intros s' t' us N. rewrite <- (app_nil_r (n_after n)). apply (hooks_near (dead_in (moved es (locs s)))); [intros c I; apply K, in_or_app; auto| |exact N].
      intros a b us' N'. cbn. split; [exact N'|trivial]. }
  unfold fire. assert (Lo : forall a r, updates n a [] (n_before n ++ map code es ++ n_after n) = Ok r -> locs (fst r) = locs a).
  { intros a [a' r] E. exact (up_locs _ _ _ _ _ _ (updates_updated n _ _ _ _ _ E)). }
  pose proof (Lo s) as Ls. pose proof (Lo t) as Lt. clear Lo. revert Ls Lt U.
  generalize (updates n s [] (n_before n ++ map code es ++ n_after n)), (updates n t [] (n_before n ++ map code es ++ n_after n)).
  intros [| |a] [| |b] Ls Lt U; try (exfalso; exact U); try exact Logic.I. destruct U as [N U]. cbn [bind alike fst snd]. split; [|exact U].
  specialize (Ls a eq_refl). specialize (Lt b eq_refl). destruct N as [[Le A] Lo]. unfold like, go. cbn [locs]. fold (moved es (locs (fst a))). rewrite Ls.
  split; [split; [exact Le|exact A]|]. cbn [locs]. fold (moved es (locs (fst b))). f_equal. congruence.
Qed.
Lemma like_fails s t v : like s t -> step_fails n s v -> step_fails n t v.
Proof.
  intros L [X|(es & J & R & W)]; [left; exact (like_rates s t L X)|right]. exists es. split; [exact (like_joint s t v es L J)|].
  split; [intro X; apply R; exact (like_outranked t s v es (like_sym _ _ L) X)|].
  destruct W as [W|[G W]]; [left; exact (like_guard_errs s t v es L J W)|right]. split; [exact (like_holds s t v es L J G)|].
  pose proof (like_fire s t v es L J) as F. destruct W as [W|(s' & us & E & W)].
  - rewrite W in F. destruct (fire n t es); try destruct F. auto.
  - rewrite E in F. right. destruct (fire n t es) as [| |[t' us']]; try destruct F. cbn [fst snd] in *. subst us'. exists t', us. split; [trivial|].
    destruct W as [W|W]; [auto|right]. eapply like_invariant_fails; eauto.
Qed.
Lemma like_go s t v es s' us v' : like s t -> joint n s v es -> holds n s v (guard es) -> ~ outranked n s v es -> fire n s es = Ok (s', us) ->
  holds n s' v' (invariant n s') ->
  exists t', joint n t v es /\ holds n t v (guard es) /\ ~ outranked n t v es /\ fire n t es = Ok (t', us) /\ like s' t' /\ holds n t' v' (invariant n t').
Proof.
  intros L J G R F H. pose proof (like_fire s t v es L J) as A. rewrite F in A. destruct (fire n t es) as [| |[t' us']] eqn:E; try (destruct A; fail).
  destruct A as [A U]. cbn [fst snd] in *. subst us'. exists t'. split; [exact (like_joint s t v es L J)|]. split; [exact (like_holds s t v es L J G)|].
  split; [intro X; apply R; exact (like_outranked t s v es (like_sym _ _ L) X)|]. split; [trivial|]. split; [trivial|].
  exact (like_invariants s' t' A v' H).
Qed.
Lemma like_takes s t v s' v' : like s t -> takes n s v s' v' -> exists t', takes n t v t' v' /\ like s' t'.
Proof.
  intros L (es & us & J & G & R & F & N & S & H). destruct (like_go s t v es s' us v' L J G R F H) as (t' & J1 & G1 & R1 & F1 & L1 & H1).
  exists t'. split; [|trivial]. exists es, us. auto 10.
Qed.
Lemma like_alive s t v : like s t -> alive n s v -> alive n t v.
Proof.
  intros L (d & s' & v' & (P & W & H) & T). rewrite (like_stopped s t L) in *. destruct (like_takes s t _ s' v' L T) as (t' & T' & _).
  exists d, t', v'. split; [|trivial]. split; [trivial|]. split; [destruct W as [W|W]; [auto|right; exact (like_may_wait s t L W)]|].
  intros e Pe Le. apply (like_invariants s t L). auto.
Qed.
Lemma like_ends (lost : state -> valuation -> Prop) : (forall s t v, like s t -> lost s v -> lost t v) ->
  forall k s v, ends n lost k s v -> forall t, like s t -> ends n lost k t v.
Proof.
  intros Lo k s v E. induction E as [s v B|k s v d w P S E IH|k s v s' v' T E IH]; intros t L.
  - apply ends_now. destruct B as [B|B]; [left; eauto|right; exact (like_fails s t v L B)].
  - rewrite (like_stopped s t L) in S. apply ends_wait with d w; [|trivial|auto]. destruct P as (P & W & H). rewrite (like_stopped s t L) in H.
    split; [trivial|]. split; [destruct W as [W|W]; [auto|right; exact (like_may_wait s t L W)]|].
    intros e Pe Le. apply (like_invariants s t L). auto.
  - destruct (like_takes s t v s' v' L T) as (t' & T' & L'). apply ends_step with t' v'; auto.
Qed.
End Network.

(* ---- Certificates ---- *)

Section Check.
Variable n : net.
Variable dead : list (list (list nat)).
Definition stood_for (masks : list (list (list bool))) (first : list Z) (_ : names) (s : state) : option state := Some (back_in masks first s).
Definition clock_kept (_ : names) (x : nat) : nat := x.
Definition forget_check_for (goal : state -> option (list (list test))) (many : option nat) (q : formula) (c : certificate) : bool :=
  let t := table n in
  let masks := map (map (mask n)) dead in
  let first := map v_init (n_variables n) in
  forallb (starts_well n) (net_initial n) && forgets n dead q &&
  check state state_eqb (net_initial n) (net_inv n) (net_delay n) (net_moves n t) goal many (fun _ _ => true)
        names (stood_for masks first) clock_kept
        (c_groups c) (c_group_at c) (c_group_of c) (c_frame_at c) (c_zone_at c) (c_hints_at c) (c_start_hints c).
Definition forget_check (q : formula) (c : certificate) : bool := forget_check_for (fun s => clauses n true s q) None q c.

Section Correct.
Variable goal : state -> option (list (list test)).
Variable many : option nat.
Hypothesis well : well_formed n.
Variable q : formula.
Variable c : certificate.
Hypothesis accepted : forget_check_for goal many q c = true.
Let named := stood_for (map (map (mask n)) dead) (map v_init (n_variables n)).
Let checked := check state state_eqb (net_initial n) (net_inv n) (net_delay n) (net_moves n (table n)) goal many (fun _ _ => true)
        names named clock_kept
        (c_groups c) (c_group_at c) (c_group_of c) (c_frame_at c) (c_zone_at c) (c_hints_at c) (c_start_hints c).
Let is_inside := inside state (net_inv n) (net_delay n) (c_groups c) (c_group_at c) (c_frame_at c) (c_zone_at c).
Let found := is_covered state names named clock_kept (c_groups c) (c_group_at c) (c_frame_at c) (c_zone_at c).

Lemma forget_parts : forallb (starts_well n) (net_initial n) = true /\ forgets n dead q = true /\ checked = true.
Proof.
  pose proof accepted as C. unfold forget_check_for in C. cbv zeta in C. apply andb_prop in C. destruct C as [C C2].
  apply andb_prop in C. destruct C as [C0 C1]. auto.
Qed.
Lemma found_like s v : found s v -> nonneg v -> holds n s v (invariant n s) -> exists t, like dead s t /\ is_inside t v.
Proof.
  intros F N H. destruct forget_parts as (_ & O & _).
  destruct (covered_inside _ (net_inv n) (net_delay n) _ _ _ _ _ _ _ _ _ F N) as (a & t & E & K).
  injection E as <-. pose proof (like_back n dead (map v_init (n_variables n)) s) as L. eexists. split; [exact L|].
  apply K; [reflexivity|]. apply holds_inv. exact (like_invariants n dead q O _ _ L v H).
Qed.
Lemma reachable_like s v : reachable n s v -> exists t, like dead s t /\ is_inside t v.
Proof.
  destruct forget_parts as (_ & O & Ok).
  induction 1 as [s v S Z H|s v d v' R IH (P & W & H) S|s v s' v' R IH (es & us & J & G & Ro & F & Nn & S & H)].
  - apply found_like; [|intro x; rewrite (Z x); lra|trivial].
    apply (initial_covered state state_eqb state_eqb_eq (net_initial n) (net_inv n) (net_delay n) (net_moves n (table n)) goal many (fun _ _ => true)
             _ _ _ _ _ _ _ _ _ _ Ok); [apply starts_in|trivial|apply holds_inv]; trivial.
  - destruct IH as (t & L & I). exists t. split; [trivial|]. destruct W as [Z|W].
    { apply (inside_same _ _ _ _ _ _ _ t v v'); [|exact I]. intro x. rewrite (S x). unfold after. destruct (existsb _ _); [|rewrite Z]; lra. }
    assert (Dt : net_delay n t = Some (stopped n t)) by (apply may_wait_delay; exact (like_may_wait n dead q O s t L W)).
    rewrite (like_stopped n dead q O s t L) in *. eapply delay_inside; [exact I|exact Dt|exact P|exact S|].
    apply holds_inv. apply (like_invariants n dead q O s t L).
    apply holds_same with (after (stopped n t) d v); [intro k; symmetry; apply S|]. apply H; lra.
  - destruct IH as (t & L & I). assert (H0 : holds n s' (set_all us v) (invariant n s')) by (eapply holds_same; [exact S|exact H]).
    destruct (like_go n dead q well O s t v es s' us (set_all us v) L J G Ro F H0) as (t' & J1 & G1 & R1 & F1 & L1 & H1).
    destruct (judge_holds _ _ _ _ G1) as (ts & E & A). destruct (invariants_hold _ _ _ H1) as (ts' & E' & A').
    destruct (moves_in n t v es ts (Some (us, Some (map (back (origins_of us)) ts', t'))) (proj1 I) (proj1 (proj2 I)) J1 (not_false_holds _ _ _ _ G1) R1) as (k & m & K & Tm & Om).
    { unfold result. rewrite E, F1, E'. trivial. }
    { exact A. }
    destruct (inside_move state state_eqb state_eqb_eq (net_initial n) (net_inv n) (net_delay n) (net_moves n (table n)) goal many (fun _ _ => true)
             _ _ _ _ _ _ _ _ _ _ Ok _ _ _ _ I K Tm) as (us2 & target & O2 & NN & Co). rewrite Om in O2.
    injection O2 as <- <-. specialize (Co _ _ eq_refl (all_hold_back _ _ _ A')).
    apply (is_covered_same _ _ _ _ _ _ _ _ _ _ _ S) in Co. assert (N' : nonneg v') by (intro x; rewrite (S x); apply nonneg_set; [apply I|trivial]).
    destruct (found_like t' v' Co N') as (t2 & L2 & I2); [exact (like_invariants n dead q O s' t' L1 v' H)|]. exists t2. split; [|trivial].
    unfold like in *. destruct L1 as [A1 Lo1], L2 as [A2 Lo2]. rewrite <- Lo1 in *. split; [|congruence]. eapply agree_trans; eauto.
Qed.
Theorem forget_means : ~ start_fails n /\ forall s v, reachable n s v ->
  (exists t, like dead s t /\ is_inside t v /\ ~ meets_goal state goal t v) /\ ~ step_fails n s v.
Proof.
  destruct forget_parts as (C0 & O & Ok). split.
  { intros (s & S & E). rewrite forallb_forall in C0. specialize (C0 _ (starts_in _ _ S)).
    unfold starts_well in C0. destruct (invariants_fail _ _ E) as (ts & J). rewrite J in C0. discriminate. }
  intros s v R. destruct (reachable_like s v R) as (t & L & I).
  destruct (inside_good state state_eqb state_eqb_eq (net_initial n) (net_inv n) (net_delay n) (net_moves n (table n)) goal many (fun _ _ => true)
             _ _ _ _ _ _ _ _ _ _ Ok _ _ I) as [Gd F]. split; [exists t; auto|].
  intro X. apply F, fails_in; [apply I|apply I|]. exact (like_fails n dead q well O s t v L X).
Qed.
End Correct.

Theorem forget_correct q c : well_formed n -> forget_check q c = true ->
  ~ start_fails n /\ forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof.
  intros W A. destruct (forget_means _ _ W q c A) as [S R]. split; [trivial|]. intros s v H.
  destruct (R _ _ H) as ((t & L & _ & G) & F). split; [|trivial]. destruct (forget_parts _ _ q c A) as (_ & O & _).
  apply (like_query n dead q O s t L v false). destruct (clauses_sound n t v q true) as [M|D]; [exfalso; exact (G M)|exact D].
Qed.

(* ---- With reduced sets ---- *)

Section Sets.
Variable sets : N -> option claim.
Variable goal : state -> option (list (list test)).
Variable many : option nat.
Variable last : state -> claim -> (list test -> bool) -> deeds -> list info -> bool.
Variable q : formula.
Variable c : certificate.
Definition forget_sets_for : bool :=
  let masks := map (map (mask n)) dead in
  let first := map v_init (n_variables n) in
  forgets n dead q && reduced_check_by n sets (stood_for masks first) clock_kept goal many last c.
Hypothesis well : well_formed n.
Hypothesis accepted : forget_sets_for = true.
Lemma forget_sets_parts : forgets n dead q = true /\
  reduced_check_by n sets (stood_for (map (map (mask n)) dead) (map v_init (n_variables n))) clock_kept goal many last c = true.
Proof. apply andb_prop. exact accepted. Qed.
Lemma forget_starts : ~ start_fails n.
Proof. destruct forget_sets_parts as [_ A]. exact (no_start_fails_by _ _ _ _ _ _ _ _ A). Qed.
Theorem forget_sets_means (lost : state -> valuation -> Prop) (aim : Prop) :
  (forall s t v, like dead s t -> lost s v -> lost t v) ->
  (forall s v, nonneg v -> holds n s v (invariant n s) -> ~ meets_goal state goal s v -> lost s v -> aim) ->
  (reducible n = true -> forall s v cl misses can s1 v1, (forall c, misses c = true -> ~ all_hold c v) -> nonneg v ->
    holds n s v (invariant n s) -> all_hold (at_top n s cl) v -> (forall p, In p (cl_in cl) -> In p (processes n)) ->
    stands_still n s cl (sum_up n (bad_sets n) (infos n) s cl misses can) = true ->
    (forall p e, In p (cl_in cl) -> In e (out_edges n s p) -> edge_ok n (bad_sets n) s cl misses (sum_up n (bad_sets n) (infos n) s cl misses can) e = true) ->
    (forall i, In i can -> In i (known n (infos n) s cl)) -> sized n s ->
    last s cl misses (sum_up n (bad_sets n) (infos n) s cl misses can) can = true ->
    (lost s v -> aim) -> ctx n s v cl misses can s1 v1 -> lost s1 v1 -> aim) ->
  forall s v, reachable n s v -> bad_now n lost s v -> aim.
Proof.
  intros Ll Lg Lk. destruct forget_sets_parts as [O A].
  apply (reduced_means_by n well sets goal many last _ _ c A lost aim (fun s v t w => like dead s t /\ w = v)); trivial.
  - intros a s s' v E. injection E as <-. exists v. split; [split; [apply like_back|trivial]|reflexivity].
  - intros s v s' v' [L ->]. exact (like_invariants n dead q O s s' L v).
  - intros k s v s' v' E [L ->]. exact (like_ends n dead q well O lost Ll k s v E s' L).
Qed.
End Sets.

Definition forget_sets (sets : N -> option claim) (q : formula) (c : certificate) : bool :=
  forget_sets_for sets (fun s => clauses n true s q) None (fun s cl misses d can => keeps n s cl misses d can false q) q c.
Theorem forget_sets_correct sets q c : well_formed n -> forget_sets sets q c = true ->
  ~ start_fails n /\ forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof.
  intros W A. split; [exact (forget_starts sets _ _ _ q c A)|]. destruct (forget_sets_parts sets _ _ _ q c A) as [O _]. intros s v Re.
  assert (N : bad_now n (fun s v => ~ decided n false s v q) s v -> False).
  { apply (forget_sets_means sets _ _ _ q c W A (fun s v => ~ decided n false s v q) False); trivial.
    - intros s1 s2 v1 L X D. apply X. apply (like_query n dead q O s1 s2 L v1 false). exact D.
    - intros s1 v1 _ _ G L. apply L. destruct (clauses_sound n s1 v1 q true) as [M|D]; [|exact D]. exfalso. apply G. exact M.
    - intros Rd s0 v0 cl misses can s1 v1 M N H At P1 P6 P7 P4 P2 La L Cx L1. apply L1. apply (keeps_sound n s0 v0 cl misses M At can s1 v1 q Cx false La).
      destruct (decided_dec n q s0 v0 false) as [D|D]; [exact D|destruct (L D)]. }
  split; [|intro X; apply N; right; exact X].
  destruct (decided_dec n q s v false) as [D|D]; [exact D|]. exfalso. apply N. left. exact D.
Qed.
End Check.
