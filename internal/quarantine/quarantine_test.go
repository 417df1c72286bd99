package quarantine

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/registry"
)

func entry(name, description string) registry.Entry {
	return registry.Entry{Server: "box", Name: "box__" + name, Tool: &mcp.Tool{Name: name, Description: description}}
}

// A rejected tool is not sent to its model by any process, until the tool changes, its term ends or
// the user releases it.
func TestQuarantine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "quarantine.json")
	a, b := New(path), New(path)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	a.now, b.now = func() time.Time { return now }, func() time.Time { return now }
	x, y := entry("x", "X."), entry("y", "Y.")
	both := []registry.Entry{x, y}
	if got := b.Refused("", "m", both); len(got) != 0 {
		t.Fatalf("at first %v", got)
	}
	if err := a.Refuse("", "m", x, "too odd"); err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]*List{"its own": a, "another": b, "a new": {file: b.file, now: a.now}} {
		if got := l.Refused("", "m", both); len(got) != 1 || got[x.Tool] != "too odd" {
			t.Errorf("%s process: %v", name, got)
		}
		if got := l.Refused("", "another model", both); len(got) != 0 {
			t.Errorf("%s process, another model: %v", name, got)
		}
		if got := l.Refused("https://example.org/v1", "m", both); len(got) != 0 {
			t.Errorf("%s process, another service: %v", name, got)
		}
		if got := l.Refused("", "m", []registry.Entry{entry("x", "Changed.")}); len(got) != 0 {
			t.Errorf("%s process, a changed tool: %v", name, got)
		}
		if got := l.Of(x); len(got) != 1 || got[0].Reason != "too odd" || !got[0].Until().Equal(now.Add(Term)) {
			t.Errorf("%s process tells %+v", name, got)
		}
	}
	later := now
	a.now = func() time.Time { return later }
	if later = now.Add(Term); len(a.Refused("", "m", both)) != 0 {
		t.Error("the term does not end")
	}
	if released, err := b.Release(x); err != nil || !released {
		t.Errorf("released %t, %v", released, err)
	}
	a.now = b.now
	if got := a.Refused("", "m", both); len(got) != 0 {
		t.Errorf("after the release %v", got)
	}
	if released, err := b.Release(x); err != nil || released {
		t.Errorf("released again: %t, %v", released, err)
	}
}

// If the file is damaged or cannot be written, the quarantine only lasts as long as the process.
func TestQuarantineWithoutAFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "quarantine.json")
	if err := os.WriteFile(path, []byte("{tools"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := entry("x", "X.")
	l := New(path)
	if err := l.Refuse("", "m", x, "odd"); err != nil {
		t.Fatal(err)
	}
	if got := New(path).Of(x); len(got) != 1 {
		t.Errorf("after damage %v", got)
	}
	blocked := New(filepath.Join(path, "below", "a-file.json"))
	if err := blocked.Refuse("", "m", x, "odd"); err == nil {
		t.Error("it was saved below a file")
	}
	if got := blocked.Of(x); len(got) != 1 {
		t.Errorf("the process forgets: %v", got)
	}
	var none *List
	if err := none.Refuse("", "m", x, "odd"); err != nil || none.Of(x) != nil || none.Refused("", "m", []registry.Entry{x}) != nil {
		t.Error("no list is not empty")
	}
}
