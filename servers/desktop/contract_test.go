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

// The official clients talk to the server over stdio, in both eras of the protocol. They call every
// tool and check each answer against its output schema.
func TestOfficialClients(t *testing.T) {
	path, _ := servertest.Programs(t)
	programs := filepath.SplitList(path)
	python, node := filepath.Join(programs[0], "python3"), filepath.Join(programs[1], "node")
	f := newFake(t)
	var every [][2]any
	for name, test := range cases {
		every = append(every, [2]any{name, json.RawMessage(test.args)})
	}
	compact := json.RawMessage(`[["see",{}],["find",{"in":"1","text":"x"}],["press",{"element":"1:e"}],["type",{"text":"x"}],["wait",{"seconds":0}],["window",{"action":"focus","window":"applications/1/windows/2"}],
		["screenshot",{}],["clipboard",{"action":"read"}],["app",{"action":"list"}],["run",{"macro":"m"}]]`)
	type run struct {
		name, protocol, mode string
		calls                any
		serve                []string
	}
	for _, test := range []struct {
		command []string
		runs    []run // in one process, because loading the SDK takes longer than all calls
	}{
		{[]string{node, "testdata/contract.cjs"}, []run{{"TypeScript", "2025-11-25", "", every, []string{"serve", f.socket, "all"}}}},
		{[]string{python, "testdata/contract.py"}, []run{
			{"Python", "2026-07-28", "auto", every, []string{"serve", f.socket, "all"}},
			{"Python legacy, compact", "2025-11-25", "legacy", compact, []string{"serve", f.socket}},
		}},
	} {
		var runs [][3]any
		for _, r := range test.runs {
			runs = append(runs, [3]any{r.mode, r.calls, append([]string{os.Args[0]}, r.serve...)})
		}
		asked, err := json.Marshal(runs)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(test.command[0], test.command[1], string(asked))
		cmd.Env = servertest.Environ(t)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, &stderr)
		}
		answers := json.NewDecoder(bytes.NewReader(out))
		for _, test := range test.runs {
			var got struct {
				Protocol string
				Tools    int
				Calls    map[string][3]any
			}
			if err := answers.Decode(&got); err != nil {
				t.Fatalf("%s: %v in %s", test.name, err, out)
			}
			want := 10
			if len(test.serve) == 3 {
				want = len(cases)
			}
			if got.Protocol != test.protocol || got.Tools != want || len(got.Calls) != want {
				t.Errorf("%s: protocol %q, %d tools, %d calls", test.name, got.Protocol, got.Tools, len(got.Calls))
			}
			for name, call := range got.Calls {
				kinds := "[text]"
				if name == "screenshot" || len(name) > 8 && name[:8] == "capture_" {
					kinds = "[text image]"
				}
				if call[0] != false || fmt.Sprint(call[1]) != kinds || call[2] != true {
					t.Errorf("%s: %s: %v", test.name, name, call)
				}
			}
		}
	}
}
