// Package arguments derives the permissions that a server has because of its arguments. It must not
// know how a server is started or asked.
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
// file server, and those in arguments like --folder=/x, but not its script, the root
// folder, or links. A file that is missing yet, such as a new database, can be created.
// [sandbox.Policy.WithoutPrivate] leaves out goated's own folders.
//
// Grant withholds sensitive paths: the home folder, keys and passwords. The user may not know
// that a pasted command names them, so goated asks, with a warning.
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
			g.Read = append(g.Read, a) // goated asks once when the server first writes there
		} else if dir, err := os.Stat(filepath.Dir(a)); err == nil && dir.IsDir() && filepath.Ext(strings.TrimLeft(filepath.Base(a), ".")) != "" && sensitive.Of(a) == sensitive.Ordinary {
			g.Files = append(g.Files, a)
		}
	}
	return g, withheld
}

// Lacking returns the permissions to read withheld paths that neither the user nor the policy
// gives a server.
func Lacking(withheld []string, p sandbox.Policy) (out []sandbox.Permission) {
	for _, path := range withheld {
		if !p.MayRead(path) && !p.MayRead(sandbox.ResolveLinks(path)) {
			out = append(out, sandbox.Permission{Kind: sandbox.ToRead, Path: path})
		}
	}
	return out
}

// Projects returns the folders of the projects that a command runs: its working directory, if the
// user chose one, and the folder that node starts.
func Projects(program string, args, dir []string) []string {
	out := dir
	for _, a := range args {
		if info, err := os.Stat(a); filepath.Base(program) == "node" && filepath.IsAbs(a) && err == nil && info.IsDir() && trusted.Path(a) {
			return append(out[:len(out):len(out)], filepath.Clean(a))
		}
	}
	return out
}
