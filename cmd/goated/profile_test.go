package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/servertest"
)

// "chat --profile" starts the servers of that profile. Its conversation remembers the profile, and
// the saved settings do not change. The error about a wrong name lists the profiles.
func TestChatStartsTheServersOfAProfile(t *testing.T) {
	p := newPlace(t)
	dice, err := os.ReadFile(servertest.Dice())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Red", "Blue"} {
		if err := os.Mkdir(filepath.Join(p.project, name), 0o755); err != nil {
			t.Fatal(err)
		}
		script := filepath.Join(p.project, name, "server.js")
		p.write(name+"/server.js", strings.ReplaceAll(string(dice), `"roll"`, `"roll_`+strings.ToLower(name)+`"`))
		if _, aside, code := p.run("servers", "add", "--name", name, "--no-sandbox", "node", script); code != 0 {
			t.Fatalf("status %d\n%s", code, aside)
		}
	}
	file := filepath.Join(p.home, ".config", "goated", "settings.json")
	saved := p.settings(file, func(s map[string]any) {
		s["profiles"] = []any{map[string]any{"name": "Red only", "on": []any{"Red"}}, map[string]any{"name": "Blue only", "on": []any{"Blue"}}}
	})
	turn := func(want bool, args ...string) {
		t.Helper()
		out, aside, code := p.run(append([]string{"chat", "--yes", "--no-bundled"}, args...)...)
		if ok := code == 0; ok != want {
			t.Errorf("%q: status %d\n%s%s", args, code, out, aside)
		}
	}
	red, blue := `/roll_red {"sides": 1}`, `/roll_blue {"sides": 1}`
	turn(true, "--profile", "Red only", "-p", red)
	turn(true, "--resume", "last", "-p", red)
	turn(false, "--resume", "last", "-p", blue)
	if now, err := os.ReadFile(file); err != nil || string(now) != saved {
		t.Errorf("the settings changed, %v\n%s\n%s", err, saved, now)
	}
	if _, aside, code := p.run("chat", "--profile", "Green only", "-p", red); code == 0 || !strings.Contains(aside, `There is no profile "Green only". Choose one of: Default, Red only, Blue only`) {
		t.Errorf("an unknown profile: status %d\n%s", code, aside)
	}
}

// settings changes a settings file and returns its text.
func (p *place) settings(file string, change func(map[string]any)) string {
	p.t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal(data, &s); err != nil {
		p.t.Fatal(err)
	}
	change(s)
	if data, err = json.Marshal(s); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}
