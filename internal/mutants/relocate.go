package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// relocate updates the paths in the tables for source text that has moved, if exactly one file
// contains the text. It prints the text that it cannot find.
func relocate(root string, tables []string) error {
	sources, err := readSources(root)
	if err != nil {
		return err
	}
	for _, table := range tables {
		data, err := os.ReadFile(table)
		if err != nil {
			return err
		}
		text := string(data)
		for _, b := range blocks(table, text) {
			if _, err := parseBlock(root, b); err == nil || strings.HasPrefix(b.lines[0], "each ") {
				continue
			}
			from, to := moved(b, sources)
			if to == "" {
				fmt.Println("not found:", b.errorf("%s", b.lines[0]))
				continue
			}
			whole := strings.Join(b.lines, "\n")
			text = strings.Replace(text, whole, strings.Replace(whole, "in "+from+"\n", "in "+to+"\n", 1), 1)
			fmt.Printf("%s: %s → %s\n", b.lines[0], from, to)
		}
		if text != string(data) {
			if err := os.WriteFile(table, []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// moved returns the path in a block, and the only file that contains the block's text. The second
// path is "" if no file or more than one contains it.
func moved(b block, sources map[string][]byte) (from, to string) {
	var old []string
	for _, line := range b.lines[1:] {
		if path, ok := strings.CutPrefix(line, "in "); ok {
			from = path
		}
		if text, ok := strings.CutPrefix(line, "- "); ok {
			old = append(old, strings.TrimSpace(text))
		}
	}
	for path, source := range sources {
		if _, _, err := locate(source, strings.Join(old, "\n")); err != nil {
			continue
		}
		if to != "" {
			return from, ""
		}
		to = path
	}
	return from, to
}

// readSources reads all Go files except tests, by path with slashes.
func readSources(root string) (map[string][]byte, error) {
	sources := make(map[string][]byte)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		sources[filepath.ToSlash(relative)] = data
		return err
	})
	return sources, err
}
