#compdef referee

_referee_completion() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _REFEREE_COMPLETE=complete_zsh referee)
}

compdef _referee_completion referee
