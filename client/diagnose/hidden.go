package diagnose

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/paths"
	"goated/internal/sandbox"
)

// hidden replaces the cause "missing file" if the file exists on this computer but the sandbox
// hides it. The new cause is the permission to read the file. Without it, the user would install
// the module again.
func hidden(f Facts, d *Diagnosis) bool {
	i := slices.IndexFunc(f.Needs, func(p sandbox.Permission) bool { return p.Path != "" && f.has(p.Path, *d) })
	if i < 0 {
		return hiddenPackage(f, d)
	}
	*d, f.Needs = Diagnosis{}, f.Needs[i:]
	return refused(f, d)
}

// has reports whether the missing file or module of d is at or in path, which the sandbox hides.
func (f Facts) has(path string, d Diagnosis) bool {
	missing := d.Args.Subject
	switch d.Cause {
	case PythonModule:
		first, _, _ := strings.Cut(missing, ".")
		return filepath.Base(path) == first || f.exists(filepath.Join(path, first)) || f.exists(filepath.Join(path, first+".py"))
	case NodePackage:
		return f.exists(filepath.Join(path, missing)) || f.exists(filepath.Join(path, "node_modules", missing))
	case FileMissing, BuildMissing, FileForbidden, ScriptUnreadable:
		return filepath.IsAbs(missing) && f.exists(missing) && paths.Within(missing, path)
	}
	return false
}

// hiddenPackage diagnoses a Node package that exists on this computer, in a folder that the sandbox
// hides. npm links the packages of a workspace to each other. Inside the sandbox the link dangles,
// so the sandbox observes no refusal.
func hiddenPackage(f Facts, d *Diagnosis) bool {
	if f.Machine.Hidden == nil || d.Cause != NodePackage && d.Cause != BuildMissing {
		return false
	}
	name := packageName(inPackages(d.Args.Subject))
	if name == "" || strings.HasPrefix(name, ".") {
		return false
	}
	for dir := f.Folder; ; dir = filepath.Dir(dir) {
		if real, ok := f.real(filepath.Join(dir, "node_modules", filepath.FromSlash(name))); ok {
			if !f.Machine.Hidden(real) {
				return false
			}
			f.Needs = []sandbox.Permission{{Kind: sandbox.ToRead, Path: real}}
			*d = Diagnosis{}
			return refused(f, d)
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// packageName returns the package of an import. For example, it returns @scope/name for
// @scope/name/file.
func packageName(imported string) string {
	parts := strings.SplitN(imported, "/", 3)
	if strings.HasPrefix(imported, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}
