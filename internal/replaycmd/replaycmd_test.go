package replaycmd

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
	"google.golang.org/genai"

	"goated/agent"
	"goated/registry"
)

const exported = `{"format":"goated conversations","version":1,"conversations":[{"id":"c1","title":"Weather","created":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:04:05Z","active":"t1","turns":[
	{"id":"t1","user":[{"text":"How is it?"}],"started":"2026-01-02T03:04:05Z","ended":"2026-01-02T03:04:06Z","contents":[],"events":[
		{"type":"tool_called","id":"1","name":"w__forecast","server":"w","tool":"forecast","args":{"city":"Rome"},"at":"2026-01-02T03:04:05Z"},
		{"type":"tool_returned","id":"1","result":{"content":[{"type":"text","text":"sunny"}]},"duration_ns":1},
		{"type":"text","text":"It is sunny."}]},
	{"id":"t2","parent":"t1","user":[{"text":"Thanks"}],"started":"2026-01-02T03:05:05Z","contents":[],"events":[{"type":"text","text":"Welcome."}]}]}]}`

// server is a server that answers each call with its own text.
type server string

func (s server) Tools() iter.Seq[registry.Entry] { return func(func(registry.Entry) bool) {} }

func (s server) Lookup(name string) (registry.Entry, error) { return s.FindByName(name)[0], nil }

func (s server) FindByName(name string) []registry.Entry {
	return []registry.Entry{{Name: name, Tool: &mcp.Tool{Name: name}}}
}

func (s server) CallEntry(context.Context, registry.Entry, map[string]any, func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(s)}}}, nil
}

// says is a model that always gives the same answer.
type says string

func (s says) Generate(context.Context, []*genai.Content, *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		if s == "" {
			yield(nil, &agent.Failure{Kind: agent.KeyRefused})
			return
		}
		yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{FinishReason: genai.FinishReasonStop, Content: genai.NewContentFromText(string(s), genai.RoleModel)}}}, nil)
	}
}

// replay asks the current model again at each place where the recorded one answered.
func TestReplayAsksTheModel(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "chat.json")
	if err := os.WriteFile(file, []byte(answered), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		today   says
		differs bool
		want    []string
	}{
		{"Welcome.", true, []string{"# Weather\n", "differs  answer 1\n", `the model now answers "Welcome.", and then it called w__forecast {"city":"Rome"}`, "same     answer 3\n", "1 same, 1 in other words, 1 differ."}},
		{"", false, []string{`asking the model for answer 1 of "Weather": Gemini refused your API key.`}},
	} {
		cmd := New(nil, func(_ *cobra.Command, use func(agent.Model, func() *agent.Session)) error {
			use(tt.today, func() *agent.Session { return &agent.Session{Tools: server("")} })
			return nil
		})
		var b bytes.Buffer
		cmd.SetOut(&b)
		cmd.SetErr(&b)
		cmd.SetArgs([]string{file, "--ask"})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		err := cmd.ExecuteContext(t.Context())
		if errors.Is(err, ErrDiffers) != tt.differs || err == nil {
			t.Errorf("%q: %v", tt.today, err)
		}
		for _, want := range tt.want {
			if out := b.String() + err.Error(); !strings.Contains(out, want) {
				t.Errorf("%q: no %q in\n%s", tt.today, want, out)
			}
		}
	}
}

// answered is a conversation that includes what the model received.
const answered = `{"format":"goated conversations","version":1,"conversations":[{"id":"c1","title":"Weather","created":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:04:05Z","active":"t1","turns":[
	{"id":"t1","user":[{"text":"How is it?"}],"started":"2026-01-02T03:04:05Z","ended":"2026-01-02T03:04:06Z","events":[],"contents":[
		{"role":"user","parts":[{"text":"How is it?"}]},
		{"role":"model","parts":[{"functionCall":{"name":"w__forecast","args":{"city":"Rome"}},"thoughtSignature":"c2ln"}]},
		{"role":"user","parts":[{"functionResponse":{"name":"w__forecast","response":{"output":"sunny"}}}]},
		{"role":"model","parts":[{"text":"It is sunny."}]}]},
	{"id":"t2","parent":"t1","user":[{"text":"Thanks"}],"started":"2026-01-02T03:05:05Z","ended":"2026-01-02T03:05:06Z","events":[],"contents":[
		{"role":"user","parts":[{"text":"Thanks"}]},{"role":"model","parts":[{"text":"Welcome."}]}]}]}]}`

// A recording can be printed without servers, and saved as a case. The case detects a server that
// answers differently.
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
			use(today, func(registry.Entry, map[string]any) bool { return allowed })
			return nil
		}, func(_ *cobra.Command, use func(agent.Model, func() *agent.Session)) error {
			use(says(today), func() *agent.Session { return &agent.Session{} })
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
	for _, wrong := range [][]string{{file, "--check"}, {saved}, {file, "--conversation", "Trains"}, {"--check", saved, "--live"}, {"--check", saved, "--ask"}} {
		if _, err := run("sunny", true, wrong...); err == nil {
			t.Errorf("%v succeeds", wrong)
		}
	}
}
