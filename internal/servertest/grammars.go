package servertest

import (
	"os"
	"path/filepath"
	"testing"
)

// Grammars returns the folder for compiled grammars of LLMem. Like GoData, it is kept after the
// tests, because compiling all grammars takes seconds.
func Grammars(t testing.TB) string {
	dir := filepath.Join(GoData(t), "grammars")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// LLMemData returns a folder for the caches of LLMem that exists until the test ends. Its grammars
// are shared by all tests. Its outlines are not, because no other test reads the test's own folder.
func LLMemData(t testing.TB) string {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "llmem"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(Grammars(t), filepath.Join(dir, "llmem", "grammars")); err != nil {
		t.Fatal(err)
	}
	return dir
}
