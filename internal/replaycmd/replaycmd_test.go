package replaycmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"goated/registry"
)

const exported = `{"format":"goated conversations","version":1,"conversations":[{"id":"c1","title":"Weather","created":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:04:05Z","active":"t1","turns":[
	{"id":"t1","user":[{"text":"How is it?"}],"started":"2026-01-02T03:04:05Z","ended":"2026-01-02T03:04:06Z","contents":[],"events":[
		{"type":"tool_called","id":"1","name":"w__forecast","server":"w","tool":"forecast","args":{"city":"Rome"},"at":"2026-01-02T03:04:05Z"},
		{"type":"tool_returned","id":"1","result":{"content":[{"type":"text","text":"sunny"}]},"duration_ns":1},
		{"type":"text","text":"It is sunny."}]},
	{"id":"t2","parent":"t1","user":[{"text":"Thanks"}],"started":"2026-01-02T03:05:05Z","contents":[],"events":[{"type":"text","text":"Welcome."}]}]}]}`

// server answers each call with its text.
type server string

func (s server) Named(name string) []registry.Entry {
	return []registry.Entry{{Name: name, Tool: &mcp.Tool{Name: name}}}
}

func (s server) CallEntry(context.Context, registry.Entry, map[string]any, func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(s)}}}, nil
}

// A recording is shown without servers, becomes a case, and the case finds a server that
// answers something else.
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	file, saved := filepath.Join(dir, "chat.json"), filepath.Join(dir, "case.json")
	if err := os.WriteFile(file, []byte(exported), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(today server, allowed bool, args ...string) (out string, err error) {
		cmd := New(func(_ *cobra.Command, use Use) error {
			if today == "" {
				t.Error("it connects servers")
			}
			use(today, func(registry.Entry) bool { return allowed })
			return nil
		})
		var b bytes.Buffer
		cmd.SetOut(&b)
		cmd.SetErr(&b)
		cmd.SetArgs(args)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		err = cmd.ExecuteContext(t.Context())
		return b.String(), err
	}
	out, err := run("", true, file)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{"# Weather", "You: How is it?", `> forecast {"city":"Rome"}`, "sunny", "It is sunny.", "You: Thanks", "Welcome."} {
		next := strings.Index(out[at:], want)
		if next < 0 {
			t.Fatalf("no %q after byte %d of\n%s", want, at, out)
		}
		at += next
	}
	if out, err = run("", true, file, "--save", saved); err != nil || !strings.Contains(out, "1 calls are in") {
		t.Errorf("%s, %v", out, err)
	}
	for _, c := range []struct {
		today   server
		allowed bool
		args    []string
		want    string
		differs bool
	}{
		{"sunny", true, []string{file, "--live"}, "1 same, 0 differ, 0 skipped", false},
		{"rain", true, []string{file, "--live"}, `line 1 is "rain", and was "sunny"`, true},
		{"rain", false, []string{file, "--live"}, "0 same, 0 differ, 1 skipped", false},
		{"sunny", false, []string{"--check", saved, "--yes"}, "1 same", false},
		{"rain", false, []string{"--check", saved, "--yes"}, "1 differ", true},
	} {
		out, err := run(c.today, c.allowed, c.args...)
		if errors.Is(err, ErrDiffers) != c.differs || err != nil && !c.differs || !strings.Contains(out, c.want) {
			t.Errorf("%s %v: %v\n%s", c.today, c.args, err, out)
		}
	}
	for _, wrong := range [][]string{{file, "--check"}, {saved}, {file, "--conversation", "Trains"}, {"--check", saved, "--live"}} {
		if _, err := run("sunny", true, wrong...); err == nil {
			t.Errorf("%v succeeds", wrong)
		}
	}
}
