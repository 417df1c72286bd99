package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sample = `package sample

import "errors"

type box struct{ out chan int }

func (b *box) put(n int) error {
	if n < 0 && b != nil {
		return errors.New("negative")
	}
	defer b.close()
	err := b.check()
	b.close()
	b.close()
	select {
	case b.out <- n:
	default:
	}
	return err
}

func (b *box) check() error { return nil }
func (b *box) full(part float64) bool { return part >= 0.9 || 2*part > 1.5 || part < 0 }
func (b *box) close()       {}
`

// tree writes a module with a source and a table, and loads it.
func tree(t *testing.T, table string) ([]mutant, []error) {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"sample/sample.go": sample, "faults/x.txt": table} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return load(root, []string{filepath.Join(root, "faults", "x.txt")})
}

func TestNamedFault(t *testing.T) {
	mutants, problems := tree(t, `# a comment
B1 a negative number is taken
in sample/sample.go
- if n < 0 && b != nil {
- return errors.New("negative")
+ if n < 0 && b == nil {
+ return nil
test ./sample -run TestPut
test ./...
`)
	if len(problems) > 0 || len(mutants) != 1 {
		t.Fatalf("%d faults, %v", len(mutants), problems)
	}
	m := mutants[0]
	if m.area != "x" || m.id != "B1" || m.title != "a negative number is taken" || m.line() != 8 || len(m.tests) != 2 || !slices.Equal(m.tests[0], []string{"./sample", "-run", "TestPut"}) {
		t.Errorf("the fault is %+v", m)
	}
	if got := string(m.source()); !strings.Contains(got, "\tif n < 0 && b == nil {\nreturn nil\n\t}\n\tdefer") {
		t.Errorf("the source is\n%s", got)
	}
}

func TestGeneratedFaults(t *testing.T) {
	mutants, problems := tree(t, `each box.put
in sample
by negate drop edge either hide
except drop defer b.close()
test ./sample
`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := map[string]string{
		"sample.box.put negate n < 0 && b != nil": "if !(n < 0 && b != nil) {",
		"sample.box.put either n < 0 && b != nil": "if n < 0 || b != nil {",
		"sample.box.put edge n < 0":               "if n <= 0 && b != nil {",
		"sample.box.put drop b.close()":           "if false { b.close() }\n\tb.close()\n",
		"sample.box.put drop b.close() #2":        "b.close()\n\tif false { b.close() }\n",
		"sample.box.put hide return err":          "return nil\n}\n",
	}
	for _, m := range mutants {
		if text, ok := want[m.id]; !ok || !strings.Contains(string(m.source()), text) {
			t.Errorf("%q makes\n%s", m.id, m.source())
		}
		delete(want, m.id)
	}
	for id := range want {
		t.Errorf("there is no %q", id)
	}
}

// A score is never exactly a fraction, so moving that limit changes nothing.
func TestEdgesOfFractionsStay(t *testing.T) {
	mutants, problems := tree(t, "each box.full\nin sample\nby edge\ntest ./sample\n")
	if len(problems) > 0 || len(mutants) != 1 || mutants[0].id != "sample.box.full edge part < 0" {
		t.Errorf("%d faults, %v", len(mutants), problems)
	}
}

// A table that does not match the source causes an error.
func TestTablesThatDoNotFit(t *testing.T) {
	for table, want := range map[string]string{
		"B1 x\nin sample/sample.go\n- nowhere\ntest ./x":                                           "is missing",
		"B1 x\nin sample/sample.go\n- b.close()\ntest ./x":                                         "occurs 3 times",
		"B1 x\nin other.go\n- b\ntest ./x":                                                         "other.go",
		"B1 x\nin sample/sample.go\n- n int\ntest ./x\nfor ./x":                                    `unknown word "for"`,
		"B1 x\nin sample/sample.go\n- type box":                                                    "needs a file",
		"each box.get\nin sample\nby drop\ntest ./x":                                               "has no function box.get",
		"each box.put\nin sample\nby none\ntest ./x":                                               `unknown operator "none"`,
		"each box.put\nin sample\nby drop\nexcept drop x()\ntest ./x":                              `no fault is called "drop x()"`,
		"each box.close\nin sample\nby drop\ntest ./x":                                             "nothing to change",
		"each box.put\nin sample\nby hide\ntest ./x\n\neach box.put\nin sample\nby hide\ntest ./x": "there is another fault",
	} {
		if _, problems := tree(t, table); len(problems) != 1 || !strings.Contains(problems[0].Error(), want) {
			t.Errorf("%q: %v, want %q", table, problems, want)
		}
	}
}

// Every fault in the project's tables matches the current source.
func TestTablesFitTheSource(t *testing.T) {
	root := filepath.Join("..", "..")
	tables, err := filepath.Glob("faults/*.txt")
	if err != nil || len(tables) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	mutants, problems := load(root, tables)
	for _, p := range problems {
		t.Error(p)
	}
	for _, m := range mutants {
		for _, args := range m.tests {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(args[0]))); err != nil {
				t.Errorf("%s is tested in %s: %v", m.id, args[0], err)
			}
		}
	}
	t.Logf("%d faults", len(mutants))
}

func TestRelocate(t *testing.T) {
	root := t.TempDir()
	table := filepath.Join(root, "x.txt")
	for name, text := range map[string]string{"new/sample.go": sample, "x.txt": "B1 x\nin old/sample.go\n- n < 0\n+ true\ntest ./x\n"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := relocate(root, []string{table}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(table); string(got) != "B1 x\nin new/sample.go\n- n < 0\n+ true\ntest ./x\n" {
		t.Errorf("the table is %s", got)
	}
}
