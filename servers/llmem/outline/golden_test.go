package outline

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/internal/servertest"
)

var update = flag.Bool("update", false, "write the golden files again; read what changes before you commit it")

// Each sample in testdata/samples contains most kinds of definitions in its language. The list
// beside it has the kind, the qualified name and the lines of each definition.
func TestSamplesMatchTheirLists(t *testing.T) {
	p := New(Options{CacheDir: servertest.Grammars(t), MaxTime: time.Minute})
	defer p.Close()
	names, err := filepath.Glob("testdata/samples/*")
	if err != nil {
		t.Fatal(err)
	}
	languages := make(map[string]bool)
	for _, name := range names {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.Parse(t.Context(), name, source)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		languages[f.Language] = true
		var have bytes.Buffer
		for _, s := range f.Symbols {
			local := ""
			if s.Local {
				local = " local"
			}
			full := s.Name
			if s.Parent != "" {
				full = s.Parent + "." + s.Name
			}
			fmt.Fprintf(&have, "%s %s %d-%d%s\n", s.Kind, full, s.StartLine, s.EndLine, local)
		}
		golden := name + ".golden"
		if *update {
			if err := os.WriteFile(golden, have.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have.Bytes(), want) {
			t.Errorf("%s: the outline is\n%s\nand not\n%s", name, have.Bytes(), want)
		}
	}
	for _, l := range []string{"bash", "c", "cpp", "csharp", "java", "javascript", "kotlin", "lua", "php", "ruby", "rust", "tsx"} {
		if !languages[l] {
			t.Errorf("%s has no sample", l)
		}
	}
}
