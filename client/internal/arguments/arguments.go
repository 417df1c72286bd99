// Package arguments derives a server's permissions from its command-line arguments. It must not
// know how servers are started or asked.
package arguments

import (
	"os"
	"path/filepath"
	"strings"

	"goated/internal/sandbox"
	"goated/internal/sandbox/sensitive"
	"goated/internal/sandbox/trusted"
)

// Grant allows a server to read the absolute paths among its arguments, such as the folders of a
// file server, and the paths in arguments like --folder=/x. It skips the server's script, the root
// folder and symbolic links. The server may create a file that does not exist yet, such as a new
// database. [sandbox.Policy.WithoutPrivate] excludes goated's own folders.
//
// Grant withholds sensitive paths: the home folder, keys and passwords. A user who pastes a command
// may not notice that it names them, so goated asks first and shows a warning.
func Grant(args []string, script string) (g sandbox.Grant, withheld []string) {
	for _, a := range args {
		if name, value, ok := strings.Cut(a, "="); ok && strings.HasPrefix(name, "-") {
			a = value
		}
		if a == script || !filepath.IsAbs(a) || filepath.Clean(a) == "/" || !trusted.Path(a) {
			continue
		}
		real := sandbox.ResolveLinks(a)
		if _, err := os.Stat(a); err == nil && (sensitive.Of(a) != sensitive.Ordinary || sensitive.Of(real) != sensitive.Ordinary) {
			withheld = append(withheld, filepath.Clean(a))
		} else if err == nil {
			g.Read = append(g.Read, a) // goated asks when the server first writes there
		} else if dir, err := os.Stat(filepath.Dir(a)); err == nil && dir.IsDir() && filepath.Ext(strings.TrimLeft(filepath.Base(a), ".")) != "" && sensitive.Of(a) == sensitive.Ordinary {
			g.Files = append(g.Files, a)
		}
	}
	return g, withheld
}

// MissingPermissions returns permissions to read the withheld paths that neither the user nor the policy allows.
func MissingPermissions(withheld []string, p sandbox.Policy) (out []sandbox.Permission) {
	for _, path := range withheld {
		if !p.MayRead(path) && !p.MayRead(sandbox.ResolveLinks(path)) {
			out = append(out, sandbox.Permission{Kind: sandbox.ToRead, Path: path})
		}
	}
	return out
}

// Projects returns the project folders that a command runs: its working directory, if the user
// chose one, and the folder that node starts.
func Projects(program string, args, dir []string) []string {
	out := dir
	for _, a := range args {
		if info, err := os.Stat(a); filepath.Base(program) == "node" && filepath.IsAbs(a) && err == nil && info.IsDir() && trusted.Path(a) {
			return append(out[:len(out):len(out)], filepath.Clean(a))
		}
	}
	return out
}
