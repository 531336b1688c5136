#!/bin/sh
# The extension for Visual Studio Code, without a display: test/vscode.sh
set -u
cd "$(dirname "$0")/../editors/vscode" || exit 2
command -v node >/dev/null || { echo 'skip vscode: no node'; exit 0; }
[ -d node_modules ] || timeout 120 npm ci --no-audit --no-fund >/dev/null 2>&1 || { echo 'skip vscode: npm cannot install its packages'; exit 0; }
failed=0
npx tsc --noEmit && echo 'ok vscode/types' || { failed=1; echo 'FAIL vscode/types'; }
if out=$(npm test 2>&1); then echo 'ok vscode/tests'; else failed=1; echo 'FAIL vscode/tests'; echo "$out" | sed 's/^/    /'; fi
exit $failed
