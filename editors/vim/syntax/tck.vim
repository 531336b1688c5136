" TChecker's format.
if exists('b:current_syntax') | finish | endif
syntax match tckKeyword '^\s*\(system\|process\|event\|clock\|int\|location\|edge\|sync\)\ze\s*:'
syntax match tckAttribute '[{:]\s*\zs\(initial\|invariant\|committed\|urgent\|labels\|provided\|do\)\ze\s*:'
syntax match tckNumber '\<\d\+\>'
syntax match tckComment '#.*$'
highlight default link tckKeyword Structure
highlight default link tckAttribute Label
highlight default link tckNumber Number
highlight default link tckComment Comment
let b:current_syntax = 'tck'
