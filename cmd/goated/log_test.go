package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The log contains every error once, with kind, message and stack trace. With --verbose the
// terminal, which is the console of seed 003's property 7, shows it too.
func TestLog(t *testing.T) {
	p := newPlace(t)
	data := filepath.Join(p.home, "D")
	_, aside, _ := p.run("--data", data, "--verbose", "tools", "--server", "/no/x.py")
	for _, want := range []string{`kind="script not found"`, `message="Server script not found: /no/x.py"`, `stack="goroutine `} {
		if strings.Count(aside, want) != 1 {
			t.Errorf("%s is not on the terminal once:\n%s", want, aside)
		}
	}
	log, err := os.ReadFile(filepath.Join(data, "logs", "goated.log"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(log), "Server script not found") != 1 || !strings.Contains(string(log), `"stack"`) || !strings.Contains(string(log), `"kind":"script not found"`) {
		t.Errorf("%s", log)
	}
}
