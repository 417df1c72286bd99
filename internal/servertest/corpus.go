package servertest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Messages returns the messages of both sides in the conformance tests of the MCP Go SDK, each on
// one line. They come from the version of the module that goated uses.
func Messages(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, text := range corpus(t, "github.com/modelcontextprotocol/go-sdk", "mcp/testdata/conformance/server/*.txtar") {
		for part := range strings.SplitSeq(text, "\n-- ") {
			_, part, _ = strings.Cut(part, " --\n")
			for in := json.NewDecoder(strings.NewReader(part)); ; {
				var message json.RawMessage
				if in.Decode(&message) != nil {
					break // the end, or a list of names
				}
				var line bytes.Buffer
				if err := json.Compact(&line, message); err != nil {
					t.Fatal(err)
				}
				all = append(all, line.Bytes())
			}
		}
	}
	return all
}

// Schemas returns the files of the JSON Schema test suite for 2020-12. They come from the module
// with which goated validates schemas.
func Schemas(t testing.TB) []string {
	t.Helper()
	return corpus(t, "github.com/google/jsonschema-go", "jsonschema/testdata/draft2020-12/*.json")
}

// corpus reads the files of a module that match a pattern.
func corpus(t testing.TB, module, pattern string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("finding the module %s: %v", module, err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no %s: %v", module, pattern, err)
	}
	slices.Sort(files)
	all := make([]string, len(files))
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = string(data)
	}
	return all
}
