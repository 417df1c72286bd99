package codedigest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"goated/internal/lazyregexp"
	"goated/internal/paths"
)

// glob is like filepath.Glob in a folder whose name may contain any characters.
func glob(dir string, patterns ...string) (found []string) {
	quoted := regexp.MustCompile(`[\[\]*?\\]`).ReplaceAllString(dir, `\$0`)
	if filepath.Separator == '\\' {
		quoted = dir
	}
	for _, pattern := range patterns {
		some, _ := filepath.Glob(filepath.Join(quoted, filepath.FromSlash(pattern))) // the pattern is valid
		found = append(found, some...)
	}
	return found
}

// store adds all packages in the store of one server.
func (d *digest) store(store string) {
	for _, lock := range glob(filepath.Join(store, "npm", "_npx"), "*/node_modules/.package-lock.json") {
		d.part("npx", lock)
	}
	for _, prefix := range glob(store, "uv/archive-v*/*", "uv-tools/*", "pipx/venvs/*", "pipx/.cache/*") {
		d.environment(prefix, "")
	}
	for _, dir := range glob(filepath.Join(store, "bun"), "*@*", "@*/*@*") { // the names contain the versions
		d.note("bun %s", filepath.Base(dir))
	}
	for _, lock := range glob(filepath.Join(store, "bun"), ".bunx-*/*/bun.lock*", ".bunx-*/@*/*/bun.lock*") {
		d.bunLock(filepath.Dir(lock))
	}
	d.denoStore(filepath.Join(store, "deno"))
}

// inStore reports whether a path is in the server's own store, which [digest.store] adds
// completely.
func (p Program) inStore(path string) bool { return p.Store != "" && paths.Within(path, p.Store) }

// npx adds a package that npx installed: into the user's cache, into the project of the working
// directory, or globally.
func (d *digest) npx(p Program) {
	cache := p.get("npm_config_cache")
	if cache == "" {
		cache = filepath.Join(p.home(), ".npm")
		if local := p.get("LOCALAPPDATA"); local != "" {
			cache = filepath.Join(local, "npm-cache")
		}
	}
	if !p.inStore(cache) {
		for _, file := range glob(filepath.Join(cache, "_npx"), "*/package.json") {
			if wants(file, p) {
				if lock := filepath.Join(filepath.Dir(file), "node_modules", ".package-lock.json"); paths.IsFile(lock) {
					d.part("npx", lock)
				}
			}
		}
	}
	if strings.HasPrefix(p.Origin.Package, "-") || p.Origin.Package == "" || strings.Contains(p.Origin.Package, "..") {
		return
	}
	for _, dir := range []string{p.Dir, filepath.Join(filepath.Dir(filepath.Dir(p.Found)), "lib")} {
		if dir == "" {
			continue
		}
		if own := filepath.Join(dir, "node_modules", p.Origin.Package); paths.IsDir(own) {
			d.sources(own)
			if lock := filepath.Join(dir, "node_modules", ".package-lock.json"); paths.IsFile(lock) {
				d.part("node_modules", lock)
			}
		}
	}
}

// wants reports whether an installation of npx belongs to a program. It must have exactly the
// packages in the program's arguments.
func wants(file string, p Program) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	var have struct {
		Dependencies map[string]string `json:"dependencies"`
		Npx          struct {
			Packages []string `json:"packages"`
		} `json:"_npx"`
	}
	if json.Unmarshal(text, &have) != nil {
		return false
	}
	if len(have.Npx.Packages) == 0 { // an older npm made it
		_, ok := have.Dependencies[p.Origin.Package]
		return ok
	}
	for _, spec := range have.Npx.Packages {
		if !slices.ContainsFunc(p.Args, func(a string) bool {
			_, value, inline := strings.Cut(a, "=")
			return a == spec || inline && value == spec
		}) {
			return false
		}
	}
	return true
}

// python adds a package that uvx or pipx installed for all programs of the user.
func (d *digest) python(p Program) {
	data, cache := p.get("XDG_DATA_HOME"), p.get("XDG_CACHE_HOME")
	if data == "" {
		data = filepath.Join(p.home(), ".local", "share")
	}
	if cache == "" {
		cache = filepath.Join(p.home(), ".cache")
	}
	uv, tools, pipx := p.get("UV_CACHE_DIR"), p.get("UV_TOOL_DIR"), p.get("PIPX_HOME")
	for _, c := range []struct {
		place *string
		usual string
	}{{&uv, filepath.Join(cache, "uv")}, {&tools, filepath.Join(data, "uv", "tools")}, {&pipx, filepath.Join(data, "pipx")}} {
		if *c.place == "" {
			*c.place = c.usual
		}
	}
	prefixes := slices.Concat(glob(uv, "archive-v*/*"), glob(tools, "*"), glob(pipx, "venvs/*", ".cache/*"))
	for _, prefix := range prefixes {
		if !p.inStore(prefix) {
			d.environment(prefix, p.Origin.Package)
		}
	}
}

// environment adds the records of the packages in a Python environment. If name is not empty, it
// does so only if the environment has that package.
func (d *digest) environment(prefix, name string) {
	for _, site := range glob(prefix, "lib/python*/site-packages", "Lib/site-packages") {
		entries, err := os.ReadDir(site)
		if err != nil || name != "" && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return distribution(e.Name()) == normal(name) }) {
			continue
		}
		for _, e := range entries {
			path := filepath.Join(site, e.Name())
			switch {
			case distribution(e.Name()) != "":
				d.part(e.Name(), filepath.Join(path, "RECORD"))
				if direct := filepath.Join(path, "direct_url.json"); paths.IsFile(direct) { // from a commit or folder
					d.part(e.Name()+" from", direct)
				}
			case filepath.Ext(e.Name()) == ".pth":
				d.part(e.Name(), path)
				d.linked(path)
			}
		}
	}
}

// linked adds the folders that a .pth file adds to Python's path. Editable packages change there.
func (d *digest) linked(pth string) {
	text, err := os.ReadFile(pth)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); filepath.IsAbs(line) && paths.IsDir(line) {
			d.sources(line)
		}
	}
}

// distribution returns the package name of a .dist-info folder, or "" for other folders.
func distribution(folder string) string {
	base, ok := strings.CutSuffix(folder, ".dist-info")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(base, "-")
	return normal(name)
}

var separators = lazyregexp.New(`[-_.]+`)

// normal returns a normalized form of a Python package's name, which is the same for all its
// spellings.
func normal(name string) string { return separators.ReplaceAllString(strings.ToLower(name), "-") }

// module adds a Python module that is in a folder.
func (d *digest) module(dir, name string) {
	if dir == "" {
		return
	}
	path := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(name, ".", "/")))
	if paths.IsDir(path) {
		first, _, _ := strings.Cut(name, ".")
		d.sources(filepath.Join(dir, first))
	} else if paths.IsFile(path + ".py") {
		d.file(filepath.Base(path)+".py", path+".py")
		d.project(path + ".py")
	}
}

// installedModule adds the package of a Python module: all packages of the interpreter's
// environment, or the single package of that name.
func (d *digest) installedModule(p Program) {
	if p.Dir != "" {
		d.pinned(p.Dir)
	}
	if prefix := filepath.Dir(filepath.Dir(p.Found)); isVenv(prefix) {
		d.environment(prefix, "")
		return
	}
	real, err := filepath.EvalSymlinks(p.Found)
	if err != nil {
		return
	}
	name, _, _ := strings.Cut(p.module(), ".")
	sites := glob(filepath.Dir(filepath.Dir(real)), "lib/python*/site-packages", "local/lib/python*/dist-packages", "lib/python*/dist-packages")
	sites = append(sites, glob(p.home(), ".local/lib/python*/site-packages")...)
	for _, site := range sites {
		for _, info := range glob(site, "*.dist-info") {
			if distribution(filepath.Base(info)) == normal(name) {
				d.part(filepath.Base(info), filepath.Join(info, "RECORD"))
			}
		}
	}
}

// imageLimit limits how long goated looks up the image that a name refers to.
const imageLimit = 3 * time.Second

var imageID = lazyregexp.New(`^(?:sha256:)?[0-9a-f]{64}$`)

// image adds the image id of a container.
func (d *digest) image(ctx context.Context, p Program) {
	name := p.Origin.Package
	at := slices.IndexFunc(p.Args, func(a string) bool { return a == name || strings.HasPrefix(a, name+":") })
	if name == "" || strings.HasPrefix(name, "-") || at < 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, imageLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Found, "image", "inspect", "--format", "{{.Id}}", p.Args[at])
	cmd.Env, cmd.Dir, cmd.WaitDelay = p.Env, p.Dir, time.Second
	if out, err := cmd.Output(); err == nil {
		if id := strings.TrimSpace(string(out)); imageID.MatchString(id) {
			d.note("image %s", id)
		}
	}
}

// exact reports whether a version of a Go module is a single version rather than a branch.
func exact(version string) bool {
	return regexp.MustCompile(`^v\d+\.\d+\.\d+`).MatchString(version)
}
