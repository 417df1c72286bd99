package diagnose

import (
	"path/filepath"
	"slices"
	"strings"
)

// brokenImports match imports that the installed version of a library does not offer. No module is
// missing, so installing again does not help. The first group is the import.
var brokenImports = []rule{
	{pattern(`The requested module '([^'\n]+)' does not provide an export named '[^'\n]+'`), "", ImportBroken, installed},
	{pattern(`Package subpath '[^'\n]+' is not defined by "exports" in ([^\n]+)[/\\]package\.json`), "", ImportBroken, installed},
}

// installed reports whether the error comes from a package that npx installed, rather than from the
// user's own script.
func installed(f Facts, m []string, d *Diagnosis) bool {
	d.Args.Subject = inPackages(m[1])
	return f.Store != "" && strings.Contains(f.Output, filepath.Join(f.Store, "npm", "_npx"))
}

// broken reports whether an imported path lacks only the extension of an existing file. Node
// requires the full file name in an import.
func (f Facts) broken(path string) bool {
	return filepath.IsAbs(path) && slices.ContainsFunc([]string{".js", ".mjs", ".cjs", "/index.js"}, func(ending string) bool {
		return f.exists(path + filepath.FromSlash(ending))
	})
}

// inPackages returns the part of a path that begins with the package name.
func inPackages(path string) string {
	const folder = "node_modules"
	if at := strings.LastIndex(path, folder); at >= 0 {
		return filepath.ToSlash(strings.Trim(path[at+len(folder):], `/\`))
	}
	return path
}
