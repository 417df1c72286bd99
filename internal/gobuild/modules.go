package gobuild

import (
	"os"
	"path/filepath"
	"strings"
)

// modules returns the go.mod files of the modules from which a folder is compiled, whose folders a
// build reads. It also returns other files that a build reads, those of a workspace above the
// folder. It leaves out modules outside the workspace's folder, and symbolic links, because these
// could lead anywhere.
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
	// If go.work cannot be read, it uses no modules. If its real path is unknown, no module is
	// below it.
	text, _ := os.ReadFile(filepath.Join(work, "go.work"))
	whole, _ := filepath.EvalSymlinks(work)
	for _, used := range uses(string(text)) {
		in, err := filepath.EvalSymlinks(filepath.Join(work, used))
		if rel, rerr := filepath.Rel(whole, in); err == nil && rerr == nil && filepath.IsLocal(rel) {
			add(&roots, filepath.Join(in, "go.mod"))
		}
	}
	return roots, files
}

// uses returns the folders in the use directives of a go.work.
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

// above returns the nearest folder, from dir upwards, that contains a file called name. It returns
// "" if there is none.
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
