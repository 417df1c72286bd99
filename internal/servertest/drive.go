package servertest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// A Step is a call of a tool, with the user's answer to the question that the tool asks.
type Step struct {
	Tool   string         `json:"tool,omitempty"`
	Args   map[string]any `json:"args,omitempty"`
	Answer map[string]any `json:"answer,omitempty"` // nil: the user declines

	// Callback is the model's answer to the prompt of the previous step. The step calls the tool
	// that the prompt's result names, with that result's arguments.
	Callback string `json:"callback,omitempty"`
}

// A Drive describes what a client does with a server.
type Drive struct {
	// Extension is an extension whose answers are in the _meta of elicitation results.
	Extension string `json:"extension,omitempty"`
	Steps     []Step `json:"steps"`
}

// Driven contains everything that a client received.
type Driven struct {
	Protocol string
	Tools    map[string]struct {
		Title         string
		Reads, Output bool
	}
	Calls []Received
}

// Received is the result of a call.
type Received struct {
	Tool, Asked string // Asked is the message of the elicitation
	IsError     bool
	Structured  map[string]any
	Content     []map[string]any
}

// An OfficialClient is a client of an official SDK. Each of its eras speaks a version of the protocol.
type OfficialClient struct {
	Name string
	Eras []Era
	venv string
}

// An Era is how a client begins: with the newest version of the protocol, or with an older one.
type Era struct {
	Protocol string
	mode     string
}

// OfficialClients returns clients of the official SDKs.
func OfficialClients() []OfficialClient {
	return []OfficialClient{
		{"TypeScript", []Era{{"2025-11-25", ""}}, ""},
		{"Python", []Era{{"2026-07-28", "auto"}, {"2025-11-25", "legacy"}}, "venv"},
		{"Python 1", []Era{{"2025-11-25", v1}}, "venv-v1"},
	}
}

// v1 is the mode of version 1 of the Python SDK.
const v1 = "v1"

// Extends reports whether the client can declare an extension.
func (e Era) Extends() bool { return e.mode != v1 }

// A Visit is what a client does in one era, with a new server for each drive. Args are the last
// arguments of the servers' command.
type Visit struct {
	Era    Era
	Drives []Drive
	Args   []string
}

// Run makes visits with servers over stdio. One process of the client makes them all: to load the SDK
// takes longer than all calls. The client checks each structured result against the tool's output
// schema. Run checks that a text result has the same content.
func (c OfficialClient) Run(t testing.TB, visits []Visit, command ...string) [][]Driven {
	t.Helper()
	type visit struct {
		Mode    string   `json:"mode"`
		Command []string `json:"command"`
		Drives  []Drive  `json:"drives"`
	}
	var asked []visit
	for _, v := range visits {
		asked = append(asked, visit{v.Era.mode, slices.Concat(command, v.Args), v.Drives})
	}
	script, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	venv := c.venv
	if venv == "" {
		venv = "venv"
	}
	path, _ := programs(t, venv)
	folders, drivers := filepath.SplitList(path), filepath.Join(module(), "internal", "servertest", "testdata")
	cmd := exec.Command(filepath.Join(folders[1], "node"), filepath.Join(drivers, "drive.cjs"), string(script))
	if c.venv != "" {
		cmd = exec.Command(filepath.Join(folders[0], "python3"), filepath.Join(drivers, "drive.py"), string(script))
	}
	cmd.Env = environ(t, venv)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	var all [][]Driven
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(all) != len(visits) {
		t.Fatalf("%d of %d visits", len(all), len(visits))
	}
	for i, v := range visits {
		if len(all[i]) != len(v.Drives) {
			t.Fatalf("%d of %d drives", len(all[i]), len(v.Drives))
		}
		for n, got := range all[i] {
			check(t, v.Era, v.Drives[n], got)
		}
	}
	return all
}

// check checks what holds for each drive.
func check(t testing.TB, e Era, d Drive, got Driven) {
	t.Helper()
	if got.Protocol != e.Protocol {
		t.Errorf("the protocol is %s", got.Protocol)
	}
	if len(got.Calls) != len(d.Steps) {
		t.Fatalf("%d of %d calls", len(got.Calls), len(d.Steps))
	}
	for _, r := range got.Calls {
		if len(r.Content) == 0 {
			t.Errorf("%s returns no text", r.Tool)
			continue
		}
		text, _ := r.Content[0]["text"].(string)
		var same map[string]any
		if err := json.Unmarshal([]byte(text), &same); err != nil {
			t.Errorf("%s returns a text that is not JSON: %q", r.Tool, text)
		} else if r.Structured != nil && !reflect.DeepEqual(same, r.Structured) {
			t.Errorf("%s returns %v, and as text %s", r.Tool, r.Structured, text)
		} else if r.Structured == nil && !r.IsError {
			t.Errorf("%s returns no structured content", r.Tool)
		}
	}
}
