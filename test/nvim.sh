#!/bin/sh
# Neovim as a client of `tarn lsp`, without a screen: it opens a file with three mistakes, sees three
# diagnostics, completes a name, renames a channel and lays the file out: test/nvim.sh
set -u
cd "$(dirname "$0")/.." || exit 2
TARN=$(realpath "${TARN:-build/release/tarn}")
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/lamp.xta" <<'END'
chan press;
clock x;
int count;
process Lamp() {
  state off, on;
  init off;
  trans off -> on { guard x = 3; sync press?; },
        on -> off { sync pres!; assign coutn = 1; };
}
process User() {
  state idle;
  init idle;
  trans idle -> idle { sync press!; };
}
system Lamp, User;
END
cat >"$scratch/test.lua" <<END
local function say(name, good, shown)
  io.stdout:write((good and 'ok' or 'FAIL') .. ' nvim/' .. name .. (good and '' or ': ' .. vim.inspect(shown)) .. '\n')
end
vim.cmd('edit $scratch/lamp.xta')
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = 'tarn', cmd = { '$TARN', 'lsp' }, root_dir = '$scratch' })
vim.lsp.buf_attach_client(buffer, id)
vim.wait(5000, function() return #vim.diagnostic.get(buffer) > 0 end, 20)
local found = vim.diagnostic.get(buffer)
say('three diagnostics', #found == 3, found)
local function ask(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(buffer) }
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 5000)
  return answers and answers[id] and answers[id].result
end
local items = ask('textDocument/completion', { position = { line = 7, character = 43 } })
local labels = {}
for _, item in ipairs(items and items.items or {}) do labels[item.label] = true end
say('completion', labels.count and labels.press, items)
local edit = ask('textDocument/rename', { position = { line = 0, character = 6 }, newName = 'push' })
if edit then vim.lsp.util.apply_workspace_edit(edit, 'utf-16') end
local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
say('rename', text:find('chan push;') and text:find('push!') and not text:find('press'), text)
vim.api.nvim_buf_set_lines(buffer, 1, 2, false, { 'clock    x ;' })
local edits = ask('textDocument/formatting', { options = { tabSize = 2, insertSpaces = true } })
if edits then vim.lsp.util.apply_text_edits(edits, buffer, 'utf-16') end
say('formatting', vim.api.nvim_buf_get_lines(buffer, 1, 2, false)[1] == 'clock x;', edits)
vim.cmd('qall!')
END
timeout 60 nvim --headless -u NONE -i NONE -n -c "luafile $scratch/test.lua" >"$scratch/out" 2>&1
tr -d '\r' <"$scratch/out" | grep -E '^(ok|FAIL) nvim/' | sort -u
! grep -q FAIL "$scratch/out" && [ "$(grep -c '^ok' "$scratch/out")" = 4 ] || {
  echo 'FAIL nvim/all of it'
  sed 's/^/    /' "$scratch/out"
  exit 1
}
