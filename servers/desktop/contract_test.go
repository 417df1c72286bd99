package desktop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"goated/internal/servertest"
)

// The official clients speak with the server over stdio, in both eras of the protocol. They
// call every tool and check each answer against its output schema.
func TestOfficialClients(t *testing.T) {
	path, _ := servertest.Programs(t)
	programs := filepath.SplitList(path)
	python, node := filepath.Join(programs[0], "python3"), filepath.Join(programs[1], "node")
	f := newFake(t)
	var calls [][2]any
	for name, test := range cases {
		calls = append(calls, [2]any{name, json.RawMessage(test.args)})
	}
	every, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	compact := `[["see",{}],["find",{"in":"1","text":"x"}],["press",{"element":"1:e"}],["type",{"text":"x"}],["wait",{"seconds":0}],["window",{"action":"focus","window":"applications/1/windows/2"}],
		["screenshot",{}],["clipboard",{"action":"read"}],["app",{"action":"list"}],["run",{"macro":"m"}]]`
	for _, test := range []struct {
		name, protocol string
		command        []string
		calls          string
		serve          []string
	}{
		{"TypeScript", "2025-11-25", []string{node, "testdata/contract.cjs"}, string(every), []string{"serve", f.socket, "all"}},
		{"Python", "2026-07-28", []string{python, "testdata/contract.py", "auto"}, string(every), []string{"serve", f.socket, "all"}},
		{"Python legacy, compact", "2025-11-25", []string{python, "testdata/contract.py", "legacy"}, compact, []string{"serve", f.socket}},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append(append(test.command[1:], test.calls, os.Args[0]), test.serve...)
			cmd := exec.Command(test.command[0], args...)
			cmd.Env = servertest.Environ(t)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			var got struct {
				Protocol string
				Tools    int
				Calls    map[string][3]any
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			want := 10
			if len(test.serve) == 3 {
				want = len(cases)
			}
			if got.Protocol != test.protocol || got.Tools != want || len(got.Calls) != want {
				t.Errorf("protocol %q, %d tools, %d calls", got.Protocol, got.Tools, len(got.Calls))
			}
			for name, call := range got.Calls {
				kinds := "[text]"
				if name == "screenshot" || len(name) > 8 && name[:8] == "capture_" {
					kinds = "[text image]"
				}
				if call[0] != false || fmt.Sprint(call[1]) != kinds || call[2] != true {
					t.Errorf("%s: %v", name, call)
				}
			}
		})
	}
}
