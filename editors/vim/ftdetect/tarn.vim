autocmd BufNewFile,BufRead *.xta,*.ta setfiletype xta
autocmd BufNewFile,BufRead *.tck setfiletype tck
autocmd BufNewFile,BufRead *.q setfiletype tarnquery
