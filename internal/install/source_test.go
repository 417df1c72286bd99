package install

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const entryText = `{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "io.github.ada/weather", "description": "Forecasts", "version": "1.2.3",
  "packages": [{"registryType": "npm", "identifier": "@ada/weather", "version": "1.2.3", "transport": {"type": "stdio"},
    "environmentVariables": [{"name": "KEY", "isSecret": true, "isRequired": true}]}]
}`

// goated took a link to the registry, a server.json and the address of a bundle for a link or JSON
// without a server, and for a file to download manually.
func TestSourceOf(t *testing.T) {
	for text, want := range map[string]struct {
		source Source
		name   string
	}{
		"io.github.ada/weather":                                                                         {Registry, "io.github.ada/weather"},
		"vscode:mcp/by-name/io.github.ada/weather":                                                      {Registry, "io.github.ada/weather"},
		"vscode:mcp/by-name/io.github.ada%2Fweather":                                                    {Registry, "io.github.ada/weather"},
		"vscode-insiders:mcp/by-name/com.acme/shop-mcp?x=y":                                             {Registry, "com.acme/shop-mcp"},
		"https://vscode.dev/redirect?url=vscode%3Amcp%2Fby-name%2Fio.github.ada%2Fweather":              {Registry, "io.github.ada/weather"},
		"https://registry.modelcontextprotocol.io/v0.1/servers/io.github.ada%2Fweather/versions/latest": {Registry, "io.github.ada/weather"},
		entryText:                       {Entry, "weather"},
		`{"server": ` + entryText + "}": {Entry, "weather"},
		`{"name":"com.acme/shop","remotes":[{"type":"streamable-http","url":"https://shop.example/mcp"}]}`: {Entry, "shop"},
		"https://github.com/acme/shop/releases/download/v1.2/shop-1.2.mcpb":                                {Download, "shop-1.2.mcpb"},
		"https://acme.example/shop.DXT?raw=1":                                                              {Download, "shop.DXT"},
		"http://acme.example/shop.mcpb":                                                                    {Nowhere, ""},
		"https://acme.example/mcp":                                                                         {Nowhere, ""},
		"vscode:mcp/install?%7B%22name%22%3A%22x%22%7D":                                                    {Nowhere, ""},
		`{"mcpServers":{"x":{"command":"npx"}}}`:                                                           {Nowhere, ""},
		`{"name":"@ada/weather","bin":"x"}`:                                                                {Nowhere, ""},
		`{"name":"com.acme/shop"}`:                                                                         {Nowhere, ""},
		"npx -y @ada/weather":                                                                              {Nowhere, ""},
		"/home/ada/shop.mcpb":                                                                              {Nowhere, ""},
		"weather forecasts":                                                                                {Nowhere, ""},
	} {
		if source, name := SourceOf(text); source != want.source || name != want.name {
			t.Errorf("%s: %d %q, want %d %q", text, source, name, want.source, want.name)
		}
	}
}

func TestFindTakesEachSource(t *testing.T) {
	bundle := filepath.Join(t.TempDir(), "no.mcpb")
	if err := os.WriteFile(bundle, []byte("no zip"), 0o600); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, ".mcpb"):
			http.ServeFile(w, r, bundle)
		default:
			_, _ = w.Write([]byte(`{"server":` + entryText + "}"))
		}
	}))
	defer web.Close()
	in := New(t.TempDir(), web.URL, "linux")
	for _, text := range []string{entryText, "vscode:mcp/by-name/io.github.ada/weather", "io.github.ada/weather"} {
		c, err := in.Find(t.Context(), text, "")
		if err != nil || c.Label != "npm package @ada/weather 1.2.3" || len(c.Inputs) != 1 || !c.Inputs[0].Secret {
			t.Errorf("%s: %+v, %v", text, c, err)
		}
	}
	if _, err := in.Find(t.Context(), web.URL+"/shop.mcpb", ""); err == nil || !strings.Contains(err.Error(), "is not a bundle that goated can install") {
		t.Error(err)
	}
	unhashed := strings.Replace(strings.Replace(entryText, `"npm"`, `"mcpb"`, 1), "@ada/weather", web.URL+"/shop.mcpb", 1)
	if _, err := in.Find(t.Context(), unhashed, ""); err == nil || strings.Contains(err.Error(), "is no bundle") {
		t.Errorf("a bundle without a hash: %v", err)
	}
}
