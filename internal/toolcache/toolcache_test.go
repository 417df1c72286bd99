package toolcache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestListsAndTimesSurviveAStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tools")
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	s := New(dir)
	if tools, used := s.Get("a"); tools != nil || !used.IsZero() {
		t.Fatalf("an unknown server has %v, used %v", tools, used)
	}
	tools := []*mcp.Tool{{Name: "read", Title: "Read a file", InputSchema: map[string]any{"type": "object"}}, nil}
	if err := s.Put("a", tools)(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second run finds the file
		if err := s.Used("a", at); err != nil {
			t.Fatal(err)
		}
		at = at.Add(2 * time.Minute)
	}
	_ = s.Put("b", tools) // not written yet
	if got, _ := s.Get("b"); len(got) == 0 {
		t.Error("a list that is not written yet is not found")
	}
	got, used := New(dir).Get("a")
	if len(got) != 1 || got[0].Title != "Read a file" || !used.Equal(at.Add(-2*time.Minute)) {
		t.Errorf("the next start finds %v, used %v", got, used)
	}
}

func TestAnUnchangedListIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	s := New(dir)
	tools := []*mcp.Tool{{Name: "read"}}
	path := filepath.Join(dir, "a.json")
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 2 {
		if err := s.Put("a", tools)(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.ModTime().Equal(old) {
			continue
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("the file was written again: %v, %v", info, err)
	}
}

func TestADamagedOrHugeListIsNoList(t *testing.T) {
	dir := t.TempDir()
	s := New(dir)
	for _, damage := range []string{"", "{", `{"tools":[null]}`, `{"tools":7}`} {
		if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		if tools, _ := s.Get("a"); tools != nil {
			t.Errorf("%q gives %v", damage, tools)
		}
	}
	if err := s.Put("a", []*mcp.Tool{{Name: "read"}})(); err != nil {
		t.Fatal(err)
	}
	if err := s.Put("a", []*mcp.Tool{{Name: "read", Description: strings.Repeat("x", maxSize)}})(); err != nil {
		t.Fatal(err)
	}
	if tools, _ := New(dir).Get("a"); tools != nil {
		t.Error("the list that is too long left the old one")
	}
}

func TestWithoutAFolderNothingIsKept(t *testing.T) {
	s := New("")
	if err := s.Put("a", []*mcp.Tool{{Name: "read"}})(); err != nil {
		t.Error(err)
	}
	if err := s.Used("a", time.Now()); err != nil {
		t.Error(err)
	}
	if tools, used := s.Get("a"); tools != nil || !used.IsZero() {
		t.Error("it kept something")
	}
}
