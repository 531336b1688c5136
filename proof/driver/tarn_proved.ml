(* tarn-proved: checks certificates of tarn with the checker that is proved correct in Coq. *)

let usage = "usage: tarn-proved MODEL CERTIFICATE...\n       tarn-proved --show MODEL"

let read_file path =
  let ic = try open_in_bin path with Sys_error why -> prerr_endline ("tarn-proved: " ^ why); exit 2 in
  let text = really_input_string ic (in_channel_length ic) in
  close_in ic; text

let position text at =
  let line = ref 1 and column = ref 1 in
  String.iteri (fun i c -> if i < at then if c = '\n' then (incr line; column := 1) else incr column) text;
  !line, !column

let read_model path =
  let text = read_file path in
  try Model.read text
  with Syntax.Error (at, why) ->
    let line, column = position text at in
    Printf.eprintf "%s:%d:%d: %s\n" path line column why; exit 2

let goal m (c : Certfile.t) =
  match c.kind with
  | 0 -> Checker.FAtom (Checker.AInt (Checker.EConst 0)) (* no query: nothing fails *)
  | 1 -> Network.formula (Query.query m c.query)
  | 2 -> Network.formula (Query.labels m c.query)
  | _ -> raise (Certfile.Broken 0)

let certify m net path =
  let text = read_file path in
  let reject why = Printf.printf "%s: rejected: %s\n" path why; false in
  try
    let variables = List.concat_map (fun (_, (v : Model.variable)) -> List.init v.count (fun _ -> v.low, v.high)) m.Model.variables in
    let locations = List.map (fun (p : Model.process) -> 0, List.length p.p_locations - 1) m.processes in
    let c = Certfile.read text ~ranges:(Array.of_list (variables @ locations)) ~processes:(List.length locations)
        ~clocks:(List.fold_left (fun k (_, size) -> k + size) 0 m.clocks) in
    let q = goal m c in
    if Checker.net_check net q c.cert then begin
      let what = match c.kind with
        | 0 -> "no reachable step fails"
        | 1 when String.length c.query > 0 && c.query.[0] = 'A' -> Printf.sprintf "proved: %s" c.query
        | 1 -> Printf.sprintf "proved: not %s" c.query
        | _ -> Printf.sprintf "proved: no reachable state has the labels %s" c.query in
      Printf.printf "%s: %s (%d nodes)\n" path what c.nodes; true
    end
    else reject "the proved checker does not accept it"
  with
  | Certfile.Broken at -> reject (Printf.sprintf "byte %d: the certificate is damaged, or is not one for this model" at)
  | Syntax.Error (_, why) -> reject ("its query: " ^ why)
  | Stdlib.Exit -> reject "a number is too large"
  | Stack_overflow -> reject "the stack is too small"

let () =
  Gc.set { (Gc.get ()) with Gc.space_overhead = 20 };
  match List.tl (Array.to_list Sys.argv) with
  | [ "--show"; model ] -> print_string (Show.model (read_model model))
  | model :: (_ :: _ as files) when model <> "" && model.[0] <> '-' ->
    let m = read_model model in
    let net = Network.net m in
    let ok = List.fold_left (fun ok f -> certify m net f && ok) true files in
    exit (if ok then 0 else 1)
  | _ -> prerr_endline usage; exit 2
