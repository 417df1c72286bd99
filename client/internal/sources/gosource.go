package sources

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"goated/internal/lazyregexp"
)

// OfGoRun returns the source of a "go run" command, which is its second argument. ok is false for
// commands that do not run a source file or folder on this computer.
func OfGoRun(program string, args []string) (source string, ok bool) {
	if filepath.Base(program) != "go" || len(args) < 2 || args[0] != "run" {
		return "", false
	}
	source = args[1]
	return source, !strings.HasPrefix(source, "-") && !strings.Contains(source, "@")
}

// Package returns the source of the .go script at path in the form that go takes: "." for its
// package if the script needs the other files, otherwise the script alone.
func Package(path string) string {
	dir, own := filepath.Dir(path), filepath.Base(path)
	if needsPackage(dir, own) {
		return "."
	}
	return "./" + own
}

var (
	packageMain = lazyregexp.New(`(?m)^package main\b`)
	funcMain    = lazyregexp.New(`(?m)^func main\(\)`)
)

// maxSiblings bounds how many files of a folder needsPackage reads.
const maxSiblings = 200

// needsPackage reports whether the files of a folder in a module form one program. Files with their
// own main function are separate programs.
func needsPackage(dir, own string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	names, _ := f.Readdirnames(maxSiblings)
	_ = f.Close()
	others := 0
	for _, name := range names {
		if name == own || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text := ReadBeginning(filepath.Join(dir, name))
		switch {
		case !packageMain.Match(text):
		case funcMain.Match(text):
			return false
		default:
			others++
		}
	}
	return others > 0 && inModule(dir)
}

// inModule reports whether a folder is in a Go module.
func inModule(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
		dir = filepath.Dir(dir)
	}
}

// ReadBeginning returns up to 1 MiB from the beginning of a file.
func ReadBeginning(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 1<<20))
	return text
}
