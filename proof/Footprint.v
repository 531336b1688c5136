(* What expressions and statements read and write: slots of variables, and clocks. What they do is the same in states
   that differ elsewhere. *)
From Coq Require Import List ZArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network.
Import ListNotations.
Open Scope Z_scope.

Definition cells (base : nat) (size : Z) : list nat := seq base (Z.to_nat size).

(* Slots that are read. *)
Fixpoint er (e : expr) : list nat :=
  match e with
  | EConst _ | ELocal _ | EAt _ _ | ELabel _ => []
  | EVar k => [k]
  | EElem b size i => er i ++ cells b size
  | ELocalElem _ _ i | ETable _ i => er i
  | ENeg a | ENot a | EWithin _ _ a | EEvery _ _ a | ESome _ _ a | ESum _ _ a => er a
  | EBin _ a b | EAnd a b | EOr a b => er a ++ er b
  | ECond a b c => er a ++ er b ++ er c
  | EDo _ c a => sr c ++ er a
  end
with cr (c : clock) : list nat := match c with Clock _ => [] | ClockElem _ _ i => er i end
with sr (c : stmt) : list nat :=
  match c with
  | SNop => []
  | SSeq a b => sr a ++ sr b
  | SVar _ e | SLocal _ e => er e
  | SElem _ _ i e | SLocalElem _ _ i e => er i ++ er e
  | SClock x y e => cr x ++ cr y ++ er e
  | SIf e a b => er e ++ sr a ++ sr b
  | SWhile e a => er e ++ sr a
  end.
(* Whether locations are read. *)
Fixpoint pe (e : expr) : bool :=
  match e with
  | EConst _ | ELocal _ | EVar _ => true
  | EAt _ _ | ELabel _ => false
  | EElem _ _ i | ELocalElem _ _ i | ETable _ i => pe i
  | ENeg a | ENot a | EWithin _ _ a | EEvery _ _ a | ESome _ _ a | ESum _ _ a => pe a
  | EBin _ a b | EAnd a b | EOr a b => pe a && pe b
  | ECond a b c => pe a && pe b && pe c
  | EDo _ c a => ps c && pe a
  end
with pc (c : clock) : bool := match c with Clock _ => true | ClockElem _ _ i => pe i end
with ps (c : stmt) : bool :=
  match c with
  | SNop => true
  | SSeq a b => ps a && ps b
  | SVar _ e | SLocal _ e => pe e
  | SElem _ _ i e | SLocalElem _ _ i e => pe i && pe e
  | SClock x y e => pc x && pc y && pe e
  | SIf e a b => pe e && ps a && ps b
  | SWhile e a => pe e && ps a
  end.
Definition cc (c : clock) : list nat := match c with Clock x => [x] | ClockElem b size _ => cells b size end.

(* Slots that are written; clocks that are set, those that are read for it, those that get anything but 0, and those
   that are surely set. *)
Fixpoint sw (c : stmt) : list nat :=
  match c with
  | SNop | SLocal _ _ | SLocalElem _ _ _ _ | SClock _ _ _ => []
  | SSeq a b | SIf _ a b => sw a ++ sw b
  | SVar k _ => [k]
  | SElem b size _ _ => cells b size
  | SWhile _ a => sw a
  end.
Fixpoint sx (c : stmt) : list nat :=
  match c with
  | SNop | SLocal _ _ | SLocalElem _ _ _ _ | SVar _ _ | SElem _ _ _ _ => []
  | SSeq a b | SIf _ a b => sx a ++ sx b
  | SClock x _ _ => cc x
  | SWhile _ a => sx a
  end.
Fixpoint sy (c : stmt) : list nat :=
  match c with
  | SNop | SLocal _ _ | SLocalElem _ _ _ _ | SVar _ _ | SElem _ _ _ _ => []
  | SSeq a b | SIf _ a b => sy a ++ sy b
  | SClock _ y _ => cc y
  | SWhile _ a => sy a
  end.
Fixpoint sb (c : stmt) : list nat :=
  match c with
  | SNop | SLocal _ _ | SLocalElem _ _ _ _ | SVar _ _ | SElem _ _ _ _ => []
  | SSeq a b | SIf _ a b => sb a ++ sb b
  | SClock _ (Clock O) (EConst 0) => []
  | SClock x _ _ => cc x
  | SWhile _ a => sb a
  end.
Fixpoint sm (c : stmt) : list nat :=
  match c with
  | SSeq a b => sm a ++ sm b
  | SClock (Clock x) _ _ => [x]
  | _ => []
  end.

Scheme expr_mut := Induction for expr Sort Prop with clock_mut := Induction for clock Sort Prop with stmt_mut := Induction for stmt Sort Prop.
Combined Scheme expr_stmt_ind from expr_mut, clock_mut, stmt_mut.

Definition agree (X : nat -> Prop) (s t : state) : Prop :=
  length (vars s) = length (vars t) /\ forall k, X k \/ nth_error (vars s) k = nth_error (vars t) k.
Definition agree_env (X : nat -> Prop) (e f : env) : Prop :=
  agree X (en_state e) (en_state f) /\ en_frame e = en_frame f /\ en_updates e = en_updates f.
Definition alike {A} (R : A -> A -> Prop) (r r' : res A) : Prop :=
  match r, r' with Ok a, Ok b => R a b | Err, Err => True | Fails, Fails => True | _, _ => False end.
Definition clean (X : nat -> Prop) (l : list nat) : Prop := forall k, In k l -> ~ X k.
Lemma clean_app X a b : clean X (a ++ b) <-> clean X a /\ clean X b.
Proof.
  unfold clean. split; [intro H; split; intros k I; apply H, in_or_app; auto|].
  intros [A B] k I. apply in_app_or in I. destruct I; auto.
Qed.

Lemma alike_refl {A} (R : A -> A -> Prop) r : (forall a, R a a) -> alike R r r.
Proof. destruct r; simpl; auto. Qed.
Lemma alike_bind {A B} (R : A -> A -> Prop) (S : B -> B -> Prop) r r' f f' :
  alike R r r' -> (forall a b, R a b -> alike S (f a) (f' b)) -> alike S (bind r f) (bind r' f').
Proof. destruct r, r'; simpl; intros H K; trivial; try contradiction. auto. Qed.
Lemma alike_bind_eq {A B} (S : B -> B -> Prop) (r r' : res A) f f' :
  r = r' -> (forall a, alike S (f a) (f' a)) -> alike S (bind r f) (bind r' f').
Proof. intros <- K. destruct r; simpl; auto. Qed.
Lemma bind_eq {A B} (r r' : res A) (f f' : A -> res B) : r = r' -> (forall a, f a = f' a) -> bind r f = bind r' f'.
Proof. intros <- K. destruct r; simpl; auto. Qed.

Lemma put_nth l : forall k z l', put l k z = Ok l' -> length l' = length l /\
  (k < length l)%nat /\ forall i, nth_error l' i = if (i =? k)%nat then Some z else nth_error l i.
Proof.
  induction l as [|a l IH]; intros k z l' P; [destruct k; discriminate|]. destruct k as [|k]; cbn [put] in P.
  - injection P as <-. split; [trivial|]. split; [simpl; lia|]. intros [|i]; trivial.
  - destruct (put l k z) as [| |m] eqn:E; try discriminate. injection P as <-. destruct (IH _ _ _ E) as (L & B & N).
    simpl. split; [lia|]. split; [lia|]. intros [|i]; trivial. simpl. apply N.
Qed.
Lemma put_ok l : forall k z, (k < length l)%nat -> exists l', put l k z = Ok l'.
Proof.
  induction l as [|a l IH]; intros k z L; simpl in L; [lia|]. destruct k as [|k]; simpl; [eauto|].
  destruct (IH k z) as (l' & ->); [lia|]. simpl. eauto.
Qed.
Lemma put_err l : forall k z, (length l <= k)%nat -> put l k z = Err.
Proof.
  induction l as [|a l IH]; intros k z L; [destruct k; trivial|]. destruct k as [|k]; simpl in L; [lia|]. simpl.
  rewrite IH by lia. trivial.
Qed.
Lemma index_cells b size i k : index b size i = Ok k -> In k (cells b size).
Proof.
  unfold index. destruct (_ && _) eqn:E; [|discriminate]. intro H. injection H as <-. apply andb_prop in E. destruct E as [A B].
  apply Z.leb_le in A. apply Z.ltb_lt in B. apply in_seq. lia.
Qed.

Arguments turns : simpl never.
Arguments fit : simpl never.
Arguments binary : simpl never.
Arguments wrapped : simpl never.
Section Network.
Variable n : net.

Lemma turns_alike X (step step' : env -> res (env * bool)) :
  (forall e f, agree_env X e f -> alike (fun a b => agree_env X (fst a) (fst b) /\ snd a = snd b) (step e) (step' f)) ->
  forall k e f, agree_env X e f -> alike (fun a b => agree_env X (fst a) (fst b) /\ snd a = snd b) (turns k step e) (turns k step' f).
Proof.
  intros H. induction k as [|k IH]; intros e f A; cbn [turns]; [auto|]. eapply alike_bind; [exact (IH e f A)|].
  intros [a x] [b y] [B E]; cbn [fst snd] in *. subst y. destruct x; [apply IH; trivial|]. simpl. auto.
Qed.

Lemma get_agree X s t k : agree X s t -> ~ X k -> get (vars s) k = get (vars t) k.
Proof. intros [_ A] N. unfold get. destruct (A k) as [B| ->]; [contradiction|trivial]. Qed.
Lemma store_agree X e f k z : agree_env X e f -> alike (agree_env X) (store n e k z) (store n f k z).
Proof.
  intros ((L & A) & Fr & U). unfold store. destruct (nth_error (n_variables n) k) as [v|]; simpl; [|trivial].
  destruct (_ && _); simpl; [|trivial]. destruct (Nat.lt_ge_cases k (length (vars (en_state e)))) as [B|B].
  - destruct (put_ok _ k z B) as (l & El). rewrite L in B. destruct (put_ok _ k z B) as (m & Em). rewrite El, Em. simpl.
    destruct (put_nth _ _ _ _ El) as (L1 & _ & N1). destruct (put_nth _ _ _ _ Em) as (L2 & _ & N2).
    split; [|auto]. split; [simpl; congruence|]. intro i. simpl. rewrite N1, N2. destruct (i =? k)%nat; auto.
  - rewrite !put_err by lia. simpl. trivial.
Qed.
Lemma store_local_agree X e f k z : agree_env X e f -> alike (agree_env X) (store_local e k z) (store_local f k z).
Proof.
  intros (A & Fr & U). unfold store_local. rewrite Fr. destruct (put (en_frame f) k z); simpl; trivial. split; [trivial|simpl; auto].
Qed.

Lemma every_eq g g' l : (forall z, g z = g' z) -> every g l = every g' l.
Proof. intro H. induction l as [|z l IH]; simpl; [trivial|]. rewrite H. destruct (g' z); simpl; trivial. rewrite IH. trivial. Qed.
Lemma some_eq g g' l : (forall z, g z = g' z) -> some g l = some g' l.
Proof. intro H. induction l as [|z l IH]; simpl; [trivial|]. rewrite H. destruct (g' z); simpl; trivial. rewrite IH. trivial. Qed.
Lemma total_eq w g g' l : (forall z, g z = g' z) -> forall a, total w g a l = total w g' a l.
Proof.
  intro H. induction l as [|z l IH]; intro a; simpl; [trivial|]. rewrite H. destruct (g' z); simpl; trivial.
  destruct (fit w (a + a0)); simpl; trivial.
Qed.

Ltac eapply_agree := match goal with A : agree_env _ ?e ?f |- _ = _ => destruct A as (A & _); eauto end.
Theorem agree_all X :
  (forall e, pe e = true -> clean X (er e) -> forall s t f, agree X s t -> eval n s f e = eval n t f e) /\
  (forall c, pc c = true -> clean X (cr c) -> forall s t f, agree X s t -> clock_of n s f c = clock_of n t f c) /\
  (forall c, ps c = true -> clean X (sr c) -> forall e f, agree_env X e f -> alike (agree_env X) (run n c e) (run n c f)).
Proof.
  apply expr_stmt_ind.
  all: cbn [pe er pc cr ps sr].
  all: intros.
  all: repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end.
  all: repeat match goal with H : clean _ (_ ++ _) |- _ => apply clean_app in H; destruct H end.
  all: try match goal with H : false = true |- _ => discriminate H end.
  all: repeat match goal with
      | H : ?a = true -> _, E : ?a = true |- _ => specialize (H E)
      | H : clean ?X ?l -> _, E : clean ?X ?l |- _ => specialize (H E)
    end.
  all: cbn [eval clock_of run].
  all: repeat match goal with A : agree_env _ ?e ?f |- _ => lazymatch goal with B : en_frame e = en_frame f |- _ => fail | _ => pose proof (proj1 (proj2 A)) end end.
  all: try match goal with B : en_frame ?e = en_frame _ |- _ => rewrite B end.
  - trivial.
  - eapply get_agree; eauto. match goal with C : clean _ _ |- _ => apply C end. left. trivial.
  - apply bind_eq; [eauto|]. intro k. destruct (index base size k) as [| |m] eqn:E; simpl; trivial.
    eapply get_agree; eauto. match goal with C : clean _ (cells _ _) |- _ => apply C end. eapply index_cells; eauto.
  - trivial.
  - apply bind_eq; [eauto|]. trivial.
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
  - assert (A : alike (agree_env X) (run n c (Env s (f ++ repeat 0 k) [])) (run n c (Env t (f ++ repeat 0 k) []))).
    { match goal with H : forall e f, agree_env _ e f -> alike _ _ _ |- _ => apply H end. split; [trivial|simpl; auto]. }
    change (bind (run n c (Env s (f ++ repeat 0 k) [])) (fun e => eval n (en_state e) (en_frame e) a) =
            bind (run n c (Env t (f ++ repeat 0 k) [])) (fun e => eval n (en_state e) (en_frame e) a)).
    revert A. generalize (run n c (Env s (f ++ repeat 0 k) [])), (run n c (Env t (f ++ repeat 0 k) [])). intros [| |x] [| |y]; cbn [alike bind]; intro A; try (exfalso; exact A); try reflexivity.
    destruct A as (A & Fr & _). rewrite Fr. eauto.
  - apply bind_eq; [eauto|]. trivial.
  - trivial.
  - apply bind_eq; [eauto|]. trivial.
  - trivial.
  - eapply alike_bind; [eauto|]. eauto.
  - apply alike_bind_eq; [eapply_agree|]. intro z. apply store_agree. trivial.
  - apply alike_bind_eq; [eapply_agree|]. intro k. apply alike_bind_eq; [trivial|]. intro m.
    apply alike_bind_eq; [eapply_agree|]. intro z. apply store_agree. trivial.
  - apply alike_bind_eq; [eapply_agree|]. intro z. apply store_local_agree. trivial.
  - apply alike_bind_eq; [eapply_agree|]. intro k. apply alike_bind_eq; [trivial|]. intro m.
    apply alike_bind_eq; [eapply_agree|]. intro z. apply store_local_agree. trivial.
  - apply alike_bind_eq; [eapply_agree|]. intro i. apply alike_bind_eq; [eapply_agree|]. intro j. apply alike_bind_eq; [eapply_agree|]. intro z.
    destruct ((j =? 0)%nat && (z <? 0)); simpl; [trivial|]. match goal with H : agree_env _ _ _ |- _ => destruct H as (A & Fr & U) end.
    split; [trivial|]. simpl. split; [trivial|]. congruence.
  - apply alike_bind_eq; [eapply_agree|]. intro z. destruct (is_true z); eauto.
  - eapply alike_bind.
    + eapply turns_alike with (X := X); [|eassumption]. intros x y B. pose proof B as (C & Fx & Ux). cbv beta. rewrite Fx.
      apply alike_bind_eq; [eauto|]. intro z. destruct (is_true z); [|simpl; auto].
      eapply alike_bind; [eauto|]. intros; simpl; auto.
    + intros [x bx] [y b] [B E]; cbn [fst snd] in *. subst. destruct b; simpl; trivial.
Qed.
Definition eval_agree X := proj1 (agree_all X).
Definition clock_agree X := proj1 (proj2 (agree_all X)).
Definition run_agree X := proj2 (proj2 (agree_all X)).

(* ---- What statements leave as it is ---- *)

Definition ranged (s : state) : Prop := length (vars s) = length (n_variables n) /\
  forall k v z, nth_error (n_variables n) k = Some v -> nth_error (vars s) k = Some z -> v_low v <= z <= v_high v.
Record framed (c : stmt) (e f : env) : Prop := {
  fr_locs : locs (en_state f) = locs (en_state e);
  fr_len : length (vars (en_state f)) = length (vars (en_state e));
  fr_vars : forall k, ~ In k (sw c) -> nth_error (vars (en_state f)) k = nth_error (vars (en_state e)) k;
  fr_range : ranged (en_state e) -> ranged (en_state f);
  fr_upd : exists l, en_updates f = l ++ en_updates e /\
    (forall u, In u l -> In (u_x u) (sx c) /\ In (u_y u) (sy c) /\ (In (u_x u) (sb c) \/ u_y u = 0%nat /\ u_c u = 0)) /\
    forall x, In x (sm c) -> exists u, In u l /\ u_x u = x }.

Lemma framed_refl c e : sm c = [] -> framed c e e.
Proof.
  intro M. constructor; trivial. exists []. split; [trivial|]. split; [intros u []|]. rewrite M. intros x [].
Qed.
Lemma framed_trans a b c e f g : framed a e f -> framed b f g ->
  incl (sw a ++ sw b) (sw c) -> incl (sx a ++ sx b) (sx c) -> incl (sy a ++ sy b) (sy c) -> incl (sb a ++ sb b) (sb c) ->
  incl (sm c) (sm a ++ sm b) -> framed c e g.
Proof.
  intros [L1 N1 V1 R1 (l1 & E1 & A1 & M1)] [L2 N2 V2 R2 (l2 & E2 & A2 & M2)] W X Y B M. constructor.
  - congruence.
  - congruence.
  - intros k H. rewrite V2, V1; [trivial| |]; intro I; apply H, W, in_or_app; auto.
  - auto.
  - exists (l2 ++ l1). split; [rewrite E2, E1, app_assoc; trivial|]. split.
    + intros u I. apply in_app_or in I. destruct I as [I|I].
      * destruct (A2 u I) as (P & Q & S). split; [apply X, in_or_app; auto|split; [apply Y, in_or_app; auto|]].
        destruct S; [left; apply B, in_or_app|]; auto.
      * destruct (A1 u I) as (P & Q & S). split; [apply X, in_or_app; auto|split; [apply Y, in_or_app; auto|]].
        destruct S; [left; apply B, in_or_app|]; auto.
    + intros x I. apply M, in_app_or in I. destruct I as [I|I].
      * destruct (M1 x I) as (u & J & K). exists u. split; [apply in_or_app|]; auto.
      * destruct (M2 x I) as (u & J & K). exists u. split; [apply in_or_app|]; auto.
Qed.
Lemma framed_store c e k z f : store n e k z = Ok f -> In k (sw c) -> sm c = [] -> framed c e f.
Proof.
  unfold store. intros S I M. destruct (nth_error (n_variables n) k) as [v|] eqn:V; [|discriminate].
  destruct (_ && _) eqn:B; [|discriminate]. apply andb_prop in B. destruct B as [B1 B2]. apply Z.leb_le in B1, B2.
  destruct (put _ k z) as [| |l] eqn:P; try discriminate. simpl in S. injection S as <-.
  destruct (put_nth _ _ _ _ P) as (L & K & N). constructor; simpl; trivial.
  - intros i H. rewrite N. destruct (Nat.eqb_spec i k) as [->|]; [contradiction|trivial].
  - intros [Rl R]. split; simpl; [congruence|]. intros i w y W. rewrite N. destruct (Nat.eqb_spec i k) as [->|]; [|eauto].
    intro Y. injection Y as <-. rewrite V in W. injection W as <-. lia.
  - exists []. split; [trivial|]. split; [intros u []|]. rewrite M. intros x [].
Qed.
Lemma framed_local c e k z f : store_local e k z = Ok f -> sm c = [] -> framed c e f.
Proof.
  unfold store_local. intros S M. destruct (put _ k z) as [| |l]; try discriminate. simpl in S. injection S as <-.
  constructor; simpl; trivial. exists []. split; [trivial|]. split; [intros u []|]. rewrite M. intros x [].
Qed.
Lemma bind_ok {A B} (r : res A) (f : A -> res B) b : bind r f = Ok b -> exists a, r = Ok a /\ f a = Ok b.
Proof. destruct r; simpl; intro H; try discriminate. eauto. Qed.
Ltac unbind H := let a := fresh "a" in let E := fresh "E" in apply bind_ok in H; destruct H as (a & E & H).

Lemma clock_in s f c x : clock_of n s f c = Ok x -> In x (cc c).
Proof.
  destruct c as [y|b size i]; simpl; intro H; [injection H as ->; auto|]. unbind H. eapply index_cells; eauto.
Qed.
Lemma turns_framed c step : (forall e f b, step e = Ok (f, b) -> framed c e f) -> (forall e, framed c e e) ->
  (forall e f g, framed c e f -> framed c f g -> framed c e g) -> forall k e f b, turns k step e = Ok (f, b) -> framed c e f.
Proof.
  intros S R T. induction k as [|k IH]; intros e f b H; cbn [turns] in H; [eauto|]. unbind H. destruct a as [g y]. cbn [fst snd] in H.
  destruct y; [|injection H as <- <-; eauto]. eapply T; [eapply IH; exact E|eapply IH; exact H].
Qed.

Opaque turns.
Lemma run_framed c : forall e f, run n c e = Ok f -> framed c e f.
Proof.
  induction c as [ |a IHa b IHb|k x|b size i x|k x|b size i x|x y z|x a IHa b IHb|x a IHa];
    intros e f H; cbn [run] in H.
  - injection H as <-. apply framed_refl. trivial.
  - unbind H. eapply framed_trans; [eapply IHa; exact E|eapply IHb; exact H| | | | | ]; intros u I; exact I.
  - unbind H. eapply framed_store; [exact H|left|]; trivial.
  - unbind H. unbind H. unbind H. eapply framed_store; [exact H| |]; trivial. eapply index_cells; eauto.
  - unbind H. eapply framed_local; [exact H|]; trivial.
  - unbind H. unbind H. unbind H. eapply framed_local; [exact H|]; trivial.
  - unbind H. unbind H. unbind H. destruct ((a0 =? 0)%nat && (a1 <? 0)); [discriminate|]. injection H as <-.
    apply clock_in in E as E'. apply clock_in in E0 as E0'.
    constructor; simpl; trivial. exists [Upd a a0 a1]. split; [trivial|]. split.
    + intros u [<-|[]]. simpl. split; [trivial|split; [trivial|]]. destruct y as [[|y]|by_ sy_ iy]; auto.
      destruct z as [z| | | | | | | | | | | | | | | | | | ]; auto. destruct z; auto. right. cbn [clock_of u_y u_c] in *. injection E0 as <-. split; [trivial|]. change (fit false 0 = Ok a1) in E1. vm_compute in E1. congruence.
    + intros x' I. exists (Upd a a0 a1). split; [left; trivial|]. simpl. destruct x as [x|bx sx_ ix]; [|destruct I].
      destruct I as [<-|[]]. cbn [clock_of] in E. cbn [u_x]. congruence.
  - unbind H. destruct (is_true a0).
    + eapply framed_trans with (b := SNop); [eapply IHa; exact H|apply framed_refl; trivial| | | | | ]; cbn; rewrite ?app_nil_r; try apply incl_appl, incl_refl. intros u [].
    + eapply framed_trans with (b := SNop); [eapply IHb; exact H|apply framed_refl; trivial| | | | | ]; cbn; rewrite ?app_nil_r; try apply incl_appr, incl_refl. intros u [].
  - unbind H. destruct a0 as [g y]. cbn [fst snd] in H. destruct y; [discriminate|]. injection H as <-.
    assert (K : framed (SWhile x a) e g).
    { eapply turns_framed; [| | |exact E].
      - intros e0 f0 b K. unbind K. destruct (is_true a0).
        + unbind K. injection K as <- <-. eapply framed_trans with (b := SNop); [eapply IHa; exact E1|apply framed_refl; trivial| | | | | ]; cbn; rewrite ?app_nil_r; try apply incl_refl. intros u [].
        + injection K as <- <-. apply framed_refl. trivial.
      - intros. apply framed_refl. trivial.
      - intros. eapply framed_trans; eauto; cbn; try (apply incl_app; apply incl_refl). intros u []. }
    exact K.
Qed.
End Network.
