package codedigest

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/paths"
)

// lockFiles lists the files that pin the packages of a program.
var lockFiles = []string{
	"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", "deno.lock",
	"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "requirements.txt", "go.sum", "Gemfile.lock", "composer.lock", "Cargo.lock",
}

// projectFiles lists the files in a project's folder that determine which code runs.
var projectFiles = []string{"package.json", "pyproject.toml", "setup.py", "setup.cfg", "deno.json", "deno.jsonc", "go.mod", "Gemfile", "composer.json", "Cargo.toml"}

// lockDepth is how many folders, from the script's folder upwards, can be the project's folder.
// Projects keep scripts in src/name.
const lockDepth = 3

// codeTypes lists the extensions of files that a script loads.
var codeTypes = []string{
	".py", ".pyw", ".pyx", ".so", ".pyd", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".node", ".wasm",
	".go", ".rb", ".php", ".lua", ".pl", ".pm", ".sh", ".rs", ".jar", ".class", ".dll",
}

// file adds a file that must exist: a script or a program.
func (d *digest) file(name, path string) {
	d.found = true
	if !d.done[path] {
		d.done[path] = true
		d.contents(name, path, maxProgram)
	}
}

// contents adds the name, the size and the first bytes of a file. For a file that cannot be read,
// it records that.
func (d *digest) contents(name, path string, most int64) (read int64) {
	if d.state != nil && d.state.only {
		size := d.state.size(name, path)
		d.partial = d.partial || size > most
		return min(size, most)
	}
	f, err := os.Open(path)
	if err != nil {
		d.state.add(name, nil, err)
		fmt.Fprintf(d.hash, "%q is missing\n", name)
		return 0
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	d.state.add(name, info, err)
	if err != nil || !info.Mode().IsRegular() {
		fmt.Fprintf(d.hash, "%q is no file\n", name)
		return 0
	}
	fmt.Fprintf(d.hash, "%q %d\n", name, info.Size())
	if info.Size() > most {
		d.partial = true
		fmt.Fprintf(d.hash, "%d\n", info.ModTime().UnixNano())
	}
	d.files++
	if d.files > maxNames { // too many to be useful
		d.names = nil
		read, err = io.Copy(d.hash, io.LimitReader(f, most))
	} else {
		own := sha256.New()
		read, err = io.Copy(io.MultiWriter(d.hash, own), io.LimitReader(f, most))
		d.names = append(d.names, fmt.Sprintf("%x %s", own.Sum(nil)[:6], name))
	}
	if err != nil {
		fmt.Fprintln(d.hash, "unreadable")
	}
	return read
}

// part adds one of many files, within the limit for all of them.
func (d *digest) part(name, path string) {
	if d.done[path] {
		return
	}
	d.found, d.done[path] = true, true
	d.bytes -= d.contents(name, path, max(d.bytes, 0))
}

// project adds the source files of a script's project.
func (d *digest) project(script string) {
	dir := filepath.Dir(script)
	if root := above(dir, projectFiles); root != "" {
		dir = root
	}
	d.sources(dir)
}

// above returns the nearest folder, from dir upwards, that contains one of the files. It returns ""
// if no folder within lockDepth does.
func above(dir string, names []string) string {
	for range lockDepth {
		for _, name := range names {
			if paths.IsFile(filepath.Join(dir, name)) {
				return dir
			}
		}
		if shared(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// shared reports whether a folder contains more than one project. A search below such a folder
// would examine everything that the user has.
func shared(dir string) bool {
	home, _ := os.UserHomeDir()
	return dir == filepath.Dir(dir) || dir == filepath.Clean(os.TempDir()) || home != "" && (dir == home || dir == filepath.Dir(home) ||
		slices.Contains([]string{"Downloads", "Desktop", "Documents"}, filepath.Base(dir)) && filepath.Dir(dir) == home)
}

// sources adds the code in a folder and its subfolders. It leaves out packages that a package
// manager installed, because the lock files pin them.
func (d *digest) sources(root string) {
	flat := shared(root)
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if d.entries--; d.entries < 0 {
			d.partial = true
			return filepath.SkipAll
		}
		name, relErr := filepath.Rel(root, path)
		if err != nil || relErr != nil || path == root {
			return nil
		}
		switch {
		case e.IsDir() && (flat || strings.HasPrefix(e.Name(), ".") || slices.Contains([]string{"node_modules", "__pycache__", "site-packages", "target"}, e.Name()) || isVenv(path)):
			return filepath.SkipDir
		case e.IsDir() && strings.Count(name, string(filepath.Separator)) >= maxDepth:
			d.partial = true
			return filepath.SkipDir
		case e.IsDir():
		case slices.Contains(codeTypes, strings.ToLower(filepath.Ext(name))) || slices.Contains(projectFiles, name):
			d.part(filepath.ToSlash(name), path)
		case e.Type()&fs.ModeSymlink != 0 && paths.IsDir(path):
			d.partial = true // the program may load code from it, and goated does not look there
		}
		return nil
	})
}

func isVenv(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "pyvenv.cfg"))
	return err == nil
}

// pinned adds everything that pins the packages of a project: the lock files in a folder or above
// it, and the packages that are installed there.
func (d *digest) pinned(dir string) {
	if root := above(dir, lockFiles); root != "" {
		for _, name := range lockFiles {
			if path := filepath.Join(root, name); paths.IsFile(path) {
				d.part(name, path)
			}
		}
	}
	for range lockDepth {
		for _, name := range []string{"node_modules/.package-lock.json", "node_modules/.yarn-state.yml", "node_modules/.pnpm/lock.yaml"} {
			if path := filepath.Join(dir, filepath.FromSlash(name)); paths.IsFile(path) {
				d.part(name, path)
			}
		}
		for _, name := range []string{".venv", "venv", "env"} {
			if path := filepath.Join(dir, name); isVenv(path) {
				d.environment(path, "")
			}
		}
		if shared(dir) {
			return
		}
		dir = filepath.Dir(dir)
	}
}

// program adds a program that is installed on this computer. If it belongs to a Node package or a
// Python environment, program adds these too.
func (d *digest) program(path string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return
	}
	d.file(filepath.Base(real), real)
	if at := strings.LastIndex(real, string(filepath.Separator)+"node_modules"+string(filepath.Separator)); at >= 0 {
		words := strings.Split(real[at+len("/node_modules/"):], string(filepath.Separator))
		n := 1
		if strings.HasPrefix(words[0], "@") {
			n = min(2, len(words))
		}
		d.sources(filepath.Join(append([]string{real[:at], "node_modules"}, words[:n]...)...))
		return
	}
	if prefix := filepath.Dir(filepath.Dir(real)); isVenv(prefix) {
		d.environment(prefix, "")
		return
	}
	if f, err := os.Open(real); err == nil {
		defer func() { _ = f.Close() }()
		var begins [2]byte
		if _, err := io.ReadFull(f, begins[:]); err == nil && string(begins[:]) == "#!" {
			d.partial = true // it loads code that goated cannot find
		}
	}
}
