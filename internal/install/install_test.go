package install

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/inputs"
)

// A bundle that replaces an installed one says so before the user installs it.
func TestAnUpdateIsShown(t *testing.T) {
	in := New(t.TempDir(), "", "linux")
	for _, c := range []struct{ name, version, says string }{
		{"Shop", "1.0.0", "bundle Shop 1.0.0, "},
		{"Shop", "1.1.0", "update of the installed version 1.0.0: bundle Shop 1.1.0, "},
		{"shop!", "2.0.0", "bundle shop! 2.0.0, "},
	} {
		choice, err := in.Bundle(packed(t, c.name, c.version))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(choice.Label, c.says) {
			t.Errorf("the label is %q, not %q", choice.Label, c.says)
		}
		if _, err := in.Install(t.Context(), choice, inputs.Values{}); err != nil {
			t.Error(err)
		}
		choice.Close()
	}
}

// packed writes a bundle to a file, and returns its path.
func packed(t *testing.T, name, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.mcpb")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for file, text := range map[string]string{
		"manifest.json": `{"manifest_version":"0.3","name":"` + name + `","version":"` + version + `","description":"d","author":{"name":"a"},
			"server":{"type":"node","entry_point":"index.js","mcp_config":{"command":"node","args":["${__dirname}/index.js"]}}}`,
		"index.js": "",
	} {
		w, err := z.Create(file)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
