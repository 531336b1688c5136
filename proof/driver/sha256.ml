(* SHA-256 (FIPS 180-4), the hash of models in certificates. Nothing rests on it: certificates of another model
   are refused by their hash, and would be by the checker. *)

(* Fractions of the square and cube roots of the first primes, as in the standard. *)
let start = [| 0x6a09e667; 0xbb67ae85; 0x3c6ef372; 0xa54ff53a; 0x510e527f; 0x9b05688c; 0x1f83d9ab; 0x5be0cd19 |]
let rounds = [|
  0x428a2f98; 0x71374491; 0xb5c0fbcf; 0xe9b5dba5; 0x3956c25b; 0x59f111f1; 0x923f82a4; 0xab1c5ed5;
  0xd807aa98; 0x12835b01; 0x243185be; 0x550c7dc3; 0x72be5d74; 0x80deb1fe; 0x9bdc06a7; 0xc19bf174;
  0xe49b69c1; 0xefbe4786; 0x0fc19dc6; 0x240ca1cc; 0x2de92c6f; 0x4a7484aa; 0x5cb0a9dc; 0x76f988da;
  0x983e5152; 0xa831c66d; 0xb00327c8; 0xbf597fc7; 0xc6e00bf3; 0xd5a79147; 0x06ca6351; 0x14292967;
  0x27b70a85; 0x2e1b2138; 0x4d2c6dfc; 0x53380d13; 0x650a7354; 0x766a0abb; 0x81c2c92e; 0x92722c85;
  0xa2bfe8a1; 0xa81a664b; 0xc24b8b70; 0xc76c51a3; 0xd192e819; 0xd6990624; 0xf40e3585; 0x106aa070;
  0x19a4c116; 0x1e376c08; 0x2748774c; 0x34b0bcb5; 0x391c0cb3; 0x4ed8aa4a; 0x5b9cca4f; 0x682e6ff3;
  0x748f82ee; 0x78a5636f; 0x84c87814; 0x8cc70208; 0x90befffa; 0xa4506ceb; 0xbef9a3f7; 0xc67178f2 |]

let word x = x land 0xffffffff
let turn x n = word ((x lsr n) lor (x lsl (32 - n)))

let hash text =
  let size = String.length text in
  let zeros = (119 - size mod 64) mod 64 in
  let length = Bytes.create 8 in
  Bytes.set_int64_be length 0 (Int64.of_int (8 * size));
  let padded = String.concat "" [ text; "\x80"; String.make zeros '\000'; Bytes.to_string length ] in
  let state = Array.copy start and w = Array.make 64 0 in
  for block = 0 to String.length padded / 64 - 1 do
    for i = 0 to 63 do
      w.(i) <- if i < 16 then word (Int32.to_int (String.get_int32_be padded (64 * block + 4 * i)))
        else
          let a = w.(i - 15) and b = w.(i - 2) in
          word (w.(i - 16) + w.(i - 7) + (turn a 7 lxor turn a 18 lxor (a lsr 3)) + (turn b 17 lxor turn b 19 lxor (b lsr 10)))
    done;
    let s = Array.copy state in
    for i = 0 to 63 do
      let one = s.(7) + (turn s.(4) 6 lxor turn s.(4) 11 lxor turn s.(4) 25)
                + ((s.(4) land s.(5)) lxor (lnot s.(4) land s.(6))) + rounds.(i) + w.(i) in
      let two = (turn s.(0) 2 lxor turn s.(0) 13 lxor turn s.(0) 22)
                + ((s.(0) land s.(1)) lxor (s.(0) land s.(2)) lxor (s.(1) land s.(2))) in
      Array.blit s 0 s 1 7;
      s.(4) <- word (s.(4) + one);
      s.(0) <- word (one + two)
    done;
    Array.iteri (fun i v -> state.(i) <- word (state.(i) + v)) s
  done;
  let out = Bytes.create 32 in
  Array.iteri (fun i v -> Bytes.set_int32_be out (4 * i) (Int32.of_int v)) state;
  Bytes.to_string out

let hex digest = String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq digest)))
