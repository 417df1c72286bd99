package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is the program with one deliberate fault.
type mutant struct {
	area  string // the table's name
	id    string // unique in all tables
	title string
	file  string // relative to the root of the module, with slashes
	from  int    // the bytes of file that new replaces
	to    int
	old   []byte // the whole file
	new   string
	tests [][]string // arguments of go test, the cheapest first
}

// source returns the file with the fault.
func (m mutant) source() []byte {
	return slices.Concat(m.old[:m.from], []byte(m.new), m.old[m.to:])
}

// line returns the line of the fault, from 1.
func (m mutant) line() int { return 1 + bytes.Count(m.old[:m.from], []byte("\n")) }

// A block is one paragraph of a table.
type block struct {
	table  string // path of the table
	number int    // its first line, from 1
	lines  []string
}

func (b block) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", filepath.ToSlash(b.table), b.number, fmt.Sprintf(format, args...))
}

// load reads all tables. Each error concerns one block; load returns the mutants of the others.
func load(root string, tables []string) (mutants []mutant, problems []error) {
	seen := make(map[string]bool)
	for _, table := range tables {
		text, err := os.ReadFile(table)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		for _, b := range blocks(table, string(text)) {
			found, err := parseBlock(root, b)
			if err != nil {
				problems = append(problems, err)
			}
			for _, m := range found {
				if seen[m.id] {
					problems = append(problems, b.errorf("there is another fault %q", m.id))
					continue
				}
				seen[m.id] = true
				m.area = strings.TrimSuffix(filepath.Base(table), ".txt")
				mutants = append(mutants, m)
			}
		}
	}
	return mutants, problems
}

// blocks splits a table at its empty lines. Lines that begin with # are comments.
func blocks(table, text string) []block {
	var all []block
	open := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line == "" {
			open = false
			continue
		}
		if !open {
			all = append(all, block{table: table, number: i + 1})
			open = true
		}
		last := &all[len(all)-1]
		last.lines = append(last.lines, line)
	}
	return all
}

// parseBlock parses the mutants of a block. A block has one of two forms.
//
// One fault replaces a text that occurs only once in a file. Spaces at the beginning of a line do
// not count. If there are no + lines, the text is removed.
//
//	A4 "Always" for one tool allows every tool
//	in agent/execute.go
//	- policy.Grant(r.entry)
//	+ policy.AllowAll = true
//	test ./agent -run TestAllowAlways
//
// Generated faults change one operator of a function at a time; [operators] lists the changes. An
// except line excludes a fault that does not change the behaviour, by the end of its id.
//
//	each Registry.Set sift
//	in registry
//	by negate drop
//	except sift drop x()
//	test ./registry
//
// Each test line contains arguments of go test, the cheapest line first.
func parseBlock(root string, b block) ([]mutant, error) {
	if head, ok := strings.CutPrefix(b.lines[0], "each "); ok {
		return generate(root, b, strings.Fields(head))
	}
	id, title, _ := strings.Cut(b.lines[0], " ")
	m := mutant{id: id, title: title}
	var old, new []string
	for _, line := range b.lines[1:] {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "in":
			m.file = rest
		case "-":
			old = append(old, strings.TrimSpace(rest))
		case "+":
			new = append(new, strings.TrimSpace(rest))
		case "test":
			m.tests = append(m.tests, strings.Fields(rest))
		default:
			return nil, b.errorf("unknown word %q", word)
		}
	}
	if m.file == "" || len(old) == 0 || len(m.tests) == 0 {
		return nil, b.errorf("%s needs a file, a text to replace and a test", id)
	}
	var err error
	if m.old, err = os.ReadFile(filepath.Join(root, filepath.FromSlash(m.file))); err != nil {
		return nil, b.errorf("%s: %v", id, err)
	}
	m.from, m.to, err = locate(m.old, strings.Join(old, "\n"))
	if err != nil {
		return nil, b.errorf("%s: %v in %s", id, err, m.file)
	}
	m.new = strings.Join(new, "\n")
	return []mutant{m}, nil
}

// locate finds the only occurrence of text in source, regardless of indentation.
func locate(source []byte, text string) (from, to int, err error) {
	var flat []byte
	var at []int // the offset in source of each byte of flat
	indent := true
	for i, c := range source {
		if indent && (c == ' ' || c == '\t') {
			continue
		}
		indent = c == '\n'
		flat, at = append(flat, c), append(at, i)
	}
	switch n := bytes.Count(flat, []byte(text)); n {
	case 0:
		return 0, 0, fmt.Errorf("the text %q is missing", text)
	case 1:
		i := bytes.Index(flat, []byte(text))
		return at[i], at[i+len(text)-1] + 1, nil
	default:
		return 0, 0, fmt.Errorf("the text %q occurs %d times", text, n)
	}
}
