//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A world holds the local stand-ins: a folder with files, a git repository, an SQLite file, an HTTP
// server with a page and the responses of web services, a proxy in place of external services, and
// servers for two other protocols.
type world struct {
	dir     string
	server  *http.Server
	proxy   *company
	talkers []*talker
	addr    string // of the server, which is also the proxy
	names   *strings.Replacer
}

// page is the page of the HTTP server.
const page = `<!doctype html><html><head><title>Stand-in</title></head><body><h1>Hello from the stand-in</h1><p>Nine lives.</p></body></html>`

// kubeconfig is a configuration with one cluster.
const kubeconfig = `apiVersion: v1
kind: Config
current-context: basket
contexts: [{name: basket, context: {cluster: basket, user: whiskers}}]
clusters: [{name: basket, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: whiskers, user: {}}]
`

// pdf is a page with one word.
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 38>>stream
BT /F1 24 Tf 20 100 Td (Whiskers) Tj ET
endstream endobj
trailer<</Root 1 0 R/Size 5>>
`

// newWorld creates the stand-ins in a folder, which must not exist. If dir is empty, it uses a
// temporary folder. close removes them.
func newWorld(dir string) (*world, error) {
	var err error
	if dir == "" {
		dir, err = os.MkdirTemp("", "goated-reach-")
	} else {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return nil, err
	}
	w := &world{dir: dir}
	if err := w.serve(); err != nil {
		w.close()
		return nil, err
	}
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	w.names = strings.NewReplacer("{dir}", at("files"), "{repo}", at("repo"), "{db}", at("base", "data.db"), "{new}", at("base", "new.db"),
		"{url}", "http://"+w.addr, "{addr}", w.addr, "{work}", at("work"), "{home}", at("home"), "{chromium}", chromium(),
		"{kube}", at("files", "kubeconfig"), "{ca}", at("authority.pem"), "{blender}", w.talkers[0].port(), "{mongo}", w.talkers[1].port())
	return w, w.fillFolders()
}

// serve starts the stand-ins of services.
func (w *world) serve() error {
	for _, protocol := range []func(net.Conn){blender, mongo} {
		t, err := talk(protocol)
		if err != nil {
			return err
		}
		w.talkers = append(w.talkers, t)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	w.addr = l.Addr().String()
	mux := http.NewServeMux()
	for _, pattern := range []string{"/{$}", "docs.aws.amazon.com/"} {
		mux.HandleFunc(pattern, func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(out, page)
		})
	}
	mux.HandleFunc("/", func(out http.ResponseWriter, in *http.Request) {
		http.Error(out, fmt.Sprintf("the stand-in has no %s %s%s", in.Method, in.Host, in.URL.Path), http.StatusNotFound)
	})
	serveAnswers(mux)
	serveModel(mux)
	mcpServer := mcp.NewServer(&mcp.Implementation{Name: "stand-in", Version: "1"}, nil)
	mcp.AddTool(mcpServer, &mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello from afar"}}}, nil, nil
	})
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return mcpServer }, nil))
	if w.proxy, err = newCompany(filepath.Join(w.dir, "authority.pem"), mux); err != nil {
		_ = l.Close()
		return err
	}
	w.server = &http.Server{Handler: w.proxy}
	go func() { _ = w.server.Serve(l) }() // until close
	return nil
}

// chromium returns the browser of this computer.
func chromium() string {
	for _, name := range []string{"google-chrome", "chromium", "chromium-browser"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return "chromium"
}

func (w *world) fillFolders() error {
	for _, name := range []string{"files", "repo", "base", "work", "home", "home/.cache", "home/.config", "home/.local/share", "home/.local/state"} {
		if err := os.MkdirAll(filepath.Join(w.dir, name), 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(w.dir, "files", "note.txt"), []byte("Buy milk.\n"), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.dir, "files", "list.md"), []byte("Cat food.\n"), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.dir, "files", "kubeconfig"), []byte(kubeconfig), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.dir, "files", "note.pdf"), []byte(pdf), 0o644); err != nil {
		return err
	}
	script := `import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute("create table cats(name text)"); c.execute("insert into cats values('Whiskers')"); c.commit()`
	for _, argv := range [][]string{
		{"git", "init", "-q", filepath.Join(w.dir, "repo")},
		{"git", "-C", filepath.Join(w.dir, "repo"), "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "-q", "--allow-empty", "-m", "The first commit"},
		{"python3", "-c", script, filepath.Join(w.dir, "base", "data.db")},
	} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", argv[0], err, out)
		}
	}
	return nil
}

// fill replaces placeholders for stand-ins, such as {dir}, in a text of the table.
func (w *world) fill(text string) string { return w.names.Replace(text) }

func (w *world) close() {
	if w.server != nil {
		_ = w.server.Close()
		_ = w.proxy.Close()
	}
	for _, t := range w.talkers {
		t.close()
	}
	_ = os.RemoveAll(w.dir)
}

// resultText returns all text in a result.
func resultText(r *mcp.CallToolResult) string {
	var out []string
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			out = append(out, t.Text)
		}
	}
	if r.StructuredContent != nil {
		text, _ := json.Marshal(r.StructuredContent)
		out = append(out, string(text))
	}
	return strings.Join(out, "\n")
}
