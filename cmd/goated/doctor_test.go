package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/doctor"
)

func TestDoctor(t *testing.T) {
	p := newPlace(t)
	p.quietGo()
	out, aside, code := p.run("doctor", "--json")
	var found []doctor.Finding
	if err := json.Unmarshal([]byte(out), &found); err != nil || code != 0 {
		t.Fatalf("status %d, %v\n%s%s", code, err, out, aside)
	}
	for _, f := range found {
		if f.Found == "" || !f.OK && f.Fix == "" {
			t.Errorf("%+v", f)
		}
		if slices.Contains([]string{"ghost", "Python servers", "JavaScript servers", "Go servers", "data"}, f.Name) && !f.OK {
			t.Errorf("%s: %s", f.Name, f.Found)
		}
	}
	p.env = append(p.env, "GEMINI_API_KEY=canary-key")
	if out, aside, _ := p.run("doctor"); strings.Contains(out+aside, "canary") || !strings.Contains(out, "from GEMINI_API_KEY") {
		t.Errorf("the doctor on the key: %s%s", out, aside)
	}
}

// If a saved server failed, the doctor blamed ghost. It also started all saved servers.
func TestDoctorStartsGhostOnly(t *testing.T) {
	p := newPlace(t)
	p.quietGo()
	started := filepath.Join(p.project, "started")
	if _, aside, code := p.run("servers", "add", "--name", "broken", "--no-sandbox", "python3", p.write("broken.py", fmt.Sprintf("open(%q, 'w')\nraise SystemExit(3)\n", started))); code != 0 {
		t.Fatalf("status %d\n%s", code, aside)
	}
	out, aside, code := p.run("doctor")
	if _, err := os.Stat(started); code != 0 || err == nil || !strings.Contains(out, "✓ ghost") || strings.Contains(out, "broken") {
		t.Errorf("status %d, the saved server started: %t\n%s%s", code, err == nil, out, aside)
	}
}
