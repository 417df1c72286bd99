package transfer

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"goated/internal/config"
)

// An export is private, even if it replaces a file that others can read. It keeps a symbolic link.
func TestAReplacedExportIsPrivate(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "servers.json"), filepath.Join(dir, "link.json")
	if err := os.WriteFile(path, []byte("a longer text than the new one"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		link = path // on Windows without the right to create links
	}
	if err := Write(link, []byte("{}"), false); err == nil {
		t.Error("a file is replaced without force")
	}
	if err := Write(link, []byte("{}"), true); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if text, _ := os.ReadFile(path); err != nil || string(text) != "{}" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v", info.Mode())
	}
	if found, _ := os.Readlink(link); link != path && found != path {
		t.Error("the link was replaced")
	}
}

// An export contains the transport of a server, because other clients do not derive it from the URL.
func TestTransportsOfAnExport(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.example/sse": "sse", "https://a.example/v1/sse/?key=1": "sse", "https://a.example/SSE": "http",
		"https://a.example/mcp": "http", "https://a.example/mcp?x=/sse": "http", "https://${HOST}/sse": "sse",
	} {
		if got := exported(config.Launch{URL: url}).Type; got != want {
			t.Errorf("%s: %s", url, got)
		}
	}
}

// Variables and headers used to keep their references to goated's inputs, which no other client knows.
func TestInputsOfAnExport(t *testing.T) {
	in := config.Variable{Name: "input:region", Value: "eu"}
	local := exported(config.Launch{Command: "npx", Args: []string{"x-mcp", "--at=${input:region}"}, Env: []config.Variable{in, {Name: "AT", Value: "https://${input:region}.example"}}})
	if local.Args[1] != "--at=${REGION}" || local.Env["AT"] != "https://${REGION}.example" || len(local.Env) != 1 {
		t.Errorf("%+v", local)
	}
	web := exported(config.Launch{URL: "https://a.example/${input:region}", Env: []config.Variable{in}, Headers: []config.Variable{{Name: "X-Region", Value: "${input:region}"}}})
	if web.URL != "https://a.example/${REGION}" || web.Headers["X-Region"] != "${REGION}" {
		t.Errorf("%+v", web)
	}
}
