package codedigest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/launch"
	"goated/internal/paths"
)

// cache returns the cache folder of a program that the user runs.
func (p Program) cache(name, windows string) string {
	if dir := p.get("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, name)
	}
	if dir := p.get("LOCALAPPDATA"); dir != "" {
		return filepath.Join(dir, windows)
	}
	if dir := filepath.Join(p.home(), "Library", "Caches"); paths.IsDir(dir) {
		return filepath.Join(dir, name)
	}
	return filepath.Join(p.home(), ".cache", name)
}

// temp returns the program's folder for temporary files.
func (p Program) temp() string {
	if dir := p.get("TMPDIR", "TEMP", "TMP"); dir != "" {
		return dir
	}
	return os.TempDir()
}

// bunCache returns the folder in which bun caches packages.
func (p Program) bunCache() string {
	if dir := p.get("BUN_INSTALL_CACHE_DIR"); dir != "" {
		return dir
	}
	if dir := p.get("BUN_INSTALL"); dir != "" {
		return filepath.Join(dir, "install", "cache")
	}
	return filepath.Join(p.home(), ".bun", "install", "cache")
}

// runner adds a package that bunx, pnpm dlx, yarn dlx or deno run installed.
func (d *digest) runner(p Program) {
	switch name := strings.TrimSuffix(strings.ToLower(filepath.Base(p.Found)), ".exe"); name {
	case "bun", "bunx":
		d.bunx(p)
	case "pnpm", "pnpx", "pnx":
		d.pnpm(p)
	case "yarn", "yarnpkg":
		d.yarn(p)
	case "deno":
		d.deno(p)
	}
}

// bunx adds the lock file of an installation by bunx, which contains checksums. It is in bun's
// cache. Older versions of bun put it into the folder for temporary files.
func (d *digest) bunx(p Program) {
	name, version := p.Origin.Package, p.Origin.Version
	if name == "" || strings.HasPrefix(name, "-") || strings.Contains(name+version, "..") {
		return
	}
	if version == "" {
		version = "latest"
	}
	user := fmt.Sprint(os.Getuid())
	for _, dir := range []string{
		filepath.Join(p.bunCache(), ".bunx-"+user, name+"@"+version),
		filepath.Join(p.temp(), "bunx-"+user+"-"+name+"@"+version),
	} {
		d.bunLock(dir)
	}
}

func (d *digest) bunLock(dir string) {
	for _, name := range []string{"bun.lock", "bun.lockb"} {
		d.lock("bunx", filepath.Join(dir, name))
	}
}

// pnpm adds the lock files of the pnpm dlx installations that contain the package.
func (d *digest) pnpm(p Program) {
	cache := p.get("npm_config_cache_dir", "pnpm_config_cache_dir")
	if cache == "" {
		cache = p.cache("pnpm", "pnpm-cache")
	}
	for _, file := range glob(filepath.Join(cache, "dlx"), "*/pkg/package.json") { // pkg links to the newest one
		if depends(file, p.Origin.Package) {
			d.lock("pnpm dlx", filepath.Join(filepath.Dir(file), "pnpm-lock.yaml"))
		}
	}
}

// yarn adds the lock file of yarn dlx. Yarn removes it when the server exits. If a killed server
// left another one, goated cannot tell which one is used.
func (d *digest) yarn(p Program) {
	lists := make(map[string]string)
	for _, file := range glob(p.temp(), "xfs-*/dlx-*/package.json") {
		lock := filepath.Join(filepath.Dir(file), "yarn.lock")
		if text, err := os.ReadFile(lock); err == nil && depends(file, p.Origin.Package) {
			lists[string(text)] = lock
		}
	}
	d.partial = d.partial || len(lists) > 1
	for _, lock := range lists {
		d.lock("yarn dlx", lock)
	}
}

// lock adds a lock file if it exists.
func (d *digest) lock(name, path string) {
	if paths.IsFile(path) {
		d.part(name, path)
	}
}

// depends reports whether a package.json lists a package.
func depends(file, name string) bool {
	_, ok := dependencies(file)[name]
	return ok && name != ""
}

// dependencies returns the packages that a package.json lists, and whether each is required.
func dependencies(file string) map[string]bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var have struct {
		Dependencies         map[string]string `json:"dependencies"`
		OptionalDependencies map[string]string `json:"optionalDependencies"`
	}
	if json.Unmarshal(text, &have) != nil {
		return nil
	}
	all := make(map[string]bool)
	for name := range have.Dependencies {
		all[name] = true
	}
	for name := range have.OptionalDependencies {
		all[name] = false
	}
	return all
}

// npmOfDeno adds an npm package in deno's cache with all its dependencies. Deno does not report
// which version it chose, so npmOfDeno adds each version in the cache.
func (d *digest) npmOfDeno(cache, name, version string) {
	seen := make(map[string]bool)
	var visit func(name string, root, needed bool)
	visit = func(name string, root, needed bool) {
		if seen[name] || strings.Contains(name, "..") || strings.HasPrefix(name, "-") {
			return
		}
		seen[name] = true
		versions := glob(filepath.Join(cache, "npm"), "*/"+name+"/*/package.json")
		if exactly := glob(filepath.Join(cache, "npm"), "*/"+name+"/"+version+"/package.json"); root && version != "" && len(exactly) > 0 {
			versions = exactly
		}
		d.partial = d.partial || needed && len(versions) == 0
		next := make(map[string]bool)
		for _, file := range versions {
			if d.entries--; d.entries < 0 {
				d.partial = true
				return
			}
			dir := filepath.Dir(file)
			d.part(name+"@"+filepath.Base(dir), file)
			if root {
				d.sources(dir)
			}
			for dependency, must := range dependencies(file) {
				next[dependency] = next[dependency] || must
			}
		}
		for _, dependency := range slices.Sorted(maps.Keys(next)) {
			visit(dependency, false, next[dependency])
		}
	}
	visit(name, true, true)
}

// deno adds the package or the modules that deno loads from the network.
func (d *digest) deno(p Program) {
	cache := p.get("DENO_DIR")
	if cache == "" {
		cache = p.cache("deno", "deno")
	}
	if p.Dir != "" {
		d.lock("deno.lock", filepath.Join(p.Dir, "deno.lock"))
	}
	if p.inStore(cache) {
		return // [digest.store] has added all of it
	}
	if p.Origin.Source == launch.NPM {
		d.npmOfDeno(cache, p.Origin.Package, p.Origin.Version)
		return
	}
	for _, a := range p.Args {
		switch {
		case strings.HasPrefix(a, "https://"), strings.HasPrefix(a, "http://"):
			d.remote(cache, a)
			return
		case strings.HasPrefix(a, "jsr:"):
			d.partial = true // its files are in the cache, but goated cannot tell which ones
			return
		}
	}
}
