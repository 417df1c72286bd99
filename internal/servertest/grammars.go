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

// LLMemData returns a folder for the caches of LLMem until the test ends. Its grammars are those
// of all tests, but not its outlines: they are of a folder that the test makes, so that nobody
// would read them again.
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
