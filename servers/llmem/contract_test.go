package llmem

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
	"go.uber.org/goleak"

	"goated/internal/servertest"
)

// TestMain lets the test program be the server over stdio: "serve ROOT DATA".
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "serve" {
		err := New(Options{Root: os.Args[2], Data: os.Args[3]}).Run(context.Background(), &mcp.StdioTransport{})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// The official clients speak with the server over stdio, in both eras of the protocol.
// They check each answer against its output schema.
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
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte("def add(a, b):\n    return a + b\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			args := append(test.command[1:], os.Args[0], "serve", dir, filepath.Join(os.TempDir(), "goated-test-llmem"))
			cmd := exec.Command(test.command[0], args...)
			cmd.Env = servertest.Environ(t)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			var got struct {
				Protocol, Note string
				Calls          [][3]any
				Tools          map[string]struct {
					Reads, Output bool
					Title         string
				}
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			if got.Protocol != test.protocol || got.Note != "Adds." {
				t.Errorf("protocol %q, note %q", got.Protocol, got.Note)
			}
			reads := map[string]bool{
				"get_artifact": true, "list_artifacts": true, "generate_prompt": true, "map_workspace": true, "find_symbol": true,
				"generate_artifact": false, "store_llm_result": false, "delete_artifact": false,
			}
			if len(got.Tools) != len(reads) {
				t.Errorf("tools %v", got.Tools)
			}
			for name, want := range reads {
				if tool, ok := got.Tools[name]; !ok || tool.Reads != want || !tool.Output || tool.Title == "" {
					t.Errorf("%s: %+v", name, tool)
				}
			}
			want := "[[map_workspace success false] [find_symbol success false] [generate_artifact success false] [generate_artifact prompt_ready false] " +
				"[store_llm_result success false] [generate_prompt prompt_ready false] [get_artifact success false] [list_artifacts success false] [delete_artifact success false] [get_artifact error true]]"
			if have := fmt.Sprint(got.Calls); have != want {
				t.Errorf("calls %s", have)
			}
		})
	}
}
