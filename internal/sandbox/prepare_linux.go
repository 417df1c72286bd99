//go:build amd64 || arm64

package sandbox

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/trusted"
)

// prepare creates the writable folders and removes old temporary files. If that fails, for example
// on a full disk, the process starts anyway. prepare returns p with the writable paths that satisfy
// [trusted.Path], with their links resolved.
func (p Policy) prepare() Policy {
	all := func(paths []string, made bool) []string {
		var out []string
		for _, path := range paths {
			if fd, at, err := trusted.Open(path, made); err == nil {
				_ = unix.Close(fd)
				out = append(out, at)
			}
		}
		return out
	}
	one := func(path string) string {
		if path == "" {
			return ""
		}
		return strings.Join(all([]string{path}, true), "")
	}
	p.Write, p.State, p.Temp, p.Packages.Store = all(p.Write, true), one(p.State), one(p.Temp), one(p.Packages.Store)
	p.Present = all(p.Present, false)
	p.Guarded = slices.DeleteFunc(all(p.Guarded, false), func(path string) bool {
		info, err := os.Lstat(path)
		return err != nil || !info.IsDir() || !slices.Contains(p.writable(), path)
	})
	for _, path := range p.writable() { // a file includes the files that belong to it
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			p.Files = union(p.Files, []string{path})
		}
	}
	p.removeOldTemp()
	return p
}
