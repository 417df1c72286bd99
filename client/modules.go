package client

import (
	"os"
	"path/filepath"
	"strings"
)

// modules are the go.mod files of the modules that a folder is compiled from, each
// of which lies in what is read whole, and the files to read besides: those of a
// workspace above, whose other modules are followed only if they lie in it. None
// of them is a link, which could lead anywhere.
func modules(dir string) (roots, files []string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil
	}
	add := func(to *[]string, path string) bool {
		info, err := os.Lstat(path)
		ok := err == nil && info.Mode().IsRegular()
		if ok {
			*to = append(*to, path)
		}
		return ok
	}
	if root := above(dir, "go.mod"); root != "" {
		add(&roots, filepath.Join(root, "go.mod"))
		add(&files, filepath.Join(root, "go.sum"))
	}
	work := above(dir, "go.work")
	if work == "" || !add(&files, filepath.Join(work, "go.work")) {
		return roots, files
	}
	add(&files, filepath.Join(work, "go.work.sum"))
	text, err := os.ReadFile(filepath.Join(work, "go.work"))
	whole, werr := filepath.EvalSymlinks(work)
	if err != nil || werr != nil {
		return roots, files
	}
	for _, used := range uses(string(text)) {
		in, err := filepath.EvalSymlinks(filepath.Join(work, used))
		if rel, rerr := filepath.Rel(whole, in); err == nil && rerr == nil && filepath.IsLocal(rel) {
			add(&roots, filepath.Join(in, "go.mod"))
		}
	}
	return roots, files
}

// uses are the folders that a go.work names by its use.
func uses(text string) []string {
	var out []string
	block := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = false
		case block:
			out = append(out, strings.Trim(words[0], "\"`"))
		case words[0] == "use" && len(words) > 1:
			if block = words[1] == "("; !block {
				out = append(out, strings.Trim(words[1], "\"`"))
			}
		}
	}
	return out
}

// above is the next folder upwards that has a file of that name.
func above(dir, name string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
