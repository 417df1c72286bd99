package diagnose

// firstRuns match a line in which a server asks the user to run it once in another way, to sign in
// or to set it up. The first group is the command or the argument.
var firstRuns = []rule{
	{pattern(`(?i)\b(?:run|execute)\b[^\n]{0,60}?['"\x60]([^'"\x60\n]{0,60}?\b(?:auth\w*|log-?in|sign-?in|set-?up|init|configure|register)\b[^'"\x60\n]{0,20})['"\x60]`), "", FirstRunNeeded, nil},
	{pattern(`(?i)\b(?:run|execute)\b[^\n'"\x60]{0,60}?\b((?:auth|log-?in|set-?up|init|configure))\b[^\n.]{0,30}\b(?:first|before|once)\b`), "", FirstRunNeeded, nil},
}

// firstRun diagnoses a server that exited because the user has not signed in to its service or has
// not set it up. goated never builds a command from a server's words.
func firstRun(f Facts, d *Diagnosis) bool {
	if f.Failure != StartFailed || !f.Ended || f.Signal != "" {
		return false
	}
	f.Output = withoutSource(f.Output)
	return apply(firstRuns, f, d)
}
