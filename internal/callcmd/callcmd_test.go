package callcmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tool's schema decides whether the value of --arg is text or JSON.
func TestArgumentsHaveTheTypesOfTheSchema(t *testing.T) {
	schema := map[string]any{"properties": map[string]any{
		"text": map[string]any{"type": "string"}, "n": map[string]any{"type": []any{"integer", "null"}}, "list": map[string]any{"type": "array"}, "both": map[string]any{"type": []any{"array", "object", "null"}}, "on": map[string]any{"type": "boolean"},
	}}
	got, err := With(map[string]any{"a": true}, []string{"text=5", "n=7", `list=[1,"b"]`, "other=x=y"}, schema)
	data, _ := json.Marshal(got)
	if err != nil || string(data) != `{"a":true,"list":[1,"b"],"n":7,"other":"x=y","text":"5"}` {
		t.Errorf("%s, %v", data, err)
	}
	for pair, says := range map[string]string{"n=many": `the tool takes a whole number or null here, not "many"`, "on=yes": "takes true or false here", "list=1,2": `takes a list like [1, 2] here, not "1,2"`, "both=x": `takes a list like [1, 2], an object like {"a": 1} or null here, not "x"`, "text": "has no value", "a=1": "is given twice"} {
		if _, err := With(map[string]any{"a": true}, []string{pair}, schema); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", pair, err)
		}
	}
}

// If text followed an object, the error reported a missing end.
func TestWhatIsWrongWithArguments(t *testing.T) {
	for text, says := range map[string]string{`{"a": 1} x`: `it is wrong from "x" on`, `{"a": 1`: "its end is missing", `{"a": b}`: `it is wrong from "b}" on`} {
		if _, err := Arguments(text, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Sounds and the data of resources are described and saved like images. Files are named after the
// tool.
func TestDataOfResults(t *testing.T) {
	r := &mcp.CallToolResult{Content: []mcp.Content{
		&mcp.AudioContent{MIMEType: "audio/wav", Data: []byte("RIFF")},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "mem://1", MIMEType: "application/pdf", Blob: []byte("%PDF-1.4")}},
		&mcp.ResourceLink{URI: "file:///x", Name: "x"},
	}}
	got, err := Place{Tool: "t", Terminal: true}.Text(r)
	if err != nil || !strings.HasPrefix(got, "audio/wav, 4 bytes. To save it") || !strings.Contains(got, "\nmem://1 application/pdf, 8 bytes. To save it") || !strings.HasSuffix(got, "\nx file:///x") {
		t.Errorf("%v\n%s", err, got)
	}
	dir := t.TempDir()
	got, err = Place{Tool: "../t", Dir: dir}.Text(r)
	if data, rerr := os.ReadFile(filepath.Join(dir, "___t-1.pdf")); err != nil || rerr != nil || string(data) != "%PDF-1.4" || !strings.Contains(got, "saved as "+filepath.Join(dir, "___t-1.wav")) {
		t.Errorf("%v, %v\n%s", err, rerr, got)
	}
	if got, _ := (Place{}).Text(r); !json.Valid([]byte(got)) {
		t.Errorf("a script gets %s", got)
	}
}

// A person gets an answer only once, even if the server adds metadata for programs. A script gets
// everything.
func TestAPersonGetsAnAnswerOnce(t *testing.T) {
	r := &mcp.CallToolResult{
		Meta:              mcp.Meta{"correlationId": "x-1"},
		Content:           []mcp.Content{&mcp.TextContent{Text: `{"status":"success"}`}},
		StructuredContent: json.RawMessage(`{"status":"success"}`),
	}
	if got, err := (Place{Terminal: true}).Text(r); err != nil || got != "{\n  \"status\": \"success\"\n}" {
		t.Errorf("a person gets %s, %v", got, err)
	}
	if got, err := (Place{}).Text(r); err != nil || !strings.Contains(got, "correlationId") {
		t.Errorf("a script gets %s, %v", got, err)
	}
}

// With -v, the author of a server saw the log, but not the server's stderr, which contains the
// cause of a failure that the SDK hides.
func TestAWatchPrintsWhatTheServerWrote(t *testing.T) {
	var out strings.Builder
	for _, logs := range []bool{false, true} {
		w := Watch{W: &out, Tool: "roll", Logs: logs}
		if report := w.Progress(); report != nil {
			report(&mcp.ProgressNotificationParams{Message: "warning: low"})
		}
		if logs {
			w.Output([]string{"warning: low", "ValueError: boom"})
		}
	}
	if got := out.String(); got != "  | warning: low\n  | ValueError: boom\n" {
		t.Errorf("%q", got)
	}
}
