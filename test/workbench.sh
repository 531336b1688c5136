#!/bin/sh
# The workbench: its modules in node, and the page in a browser: test/workbench.sh [--all]
#
# Without --all, only tests that are quick. Browser tests need `make workbench`.
set -u
cd "$(dirname "$0")/.." || exit 2
command -v node >/dev/null || { echo 'skip workbench: no node (tools/deps workbench)'; exit 0; }
[ -d workbench/node_modules ] || (cd workbench && timeout 120 npm ci --no-audit --no-fund >/dev/null 2>&1) ||
  { echo 'skip workbench: npm cannot install its packages'; exit 0; }

# Runs tests with node, and says each as the other tests do.
run() {
  node --test --test-reporter=tap "$@" 2>&1 | awk -v name="$*" '
    /^ *ok [0-9]+ - / { sub(/^ *ok [0-9]+ - /, ""); if (/# SKIP/) print "skip workbench: " $0; else print "ok workbench: " $0; next }
    /^ *not ok [0-9]+ - / { sub(/^ *not ok [0-9]+ - /, ""); print "FAIL workbench: " $0; failed = 1; next }
    failed { print "    " $0 }
    END { exit failed }'
}

if [ "${1-}" = --all ]; then export TARN_ALL=1; fi
status=0
run workbench/test/document.test.mjs || status=1
page=build/workbench/workbench.html
if [ -e $page ] && [ -n "$(find src workbench/src workbench/wasm workbench/build.mjs -newer $page -type f | head -n 1)" ]; then
  echo 'skip workbench: engine and page: they are older than their sources (make workbench)'
elif [ -e $page ] && [ -e "${CHROMIUM:-/usr/bin/chromium}" ]; then
  run workbench/test/engine.test.mjs workbench/test/protocol.test.mjs || status=1
  run workbench/test/page.test.mjs workbench/test/pictures.test.mjs workbench/test/serve.test.mjs workbench/test/hostile.test.mjs || status=1
  if [ "${1-}" = --all ]; then run workbench/test/more.test.mjs workbench/test/user.test.mjs || status=1; fi
elif [ ! -e $page ]; then
  echo 'skip workbench: engine and page: tools/deps workbench && make workbench && test/workbench.sh (two minutes)'
else
  echo 'skip workbench: engine and page: no chromium (tools/deps pictures)'
fi
exit $status
