" UPPAAL's textual format.
if exists('b:current_syntax') | finish | endif
syntax keyword xtaStructure process state init trans commit urgent branchpoint system query
syntax keyword xtaLabel select guard sync assign probability
syntax keyword xtaType int bool clock chan scalar struct void double
syntax keyword xtaModifier const meta broadcast typedef priority default
syntax keyword xtaStatement if else for while do return assert
syntax keyword xtaOperator and or not imply xor forall exists sum deadlock
syntax keyword xtaBoolean true false
syntax match xtaNumber '\<\d\+\(\.\d\+\)\?\>'
syntax match xtaArrow '-u\?->'
syntax match xtaSync '\w\+\(\[[^]]*\]\)*\s*[!?]\ze\s*;'
syntax region xtaComment start='//' end='$'
syntax region xtaComment start='/\*' end='\*/'
highlight default link xtaStructure Structure
highlight default link xtaLabel Label
highlight default link xtaType Type
highlight default link xtaModifier StorageClass
highlight default link xtaStatement Statement
highlight default link xtaOperator Operator
highlight default link xtaBoolean Boolean
highlight default link xtaNumber Number
highlight default link xtaArrow Operator
highlight default link xtaSync Identifier
highlight default link xtaComment Comment
let b:current_syntax = 'xta'
