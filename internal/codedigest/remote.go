package codedigest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"goated/internal/lazyregexp"
)

// imports matches the names of the modules that a module loads.
var imports = lazyregexp.New(`(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"'\n]+)["']`)

// metadata is the beginning of the last line of a module in deno's cache. The line contains times,
// which are not code.
var metadata = []byte("\n// denoCacheMetadata=")

// cached adds the code of a module in deno's cache, without the line that deno appended, and
// returns it. If it cannot read the file, it marks the digest as partial.
func (d *digest) cached(name, path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		d.partial = true
		return nil
	}
	if at := bytes.LastIndex(text, metadata); at >= 0 {
		text = text[:at]
	}
	d.bytes -= int64(len(text))
	d.note("%s %x", name, sha256.Sum256(text))
	return text
}

// remote adds a module with a URL, and the modules that it loads, from deno's cache. If a module is
// missing or belongs to a package, it marks the digest as partial.
func (d *digest) remote(cache, address string) {
	waiting, seen := []string{address}, map[string]bool{address: true}
	for len(waiting) > 0 {
		address, waiting = waiting[0], waiting[1:]
		if d.entries--; d.entries < 0 || d.bytes <= 0 {
			d.partial = true
			return
		}
		at, err := url.Parse(address)
		if err != nil || at.Host == "" {
			d.partial = true
			continue
		}
		for _, m := range imports.FindAllSubmatch(d.cached(address, place(cache, at)), -1) {
			name := string(m[1])
			if !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "/") && !strings.Contains(name, "://") {
				d.partial = d.partial || !strings.HasPrefix(name, "node:") // node: modules are part of deno
				continue
			}
			next, err := at.Parse(name)
			if err != nil {
				d.partial = true
			} else if to := next.String(); !seen[to] {
				seen[to] = true
				waiting = append(waiting, to)
			}
		}
	}
}

// place returns the path of a module in deno's cache.
func place(cache string, at *url.URL) string {
	path := at.EscapedPath()
	if at.RawQuery != "" {
		path += "?" + at.RawQuery
	}
	return filepath.Join(cache, "remote", at.Scheme, strings.ReplaceAll(at.Host, ":", "_PORT"), fmt.Sprintf("%x", sha256.Sum256([]byte(path))))
}

// denoStore adds all modules and packages in the deno cache of one server.
func (d *digest) denoStore(cache string) {
	root := filepath.Join(cache, "remote")
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error { // an unreadable folder has no code
		if d.entries--; d.entries < 0 || d.bytes <= 0 {
			d.partial = true
			return filepath.SkipAll
		}
		if err != nil || e.IsDir() {
			return nil
		}
		name, _ := filepath.Rel(root, path) // path is below root
		d.cached(filepath.ToSlash(name), path)
		return nil
	})
	for _, file := range glob(filepath.Join(cache, "npm"), "*/*/*/package.json", "*/@*/*/*/package.json") {
		if d.entries--; d.entries < 0 {
			d.partial = true
			return
		}
		d.part(filepath.Base(filepath.Dir(filepath.Dir(file)))+"@"+filepath.Base(filepath.Dir(file)), file)
	}
}
