package workspace

import (
	"path"
	"runtime"
	"slices"
	"strings"
)

// rules adds the patterns in a folder's ignore file to the patterns of the folders above it. If
// fold is set, they are case-insensitive.
func (w *Workspace) rules(above []*ignoreFile, dir, name string, fold bool) []*ignoreFile {
	f := parseIgnore(dir, w.readSmall(path.Join(dir, name)))
	if f == nil {
		return above
	}
	if f.fold = fold; fold {
		for i := range f.patterns {
			p := &f.patterns[i]
			p.text = strings.ReplaceAll(lower(p.text), "[:upper:]", "[:alpha:]")
			p.suffix = lower(p.suffix)
		}
	}
	return append(slices.Clip(above), f)
}

// ignoresCase reports whether git ignores case in this workspace. git init writes that into the
// configuration if the file system does so. A worktree has no separate configuration, and a folder
// without git has none at all. For these, the usual file system of the platform decides.
func (w *Workspace) ignoresCase() bool {
	config := w.readSmall(".git/config")
	if config == nil {
		return runtime.GOOS == "windows" || runtime.GOOS == "darwin"
	}
	core, ignores := false, false
	for line := range strings.Lines(string(config)) {
		line = lower(strings.TrimSpace(line))
		if strings.HasPrefix(line, "[") {
			core = strings.HasPrefix(line, "[core]")
			continue
		}
		name, value, given := strings.Cut(line, "=")
		if core && strings.TrimSpace(name) == "ignorecase" {
			value = strings.TrimSpace(value)
			ignores = !given || value == "true" || value == "yes" || value == "on" || value == "1"
		}
	}
	return ignores
}

// lower returns a text with its ASCII letters in lower case. git ignores the case of no other
// letters.
func lower(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' }) {
		return s
	}
	out := []byte(s)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}
