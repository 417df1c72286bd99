package diagnose

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/paths"
	"goated/internal/sandbox"
)

// hidden replaces a cause about a missing file if this computer has the file and the sandbox hides it.
// The new cause is the permission to read the file. Otherwise the user would install a module again.
func hidden(f Facts, d *Diagnosis) bool {
	i := slices.IndexFunc(f.Needs, func(p sandbox.Permission) bool { return p.Path != "" && f.has(p.Path, *d) })
	if i < 0 {
		return false
	}
	*d, f.Needs = Diagnosis{}, f.Needs[i:]
	return refused(f, d)
}

// has reports whether the missing file or module of d is in path, which the sandbox hides.
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
