" Files of queries.
if exists('b:current_syntax') | finish | endif
syntax match tarnPath '[EA]\(<>\|\[\]\)\|-->'
syntax keyword tarnWord and or not imply forall exists sum deadlock true false sup inf bounds buchi
syntax match tarnNumber '\<\d\+\>'
syntax match tarnExpect 'EXPECT:\s*\w\+' contained
syntax region tarnComment start='//' end='$' contains=tarnExpect
syntax region tarnComment start='/\*' end='\*/' contains=tarnExpect
syntax match tarnComment '^\s*#.*$' contains=tarnExpect
highlight default link tarnPath Keyword
highlight default link tarnWord Operator
highlight default link tarnNumber Number
highlight default link tarnExpect Todo
highlight default link tarnComment Comment
let b:current_syntax = 'tarnquery'
