package properties_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"goated/client"
	"goated/internal/wording"
)

// said returns the one text of a result.
func said(t rapid.TB, r *mcp.CallToolResult) string {
	t.Helper()
	if r == nil || len(r.Content) != 1 {
		t.Fatalf("result %+v", r)
	}
	text, ok := r.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content %T", r.Content[0])
	}
	return text.Text
}

// ran returns the numbers of the calls that the server has run since the last call of ran.
func ran(t rapid.TB, h *client.Host) (numbers []int) {
	t.Helper()
	r, err := h.Call(context.Background(), "box__ran", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(said(t, r)), &numbers); err != nil {
		t.Fatal(err)
	}
	return numbers
}

// checkError checks that an error has a kind, and that its text is a sentence.
func checkError(t rapid.TB, err, kind error) {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) || !errors.Is(err, kind) || e.Kind != kind {
		t.Fatalf("error %#v, want %v", err, kind)
	}
	if text := err.Error(); text == "" || strings.ToUpper(text[:1]) != text[:1] {
		t.Fatalf("%q is no sentence", text)
	}
	if wording.Advice(err) == "" {
		t.Fatalf("%q comes without advice", err)
	}
}

// Property 6: "For any IPC call to mcp:connect or mcp:executeTool, the main
// process SHALL validate inputs before performing operations, rejecting invalid
// paths and non-existent tools with appropriate error responses." First, tools: all
// checks share one server, which counts the calls that reach it.
func TestProperty6UnknownTools(t *testing.T) {
	h := newHost(t, client.Options{})
	connect(t, h, box("box", "plain"))
	ran(t, h)
	known := []string{"box__ok", "box__fail", "box__offer"}
	names := rapid.OneOf(texts(), rapid.Custom(func(t *rapid.T) string {
		name := rapid.SampledFrom(known).Draw(t, "known")
		i := rapid.IntRange(0, len(name)).Draw(t, "at")
		switch rapid.IntRange(0, 4).Draw(t, "change") {
		case 0:
			return name[:i]
		case 1:
			return name[i:] // the tool's own name is not one that is called
		case 2:
			return name[:i] + rapid.SampledFrom([]string{"_", "-", " ", "\x00", "é", "x"}).Draw(t, "insert") + name[i:]
		case 3:
			return name[:i] + strings.ToUpper(name[i:])
		}
		return strings.Replace(name, "box", rapid.SampledFrom([]string{"box-2", "", "ghost"}).Draw(t, "server"), 1)
	}))
	rapid.Check(t, func(t *rapid.T) {
		name := names.Draw(t, "name")
		if name == "box__ok" || name == "box__fail" || name == "box__offer" {
			t.Skip("exists")
		}
		_, lookup := h.Lookup(name)
		result, call := h.Call(t.Context(), name, jsonObjects(floats()).Draw(t, "args"), nil)
		for _, err := range []error{lookup, call} {
			checkError(t, err, client.ErrToolNotFound)
			// After the sentence of seed 003, the error may name existing tools.
			want := "Tool '" + name + "' not found in any connected server"
			similar, ok := strings.CutPrefix(err.Error(), want)
			if !ok {
				t.Fatalf("error %q, want %q", err, want)
			}
			if similar == "" {
				continue
			}
			list, ok := strings.CutPrefix(similar, ". Similar names: ")
			for _, near := range strings.Split(list, ", ") {
				if _, missing := h.Lookup(near); !ok || missing != nil {
					t.Fatalf("error %q names %q: %v", err, near, missing)
				}
			}
		}
		if result != nil {
			t.Fatalf("%q has the result %+v", name, result)
		}
		if got := ran(t, h); len(got) != 0 {
			t.Fatalf("%q ran %d calls", name, len(got))
		}
	})
}

// Property 6, for paths: no process starts, and the list of servers stays empty.
func TestProperty6InvalidPaths(t *testing.T) {
	mark := fakes(t, "python3", "python", "node", "go")
	h := newHost(t, client.Options{})
	dir := t.TempDir()
	for _, name := range []string{"folder.py", "folder.js", "folder.go"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file.py"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path := rapid.OneOf(paths(), rapid.SampledFrom([]string{
		"folder.py", "folder.js", "folder.go", "file.py/x.py", "missing.py", "\x00.py", "", ".", "/",
		strings.Repeat("long", 2000) + ".js", "folder.py/", "https://example.com/x.py",
	}))
	rapid.Check(t, func(t *rapid.T) {
		p := filepath.Join(dir, "0") + path.Draw(t, "path") // does not exist
		if rapid.Bool().Draw(t, "relative to dir") {
			p = dir + "/" + path.Draw(t, "path in dir")
		}
		want := client.ErrExtension
		if accepted(p) {
			switch info, err := os.Stat(p); {
			case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // a path below a file
				want = client.ErrNotFound
			case err != nil || info.IsDir():
				want = client.ErrStart
			default:
				t.Skip("would run")
			}
		}
		_, err := h.Connect(t.Context(), client.Config{Path: p})
		checkError(t, err, want)
		if want == client.ErrNotFound && err.Error() != "Server script not found: "+p {
			t.Fatalf("error %q", err)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Fatalf("%q was rejected, but something ran", p)
		}
		if n := len(h.Snapshot().Servers); n != 0 {
			t.Fatalf("%q was rejected, but %d servers are listed", p, n)
		}
	})
}

// Property 6, for later failures: these errors have a kind too.
func TestProperty6ErrorKinds(t *testing.T) {
	patient, hasty := newHost(t, client.Options{}), newHost(t, client.Options{Timeouts: client.Timeouts{Call: failAfter}})
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			h := patient
			if f.kind == client.ErrCallTimeout {
				h = hasty
			}
			if f.onBox {
				id := connect(t, h, box("box", "plain"))
				defer func() { _ = h.Disconnect(t.Context(), id) }()
			}
			err := f.do(t, h)
			checkError(t, err, f.kind)
		})
	}
}

// Property 6, for a server that exits immediately: the error reports that the server did not start,
// whether goated was writing to it or reading from it.
func TestProperty6ServerThatEndsAtOnce(t *testing.T) {
	fakes(t, "python3")
	path := filepath.Join(t.TempDir(), "x.py")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHost(t, client.Options{})
	for range 30 {
		_, err := h.Connect(t.Context(), client.Config{Path: path})
		checkError(t, err, client.ErrStart)
	}
}
