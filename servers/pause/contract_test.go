package pause

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/servertest"
)

// TestMain lets the test program be the server over stdio: "serve DATA".
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		if err := New(Options{Data: os.Args[2]}).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	os.Exit(m.Run())
}

// The official clients speak with the server over stdio, in both eras of the protocol.
// They answer by elicitation, and check each result against its output schema.
func TestOfficialClients(t *testing.T) {
	t.Parallel()
	path, _ := servertest.Programs(t)
	programs := filepath.SplitList(path)
	python, node := filepath.Join(programs[0], "python3"), filepath.Join(programs[1], "node")
	for _, test := range []struct {
		name, protocol string
		command        []string
	}{
		{"TypeScript", "2025-11-25", []string{node, "testdata/contract.cjs"}},
		{"Python", "2026-07-28", []string{python, "testdata/contract.py", "auto"}},
		{"Python legacy", "2025-11-25", []string{python, "testdata/contract.py", "legacy"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(test.command[0], append(test.command[1:], os.Args[0], "serve", t.TempDir())...)
			cmd.Env = servertest.Environ(t)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			var got struct {
				Protocol, Choice, Text string
				Calls                  [][3]any
				Tools                  map[string]struct {
					Title  string
					Output bool
				}
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			if got.Protocol != test.protocol || got.Choice != "ui" || got.Text != "Ada" {
				t.Errorf("protocol %q, choice %q, text %q", got.Protocol, got.Choice, got.Text)
			}
			for _, d := range dialogTools() {
				if tool, ok := got.Tools[string(d.kind)]; !ok || tool.Title == "" || !tool.Output {
					t.Errorf("%s: %+v", d.kind, tool)
				}
			}
			want := "[[planner answered false] [text_input answered false] [single_choice answered false] [multi_choice answered false] " +
				"[confirm answered false] [confirm cancelled false] [screenshot_request error true]]"
			if have := fmt.Sprint(got.Calls); have != want {
				t.Errorf("calls %s", have)
			}
		})
	}
}
