complete --keep-order --exclusive --command musterd --arguments "(MUSTERD_COMPLETE=fish musterd -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
