package folders

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Servers that differ only in their names, such as two accounts, do not share a folder.
func TestEachNameHasItsFolder(t *testing.T) {
	tree := New(t.TempDir(), nil, slog.New(slog.DiscardHandler))
	none, work, private := npx(t, tree, ""), npx(t, tree, "GitHub work"), npx(t, tree, "GitHub private")
	if none == work || work == private || none == private {
		t.Errorf("they have %s, %s and %s", none, work, private)
	}
	if again := npx(t, tree, "GitHub work"); again != work {
		t.Errorf("it had %s and has %s", work, again)
	}
}

// The folder of an older version of goated belongs to the first server with a name. The server without
// a name, such as one in a terminal, still has it.
func TestOlderFolderIsAdopted(t *testing.T) {
	parent := t.TempDir()
	old := npx(t, New(t.TempDir(), nil, slog.New(slog.DiscardHandler)), "")
	old = filepath.Join(parent, filepath.Base(old))
	write(t, old)
	tree := New(parent, nil, slog.New(slog.DiscardHandler))
	for _, tt := range []struct {
		name string
		has  bool
	}{{"", true}, {"memory", true}, {"second", false}, {"", true}, {"memory", true}} {
		if is := npx(t, tree, tt.name); (is == old) != tt.has {
			t.Errorf("%q has %s, and %s is older", tt.name, is, old)
		}
	}
}

// A replaced server's folder belongs to its replacement alone, until it is replaced again. A
// replacement with files of its own keeps those.
func TestReplacementKeepsTheFolder(t *testing.T) {
	tree := New(t.TempDir(), nil, slog.New(slog.DiscardHandler))
	keep := func(was, now Server) {
		t.Helper()
		if err := tree.Keep(was, now); err != nil {
			t.Fatal(err)
		}
	}
	older, newer := command("memory", "-y", "pkg@1.2.3"), command("memory", "-y", "pkg@1.2.4")
	was := of(t, tree, older)
	write(t, was)
	keep(older, newer)
	if now, other := of(t, tree, newer), of(t, tree, older); now != was || other == was {
		t.Errorf("it had %s, its replacement has %s, and a second one %s", was, now, other)
	}
	renamed := command("notes", "-y", "pkg@1.2.4")
	keep(newer, renamed)
	keep(renamed, older) // back, although a second one started without files
	if now := of(t, tree, older); now != was {
		t.Errorf("after it came back it has %s instead of %s", now, was)
	}
	full := command("full", "-y", "pkg@1.2.3")
	its := of(t, tree, full)
	write(t, its)
	keep(older, full)
	if now := of(t, tree, full); now != its {
		t.Errorf("it has %s instead of its own %s", now, its)
	}
}

// Find tells the folder of a server that may never start, so it takes none.
func TestFindTakesNoFolder(t *testing.T) {
	tree := New(t.TempDir(), nil, slog.New(slog.DiscardHandler))
	found, err := tree.Find(command("never"))
	if now := npx(t, tree, "first"); err != nil || now != found {
		t.Errorf("the first server has %s, and Find told another one %s, %v", now, found, err)
	}
}

// A temporary folder in place of one that cannot be made loses what servers write, so the log says it once.
func TestTemporaryFolderIsLogged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	tree := New(filepath.Join(file, "servers"), nil, slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(tree.Remove)
	npx(t, tree, "a")
	npx(t, tree, "b")
	if strings.Count(log.String(), "servers lose their files") != 1 || !strings.Contains(log.String(), file) {
		t.Errorf("it logs %q", log.String())
	}
}

func command(name string, args ...string) Server {
	return Server{Program: "npx", Command: append([]string{""}, args...), Name: name}
}

func npx(t *testing.T, tree *Tree, name string) string {
	t.Helper()
	return of(t, tree, command(name))
}

func of(t *testing.T, tree *Tree, s Server) string {
	t.Helper()
	folder, err := tree.Of(s)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// write makes a server's file in a folder.
func write(t *testing.T, folder string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(folder, "files"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "files", "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
