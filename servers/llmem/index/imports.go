package index

import (
	"path"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
	"goated/servers/llmem/outline"
)

var moduleLine = lazyregexp.New(`(?m)^module\s+"?([^\s"]+)`)

func newResolver(s Snapshot, goMod []byte) *resolver {
	r := &resolver{files: make(map[string]bool), bySuffix: make(map[string][]string), folders: make(map[string][]string)}
	if m := moduleLine.FindSubmatch(goMod); m != nil {
		r.module = string(m[1])
	}
	for _, f := range s.Listed {
		r.files[f.Path] = true
		base := path.Base(f.Path)
		r.bySuffix[base] = append(r.bySuffix[base], f.Path)
		r.folders[path.Dir(f.Path)] = append(r.folders[path.Dir(f.Path)], f.Path)
	}
	return r
}

// imports returns the files that an entry imports.
func (r *resolver) imports(e *Entry) (uses []string) {
	for _, i := range e.Imports {
		for _, target := range r.resolve(e, i) {
			if target != e.Path && !slices.Contains(uses, target) {
				uses = append(uses, target)
			}
		}
	}
	return uses
}

type resolver struct {
	module   string
	files    map[string]bool
	bySuffix map[string][]string // by the last path element
	folders  map[string][]string
}

func (r *resolver) resolve(e *Entry, i outline.Import) []string {
	dir := path.Dir(e.Path)
	switch e.Language {
	case "go":
		if folder, ok := strings.CutPrefix(i.Source+"/", r.module+"/"); ok && r.module != "" {
			var files []string
			for _, f := range r.folders[path.Clean(folder)] {
				if strings.HasSuffix(f, ".go") && !strings.HasSuffix(f, "_test.go") {
					files = append(files, f)
				}
			}
			return files
		}
	case "javascript", "typescript", "tsx":
		if strings.HasPrefix(i.Source, ".") {
			at := path.Join(dir, i.Source)
			bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(at, ".js"), ".mjs"), ".cjs")
			return r.firstFile(at, bare+".ts", bare+".tsx", bare+".mts", bare+".cts", bare+".d.ts", at+".ts", at+".tsx", at+".js", at+".jsx", at+".mjs", at+".cjs", at+".json",
				at+"/index.ts", at+"/index.tsx", at+"/index.js", at+"/index.mjs")
		}
	case "python":
		return r.python(dir, i)
	case "java", "kotlin":
		name := strings.ReplaceAll(strings.TrimSuffix(i.Source, ".*"), ".", "/")
		return r.suffix(name+".java", name+".kt", path.Dir(name)+".java")
	case "c", "cpp":
		if found := r.firstFile(path.Join(dir, i.Source)); found != nil {
			return found
		}
		return r.suffix(i.Source)
	case "rust":
		return r.rust(e.Path, i.Source)
	case "ruby":
		if strings.HasPrefix(i.Source, ".") {
			at := path.Join(dir, i.Source)
			return r.firstFile(at, at+".rb")
		}
		return r.suffix("lib/" + i.Source + ".rb")
	case "php":
		if strings.HasSuffix(i.Source, ".php") {
			return r.firstFile(path.Join(dir, i.Source), strings.TrimPrefix(i.Source, "/"))
		}
		return r.suffix(strings.ReplaceAll(strings.TrimPrefix(i.Source, `\`), `\`, "/") + ".php")
	case "lua":
		at := strings.ReplaceAll(i.Source, ".", "/")
		return r.suffix(at+".lua", at+"/init.lua")
	case "bash":
		return r.firstFile(path.Join(dir, i.Source), strings.TrimPrefix(i.Source, "./"))
	}
	return nil
}

// python resolves a module relative to the importing file's folder, or to any root.
func (r *resolver) python(dir string, i outline.Import) []string {
	source, base := i.Source, ""
	if strings.HasPrefix(source, ".") {
		rest := strings.TrimLeft(source, ".")
		base = dir
		for range len(source) - len(rest) - 1 {
			base = path.Dir(base)
		}
		source = rest
	}
	at := strings.ReplaceAll(source, ".", "/")
	var found []string
	if base != "" {
		found = r.firstFile(path.Join(base, at)+".py", path.Join(base, at, "__init__.py"))
	} else if found = r.firstFile(path.Join(dir, at)+".py", path.Join(dir, at, "__init__.py")); found == nil {
		found = r.suffix(at+".py", at+"/__init__.py")
	}
	for _, name := range i.Names { // "from package import module"
		folder := path.Join(base, at)
		if found != nil && path.Base(found[0]) == "__init__.py" {
			folder = path.Dir(found[0])
		}
		found = append(found, r.firstFile(path.Join(folder, name)+".py")...)
	}
	return found
}

// firstFile returns the first path that is a file.
func (r *resolver) firstFile(paths ...string) []string {
	for _, p := range paths {
		if r.files[p] {
			return []string{p}
		}
	}
	return nil
}

// suffix returns the file whose path ends with one of the names, if exactly one file does.
func (r *resolver) suffix(names ...string) []string {
	for _, name := range names {
		name = strings.TrimPrefix(path.Clean(name), "../")
		var found []string
		for _, f := range r.bySuffix[path.Base(name)] {
			if f == name || strings.HasSuffix(f, "/"+name) {
				found = append(found, f)
			}
		}
		if len(found) == 1 {
			return found
		}
	}
	return nil
}
