package properties_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/client"
	"goated/internal/geminitest"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// This runs a whole turn with each of the real servers: the model gets the server's tools, calls
// one over stdio, gets its result, and answers.
func TestTurnWithRealServers(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hello.txt"), []byte("hello from a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	own := sandbox.Grant{Write: []string{dir}} // the permission of a user for servers that get the folder
	for _, tt := range []struct {
		name   string
		python func(testing.TB)
		config client.Config
		tool   string
		args   map[string]any
		want   string
		long   bool // tests in client have calls of its SDK
	}{
		{"python sdk 1", servertest.UsePythonV1, client.Config{Path: servertest.Script("fast.py")}, "fast__add", map[string]any{"a": 2.0, "b": 40.0}, "42.0", true},
		{"python sdk 2", servertest.UsePython, client.Config{Path: servertest.Script("dice.py")}, "dice__roll", map[string]any{"sides": 1.0}, "1", true},
		{"typescript sdk", servertest.UsePython, client.Config{Path: servertest.Script("dice.js")}, "dice__roll", map[string]any{"sides": 1.0}, "1", false},
		{"go sdk", servertest.UsePython, client.Config{Path: servertest.Script("simple.go")}, "simple__multiply", map[string]any{"a": 6.0, "b": 7.0}, `{"product":42}`, false},
		{"everything", servertest.UsePython, client.Config{Path: servertest.Everything(), Name: "everything"}, "everything__echo", map[string]any{"message": "hi"}, "Echo: hi", false},
		{"filesystem", servertest.UsePython, client.Config{Path: servertest.Filesystem(), Name: "filesystem", Args: []string{dir}}, "filesystem__read_text_file", map[string]any{"path": filepath.Join(dir, "hello.txt")}, "hello from a file", false},
		{"memory", servertest.UsePython, client.Config{Path: servertest.Memory(), Name: "memory", Env: []string{"MEMORY_FILE_PATH=" + filepath.Join(dir, "m.jsonl")}, Grant: own}, "memory__create_entities", map[string]any{"entities": []any{map[string]any{"name": "Ada", "entityType": "person", "observations": []any{"likes tea"}}}}, "likes tea", false},
		{"ghost", servertest.UsePython, client.Config{Path: goated(t), Args: []string{"serve", "ghost", "--root", dir, "--data", dir}, Name: "ghost", Bundled: true, Grant: own}, "ghost__read_project_context", map[string]any{"directoryPath": "."}, "hello.txt", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long && !servertest.Long() {
				t.Skip("another SDK: GOATED_LONG=1 runs it")
			}
			tt.python(t)
			host := newHost(t, client.Options{Data: servertest.GoData(t)})
			if _, err := host.Connect(t.Context(), tt.config); err != nil {
				t.Fatal(err)
			}
			// The strict server refuses the same schemas and names as Gemini.
			s := geminitest.New(t)
			s.Script(geminitest.Call(tt.tool, tt.args), geminitest.Text("Done."))
			model, err := agent.NewGemini(t.Context(), agent.GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL})
			if err != nil {
				t.Fatal(err)
			}
			session := &agent.Session{Model: model, Tools: host, Policy: &agent.Policy{AllowAll: true}}
			var answer string
			var reason agent.Reason
			for e, err := range session.Send(t.Context(), genai.NewPartFromText("go")) {
				if err != nil {
					t.Fatal(err)
				}
				switch e := e.(type) {
				case agent.TextDelta:
					answer += e.Text
				case agent.TurnEnded:
					reason = e.Reason
				}
			}
			told, err := json.Marshal(s.Requests()[1].Contents[2].Parts[0].FunctionResponse.Response["output"])
			if err != nil {
				t.Fatal(err)
			}
			want, _ := json.Marshal(tt.want)
			if answer != "Done." || reason != agent.Done || !strings.Contains(string(told), strings.Trim(string(want), `"`)) {
				t.Errorf("answer %q, %s, the model was told %s", answer, reason, told)
			}
			s.Done()
		})
	}
}
