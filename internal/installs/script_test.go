package installs

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/proctest"
)

// npx does not report a failed install script, but its log does.
func TestFailedScript(t *testing.T) {
	store := t.TempDir()
	if name, script := FailedScript(store); name+script != "" {
		t.Errorf("without a log: %q, %q", name, script)
	}
	log := func(file, text string) { write(t, text, store, "npm", "_logs", file) }
	log("2026-11-23T08_00_00_000Z-debug-0.log", "7 info run old@1.0.0 install node_modules/old node-gyp rebuild\n8 info run old@1.0.0 install { code: 1, signal: null }\n")
	log("2026-11-23T08_30_00_000Z-debug-0.log", "1 info run fine@2.0.0 install node_modules/fine node x.js\n2 info run fine@2.0.0 install { code: 0, signal: null }\n"+
		"3 info run @cats/chart@0.4.1 postinstall node_modules/@cats/chart playwright install --with-deps chromium\n4 info run @cats/chart@0.4.1 postinstall { code: 1, signal: null }\n5 verbose exit 1\n")
	if name, script := FailedScript(store); name != "@cats/chart" || script != "playwright install --with-deps chromium" {
		t.Errorf("%q, %q", name, script)
	}
	log("2026-11-23T09_00_00_000Z-debug-0.log", "1 verbose exit 0\n")
	if name, script := FailedScript(store); name+script != "" {
		t.Errorf("a later run that did not fail: %q, %q", name, script)
	}
}

// An install script downloads no browser if there is one. Puppeteer's script needed permissions for
// three hosts. The browser then starts without its own sandbox, because that has no namespaces
// here.
func TestInstallScriptsUseTheBrowserThatIsThere(t *testing.T) {
	bin, folder := t.TempDir(), filepath.Join(t.TempDir(), "config")
	t.Setenv("PATH", bin)
	named := func() []string {
		all, err := Copies(t.Context(), folder, nil, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(all, func(kv string) bool { return !strings.HasPrefix(kv, "PUPPETEER_") })
	}
	if got := named(); len(got) > 0 {
		t.Errorf("without a browser: %q", got)
	}
	if err := proctest.WriteProgram(filepath.Join(bin, "chromium"), []byte("#!/bin/sh\necho \"$@\"\n")); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "chrome")
	for range 2 {
		if got, want := named(), []string{"PUPPETEER_SKIP_DOWNLOAD=true", "PUPPETEER_EXECUTABLE_PATH=" + program}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if out, err := exec.Command(program, "--headless", "a b").Output(); err != nil || string(out) != "--no-sandbox --headless a b\n" {
		t.Errorf("it starts the browser with %q, %v", out, err)
	}
}
