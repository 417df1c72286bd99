//go:build linux

package main

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"goated/internal/config"
	"goated/internal/launch"
)

// commandLines are READMEs with a plain command, which contains no name for the server.
var commandLines = map[string]bool{"markitdown": true, "sentry": true}

// goated understands each README: it finds the same package as in the command line, and asks for
// each value that the README leaves to the reader. Nothing starts, and no network is needed.
func TestREADMEsAreRead(t *testing.T) {
	sys := launch.Here(func(program string) (string, error) {
		if strings.Contains(program, "mcp") { // a runner is installed, but a server is not
			return "", fs.ErrNotExist
		}
		return "/usr/bin/" + program, nil
	})
	sys.Getenv = nil
	read := func(text string) (launch.Server, launch.Reading) {
		t.Helper()
		r, err := launch.Understand(text, sys)
		if err != nil || len(r.Servers) != 1 {
			t.Fatalf("%s: %+v, %v", text, r, err)
		}
		return r.Servers[0], r
	}
	all := slices.Concat(servers, further)
	for name := range readmes {
		if !slices.ContainsFunc(all, func(s server) bool { return s.name == name }) {
			t.Errorf("no row is called %s", name)
		}
	}
	for _, s := range all {
		words := strings.Fields(s.line)
		plain, _ := read(config.Quoted(words))
		if plain.Command != words[0] || plain.Origin.Registry() == "" || !launch.IsSpecificName(plain.Name) {
			t.Errorf("%s: %s is read as %q of %+v, called %q", s.name, s.line, plain.Words(), plain.Origin, plain.Name)
		}
		text := readmes[s.name]
		if text == "" {
			continue
		}
		one, r := read(text)
		if one.Origin.Package != plain.Origin.Package || one.Command != plain.Command || !one.Named && !commandLines[s.name] {
			t.Errorf("%s: its README is read as %q of %+v, not %+v", s.name, one.Words(), one.Origin, plain.Origin)
		}
		for _, v := range one.Env {
			if own := config.FromText(one); !v.Ask && (strings.ContainsAny(v.Value, "<*$") || strings.Contains(v.Value, "YOUR") || v.Value == "...") {
				t.Errorf("%s: %s=%s is not asked for: %+v", s.name, v.Name, v.Value, own.Env)
			}
		}
		values := make(map[string]string)
		for _, in := range one.Asks(r.Inputs) {
			values[in.ID] = "purr"
		}
		l := config.FromTextWithValues(one, r.Inputs, values)
		for _, v := range slices.Concat(l.Env, l.Headers) {
			if strings.Contains(v.Value, "${input:") {
				t.Errorf("%s: %s has the value %s", s.name, v.Name, v.Value)
			}
		}
	}
	if len(readmes) < 30 {
		t.Errorf("only %d READMEs have more than a command line", len(readmes))
	}
}
