package servertest

import (
	"os"
	"path/filepath"
	"testing"
)

// Grammars returns the folder for compiled grammars of LLMem. It outlives the tests, as GoData
// does: compiling all of them takes seconds.
func Grammars(t testing.TB) string {
	dir := filepath.Join(GoData(t), "grammars")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// LLMemData returns a folder for the caches of LLMem until the test ends. All tests share its
// grammars. They do not share its outlines: no other test reads the folder of this one.
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
