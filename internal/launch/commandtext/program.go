package commandtext

import (
	"path/filepath"
	"strings"
)

// familiar are the programs with which READMEs start servers. A line that starts with one is a command,
// even if the program is not installed.
var familiar = map[string]bool{
	"npx": true, "npm": true, "pnpm": true, "pnpx": true, "yarn": true, "bun": true, "bunx": true, "node": true, "deno": true, "tsx": true, "ts-node": true,
	"uvx": true, "uv": true, "pipx": true, "python": true, "python3": true, "py": true, "fastmcp": true, "mcp": true, "poetry": true, "hatch": true,
	"docker": true, "podman": true, "nerdctl": true, "go": true, "cargo": true, "java": true, "dotnet": true, "dnx": true, "ruby": true, "php": true, "npm-exec": true,
	"mcp-remote": true, "mcp-proxy": true, "nix": true, "wasmtime": true, "jbang": true, "sh": true, "bash": true, "zsh": true,
	"bundle": true, "mise": true, "clojure": true, "Rscript": true, "julia": true, "dart": true, "mix": true, "pdm": true, "pixi": true,
	"dotenv": true, "dotenvx": true, "op": true, "doppler": true, "infisical": true, "aws-vault": true, "ssh": true,
}

// Familiar reports whether READMEs start servers with a program, given by name or path.
func Familiar(program string) bool { return familiar[ProgramName(program)] }

// ProgramName returns the name of a program without its folder and extension.
func ProgramName(program string) string {
	name := filepath.Base(program)
	if i := strings.LastIndexAny(name, `\/`); i >= 0 {
		name = name[i+1:]
	}
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// LooksLikeCommand reports whether a text starts like a command, and not like a sentence.
func LooksLikeCommand(text string) bool {
	words := strings.Fields(unprompted(text))
	return len(words) > 0 && (Familiar(words[0]) || IsAssignment(words[0]) || words[0] == "export")
}

// IsAssignment reports whether a word has the form NAME=value.
func IsAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
