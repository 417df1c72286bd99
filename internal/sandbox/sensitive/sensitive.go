// Package sensitive identifies dangerous paths: all files of a user, the settings of all programs,
// and keys and passwords. It must not know who asks for them.
package sensitive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
	"goated/internal/paths"
)

// A Kind describes what a path gives access to.
type Kind int

// The kinds of paths.
const (
	Ordinary   Kind = iota
	Everything      // all files of the user
	Settings        // the settings of all programs
	Secrets         // keys and passwords
	Others          // the files of another user
)

// Of returns what a path gives access to. The caller must resolve its links first. Of reads the
// beginning of files that may contain keys or certificates, and looks for well-known files in
// folders.
func Of(path string) Kind {
	path = filepath.Clean(path)
	home := Homes()
	switch {
	case path == filepath.Dir(path), slices.ContainsFunc(home, func(h string) bool { return paths.Within(h, path) }), slices.Contains(homesOfOthers, path):
		return Everything
	case slices.ContainsFunc(home, func(h string) bool { return holds(path, h, settings) }):
		return Settings
	case Among(path, home, secrets), named(path), isProfile(path), slices.ContainsFunc(system, func(dir string) bool { return paths.Within(path, dir) }):
		return Secrets
	}
	if other := otherHome(path, home); other != "" {
		if path == other || Among(path, []string{other}, secrets) || holds(path, other, settings) {
			return Others
		}
	}
	if slices.Contains([]string{"/run", "/var/run", "/proc"}, path) || processes.MatchString(path) {
		return Secrets
	}
	return Ordinary
}

// processes matches the folders of running programs, which contain their environment variables.
var processes = lazyregexp.New(`^/proc/(?:\d+|self|thread-self)(?:/|$)`)

// Homes returns the home folder, and also its target if it is a link.
func Homes() []string {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return nil
	}
	all := []string{filepath.Clean(home)}
	if real, err := filepath.EvalSymlinks(home); err == nil && real != all[0] {
		all = append(all, real)
	}
	return all
}

// Among reports whether path is one of names below a home folder, or inside or above one of them.
func Among(path string, homes, names []string) bool {
	return slices.ContainsFunc(homes, func(home string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			dir := filepath.Join(home, filepath.FromSlash(name))
			// A folder in settings contains many of them and has a separate warning.
			return paths.Within(path, dir) || paths.Within(dir, path) && !holds(path, home, settings)
		})
	})
}

// holds reports whether path is one of names below a home folder.
func holds(path, home string, names []string) bool {
	rel, err := filepath.Rel(home, path)
	return err == nil && slices.Contains(names, strings.ReplaceAll(rel, string(filepath.Separator), "/"))
}
