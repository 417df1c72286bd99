package ui_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"goated/client"
	"goated/internal/install"
	"goated/internal/programs"
	"goated/ui"
)

// standInPyPI serves uv 1.2.3. While damaged is set, its bytes do not match the promised
// digest.
func standInPyPI(t *testing.T, damaged *atomic.Bool) string {
	t.Helper()
	var wheel bytes.Buffer
	z := zip.NewWriter(&wheel)
	for _, name := range []string{"uv", "uvx"} {
		h := &zip.FileHeader{Name: "uv-1.2.3.data/scripts/" + name}
		h.SetMode(0o755)
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte("#!/bin/sh\nexit 3\n"))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	cpu := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".whl") {
			if damaged.Load() {
				_, _ = w.Write([]byte("something else"))
				return
			}
			_, _ = w.Write(wheel.Bytes())
			return
		}
		fmt.Fprintf(w, `{"files":[{"filename":"uv-1.2.3-py3-none-musllinux_1_1_%s.whl","url":"uv.whl","size":%d,"yanked":false,"hashes":{"sha256":"%x"}}]}`, cpu, wheel.Len(), sha256.Sum256(wheel.Bytes()))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// During an installation, the button of another program did nothing and said nothing.
func TestTwoProgramsAreInstalled(t *testing.T) {
	if _, ok := programs.Of("uvx"); !ok {
		t.Skip("goated installs no programs here")
	}
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(slow.Close)
	data := t.TempDir()
	in := install.New(data, "", "linux")
	in.Programs = &programs.Folder{Path: install.Programs(data), Registries: func() (string, string) { return slow.URL, slow.URL }}
	h := client.New(client.Options{Unconfined: unconfined, Env: []string{"PATH=/nowhere", "HOME=" + t.TempDir()}, Data: filepath.Join(data, "servers")})
	t.Cleanup(h.Close)
	d := shown(t, ui.Options{Host: h, Files: ui.Files{DataDir: data, Installer: &in}})
	d.openConnect()
	for line, name := range map[string]string{"uvx mcp-server-time": "uv", "npx -y mcp-server-time": "Node.js"} {
		d.Enter(scriptField, line)
		d.Press("Install " + name)
		if !d.Reads("Installing " + name + "… 0 %") {
			t.Errorf("the sheet says %q", d.Texts())
		}
	}
}

// A user without uv pastes a line with uvx. The sheet offers to install uv and shows why the
// installation failed. After it succeeds, servers start with it. The card of a server that did
// not start offers the same.
func TestMissingProgramIsInstalled(t *testing.T) {
	if _, ok := programs.Of("uvx"); !ok || runtime.GOOS != "linux" {
		t.Skip("the stand-in has a build for Linux only")
	}
	var damaged atomic.Bool
	damaged.Store(true)
	data := t.TempDir()
	in := install.New(data, "", "linux")
	pypi := standInPyPI(t, &damaged)
	in.Programs = &programs.Folder{Path: install.Programs(data), Registries: func() (string, string) { return "", pypi }}
	h := client.New(client.Options{Unconfined: unconfined, Env: []string{"PATH=/nowhere", "HOME=" + t.TempDir()}, Data: filepath.Join(data, "servers"), Process: client.ProcessOptions{Programs: install.Programs(data)}})
	t.Cleanup(h.Close)
	d := shown(t, ui.Options{Host: h, Files: ui.Files{DataDir: data, Installer: &in}})
	d.openConnect()
	d.Enter(scriptField, "uvx mcp-server-time")
	d.sees("uvx is not installed on this computer. goated can install uv for you, from PyPI.")
	d.Press("Install uv")
	d.until("it says why", func() bool { return d.Says("has another hash than the registry promises") })
	damaged.Store(false)
	d.Press("Add and start")
	d.sees("goated can't find the program uvx, which starts this server.")
	d.Press("Install uv")
	d.until("uv is installed", func() bool { return !d.Says("uvx is not installed on this computer") })
	if _, err := os.Stat(filepath.Join(install.Programs(data), "bin", "uvx")); err != nil {
		t.Error(err)
	}
}
