//go:build unix

package shebang

import (
	"os"
	"path/filepath"
	"testing"
)

// The first line names an interpreter, either directly or through env. It never leads to another
// kind of file.
func TestInterpreter(t *testing.T) {
	dir := t.TempDir()
	program, key := filepath.Join(dir, "python9"), filepath.Join(dir, "key")
	for file, mode := range map[string]os.FileMode{program: 0o700, key: 0o600} {
		if err := os.WriteFile(file, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"PATH=relative:" + dir}
	for text, want := range map[string]string{
		"#!" + program + "\n": program, "#! " + program + " -u\nx": program, "#!" + program: program,
		"#!/usr/bin/env python9\n": program, "#!/usr/bin/env -S A=1 python9 -u\n": program,
		"#!" + key + "\n": "", "#!python9\n": "", "#!/usr/bin/env\n": "", "#!/usr/bin/env key\n": "", "#!" + dir + "\n": "", "": "", "\x7fELF": "", "#!\n": "",
	} {
		script := filepath.Join(dir, "script")
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Interpreter(script, env); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Interpreter(filepath.Join(dir, "missing"), env); got != "" {
		t.Errorf("a missing script has %q", got)
	}
}
