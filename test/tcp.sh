#!/bin/sh
# Searches by two processes over TCP: test/tcp.sh [SIZE]
#
# The test makes two network namespaces, joins them by a pair of interfaces, adds 1 ms of delay to each if the
# kernel has netem, and starts one process in each, as mpirun does on two machines; only what stands for ssh is
# a script that enters the namespace. Where namespaces are not allowed the processes talk over the loopback
# device. The answers must be those of one process; the table says how much longer it takes. SIZE is that of
# Fischer's protocol, 8 by default; 12 takes the models of doc/notes/machines.md. Addresses are those of the test's own namespaces, or 127.0.0.1.
# Prints `ok tcp/...`, `FAIL tcp/...: why` or `skip tcp: why`.
set -u
cd "$(dirname "$0")/.." || exit 2
size=${1:-8}
if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null; then
  echo 'skip tcp: no mpicc and mpirun; tools/deps mpi installs them'
  exit 0
fi
scratch=$(mktemp -d) || exit 2
left=tarn-left-$$ right=tarn-right-$$
# shellcheck disable=SC2317 # called by the trap
clean() {
  ip netns del "$left" 2>/dev/null
  ip netns del "$right" 2>/dev/null
  rm -rf "$scratch"
}
trap clean EXIT
trap 'exit 130' INT TERM
failed=0
fail() {
  failed=1
  echo "FAIL tcp/$1: $2"
  sed 's/^/    /' "$scratch/log"
}
if ! make -s MPI=1 all >"$scratch/log" 2>&1; then
  fail build 'does not build'
  exit 1
fi
tarn=$PWD/build/mpi-release/tarn
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

make_namespaces() {
  command -v ip >/dev/null && ip netns add "$left" && ip netns add "$right" &&
    ip -n "$left" link add near type veth peer name far netns "$right" &&
    ip -n "$left" addr add 10.77.7.1/24 dev near && ip -n "$right" addr add 10.77.7.2/24 dev far &&
    ip -n "$left" link set near up && ip -n "$right" link set far up &&
    ip -n "$left" link set lo up && ip -n "$right" link set lo up &&
    unshare --uts true
}
# In the place of ssh: HOST COMMAND...
cat >"$scratch/agent" <<END
#!/bin/sh
shift
exec ip netns exec $right unshare --uts sh -c 'hostname tarn-right; exec sh -c "\$*"' agent "\$@"
END
chmod +x "$scratch/agent"
delay=none where=loopback
if make_namespaces >"$scratch/log" 2>&1; then
  where=namespaces
  if ip netns exec "$left" tc qdisc add dev near root netem delay 1ms >"$scratch/log" 2>&1 &&
    ip netns exec "$right" tc qdisc add dev far root netem delay 1ms >>"$scratch/log" 2>&1; then
    delay='1 ms'
  else
    echo 'skip tcp/delay: this kernel has no netem'
  fi
else
  echo 'skip tcp/namespaces: not allowed here, or no ip; over the loopback device'
fi

# over TRANSPORT COMMAND...: by two processes.
over() {
  transport=$1
  shift
  case $transport-$where in
    tcp-namespaces)
      ip netns exec "$left" unshare --uts sh -c 'hostname tarn-left; exec "$@"' over timeout 120 mpirun --quiet \
        --host 10.77.7.1:1,10.77.7.2:1 -n 2 --mca plm_rsh_agent "$scratch/agent" --mca btl tcp,self \
        --mca pml ob1 --mca btl_tcp_if_include 10.77.7.0/24 --mca oob_tcp_if_include 10.77.7.0/24 "$@"
      ;;
    tcp-loopback)
      timeout 120 mpirun --quiet --oversubscribe -n 2 --mca btl tcp,self --mca pml ob1 \
        --mca btl_tcp_if_include lo "$@"
      ;;
    *) timeout 120 mpirun --quiet --oversubscribe -n 2 "$@" ;;
  esac
}

value() { awk -v name="$1" '$1 == name { print $2 }' "$scratch/$2"; }
printf '%-18s %9s %9s %9s %9s\n' "$where, delay $delay" stored one memory tcp >"$scratch/table"
stations=$((size - 1)) philosophers=6
[ "$size" -lt 12 ] || stations=12 philosophers=8
for model in "fischer $size" "csma $stations" "philosophers $philosophers"; do
  # shellcheck disable=SC2086 # separate words
  "$tarn" gen $model >"$scratch/model.tck"
  set -- check --symmetry off --engine zones --stats "$scratch/model.tck"
  "$tarn" "$@" >"$scratch/one" 2>"$scratch/log"
  over memory "$tarn" "$@" >"$scratch/memory" 2>"$scratch/log"
  if ! over tcp "$tarn" "$@" >"$scratch/tcp" 2>"$scratch/log"; then
    fail "$model" "exit status not 0 over TCP"
  elif [ -z "$(value stored one)" ] || [ "$(value stored one)" != "$(value stored tcp)" ] ||
    [ "$(head -n 1 "$scratch/one")" != "$(head -n 1 "$scratch/tcp")" ]; then
    fail "$model" "stored $(value stored tcp) over TCP, not $(value stored one)"
  else
    echo "ok tcp/$model"
  fi
  printf '%-18s %9s %9s %9s %9s\n' "$model" "$(value stored one)" "$(value seconds one)" "$(value seconds memory)" \
    "$(value seconds tcp)" >>"$scratch/table"
done
# A run goes through the nodes of both.
"$tarn" gen fischer 5 buggy=1 >"$scratch/model.tck"
query='E<> P1.cs && P2.cs'
if over tcp "$tarn" check --symmetry off --engine zones --trace concrete --query "$query" "$scratch/model.tck" >"$scratch/run" 2>"$scratch/log" &&
  grep -q ': satisfied' "$scratch/run" && grep -q 'it holds' "$scratch/run"; then
  echo 'ok tcp/run'
else
  cat "$scratch/run" >>"$scratch/log"
  fail run 'no run over TCP'
fi
sed 's/^/# /' "$scratch/table"
exit $failed
