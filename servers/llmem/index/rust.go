package index

import (
	"path"
	"slices"
	"strings"
)

// rust returns the files of the modules that a use or mod declaration of the file from names.
//
// The Rust Reference, "Module source filenames": "the path to the file mirrors the logical module path.
// Ancestor module path components are directories, and the module's contents are in a file with the name
// of the module plus the .rs extension." The older name of the file is mod.rs in the module's folder.
func (r *resolver) rust(from, declaration string) (found []string) {
	for _, use := range usePaths(declaration) {
		for _, file := range r.rustPath(from, strings.Split(use, "::")) {
			if !slices.Contains(found, file) {
				found = append(found, file)
			}
		}
	}
	return found
}

func (r *resolver) rustPath(from string, names []string) []string {
	children := childModules(from)
	switch names[0] {
	case "crate":
		if root, ok := crateRoot(from); ok {
			if found := innermost(r.firstFile, root, names[1:]); found != nil {
				return found
			}
			return r.firstFile(root+"/lib.rs", root+"/main.rs")
		}
		return innermost(r.suffix, "src", names[1:]) // a test or an example names the crate of the same package
	case "self":
		if found := innermost(r.firstFile, children, names[1:]); found != nil {
			return found
		}
		if found := innermost(r.firstFile, path.Dir(from), names[1:]); found != nil { // the root of a target with another name
			return found
		}
		return r.firstFile(from)
	case "super":
		for len(names) > 0 && names[0] == "super" {
			children, names = path.Dir(children), names[1:]
		}
		if found := innermost(r.firstFile, children, names); found != nil {
			return found
		}
		return r.firstFile(children+".rs", children+"/mod.rs", children+"/lib.rs", children+"/main.rs")
	}
	if found := innermost(r.firstFile, children, names); found != nil {
		return found
	}
	// Another crate of the workspace. Cargo replaces the hyphens of a package's name.
	lib := r.suffix(names[0]+"/src/lib.rs", strings.ReplaceAll(names[0], "_", "-")+"/src/lib.rs")
	if lib == nil {
		return nil
	}
	if found := innermost(r.firstFile, path.Dir(lib[0]), names[1:]); found != nil {
		return found
	}
	return lib
}

// innermost returns the file of the innermost module on a path below a folder, or nil. find looks for a file
// with one of several names. The last names of the path may be items of that module.
func innermost(find func(paths ...string) []string, folder string, names []string) []string {
	for n := len(names); n > 0; n-- {
		if slices.Contains(names[:n], "") {
			continue
		}
		at := path.Join(folder, path.Join(names[:n]...))
		if found := find(at+".rs", at+"/mod.rs"); found != nil {
			return found
		}
	}
	return nil
}

// childModules returns the folder with the files of a file's child modules.
func childModules(file string) string {
	folder, name := path.Split(file)
	folder = path.Clean(folder)
	switch name {
	case "mod.rs", "lib.rs", "main.rs", "build.rs":
		return folder
	}
	switch path.Base(folder) {
	case "bin", "tests", "examples", "benches": // each file is the root of a crate
		return folder
	}
	return strings.TrimSuffix(file, ".rs")
}

// crateRoot returns the folder with the modules of a file's crate.
func crateRoot(file string) (folder string, ok bool) {
	for folder = path.Dir(file); folder != "." && folder != "/"; folder = path.Dir(folder) {
		if path.Base(folder) == "src" {
			return folder, true
		}
	}
	return "", false
}

// maxUsePath is the maximum length of a path in bytes. It limits the work for braces inside braces.
const maxUsePath = 1000

// usePaths returns the paths of a use declaration without white space: "a::{b,c::d}" has the paths "a::b"
// and "a::c::d". The path of a glob or of "self" is that of the module before it. The declaration may be
// incomplete, because somebody is typing it. usePaths then returns the paths so far.
func usePaths(declaration string) (paths []string) {
	var prefix string
	var outer []int // the length of the prefix outside each open brace
	for rest := declaration + ","; rest != "" && len(prefix) <= maxUsePath; {
		end := strings.IndexAny(rest, "{},")
		name, mark := rest[:end], rest[end]
		rest = rest[end+1:]
		if mark == '{' {
			outer = append(outer, len(prefix))
			prefix += name
			continue
		}
		if name != "" && len(prefix)+len(name) <= maxUsePath {
			paths = append(paths, usePath(prefix+name))
		}
		if mark == '}' && len(outer) > 0 {
			prefix, outer = prefix[:outer[len(outer)-1]], outer[:len(outer)-1]
		}
	}
	return paths
}

func usePath(text string) string {
	text = strings.Trim(text, ":")
	for _, module := range []string{"::*", "::self"} {
		text = strings.TrimSuffix(text, module)
	}
	return text
}
