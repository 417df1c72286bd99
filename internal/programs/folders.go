package programs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folders returns the existing program folders of Homebrew and of version managers. They are for
// users whose shell does not have them on its PATH. home is the user's home folder.
func Folders(home string) []string {
	dirs := []string{"/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin", "/usr/local/go/bin"}
	if home != "" {
		for _, in := range []string{
			".volta/bin", ".asdf/shims", ".pyenv/shims", ".local/share/mise/shims", ".local/share/fnm/aliases/default/bin",
			".local/bin", ".bun/bin", ".deno/bin", ".cargo/bin", "go/bin",
		} {
			dirs = append(dirs, filepath.Join(home, filepath.FromSlash(in)))
		}
		// Outside a shell, some version managers do not reveal which version is in use. Take the
		// newest.
		for _, of := range []string{
			".nvm/versions/node/v*", ".pyenv/versions/*", ".local/share/fnm/node-versions/v*/installation",
			".local/share/mise/installs/node/*", ".local/share/mise/installs/python/*", ".local/share/mise/installs/go/*",
			".asdf/installs/nodejs/*", ".asdf/installs/python/*",
		} {
			if all, _ := filepath.Glob(filepath.Join(home, filepath.FromSlash(of), "bin")); len(all) > 0 {
				dirs = append(dirs, slices.MaxFunc(all, compareVersions))
			}
		}
	}
	return slices.DeleteFunc(dirs, func(dir string) bool {
		info, err := os.Stat(dir)
		return err != nil || !info.IsDir()
	})
}

// compareVersions compares paths of the same form by the numbers in them.
func compareVersions(a, b string) int {
	numbers := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	}
	return slices.CompareFunc(numbers(a), numbers(b), func(x, y string) int {
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		return strings.Compare(x, y)
	})
}
