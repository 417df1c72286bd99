package commandtext

import (
	"slices"
	"strings"
)

// goesTo lists the options with which a runner changes to the folder of a project first.
var goesTo = map[string][]string{
	"uv": {"--directory"}, "poetry": {"-C", "--directory"}, "npm": {"--prefix", "-C"}, "pnpm": {"--dir", "-C"}, "yarn": {"--cwd"}, "bun": {"--cwd"},
	"deno": {"--cwd"}, "go": {"-C"}, "cargo": {"-C"}, "make": {"-C", "--directory"},
}

// InFolder returns the folder to which a command changes before it starts anything, and the words
// without the option for that. An option after the program belongs to the program, except for npm and
// pnpm.
func InFolder(words []string) (dir string, rest []string, ok bool) {
	if len(words) == 0 {
		return "", words, false
	}
	name := ProgramName(words[0])
	everywhere := name == "npm" || name == "pnpm"
	seen := 0
	for i := 1; i < len(words) && words[i] != "--" && (seen < 2 || everywhere); i++ {
		option, value, inline := strings.Cut(words[i], "=")
		switch {
		case !strings.HasPrefix(option, "-"):
			seen++
		case !slices.Contains(goesTo[name], option):
		case inline:
			return value, slices.Delete(slices.Clone(words), i, i+1), true
		case i+1 < len(words):
			return words[i+1], slices.Delete(slices.Clone(words), i, i+2), true
		}
	}
	return "", words, false
}
