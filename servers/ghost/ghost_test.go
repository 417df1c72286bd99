package ghost

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"
)

func TestTools(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			c := newBench(t).connect(t, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if info := c.InitializeResult(); info.ServerInfo.Name != "ghost" {
				t.Errorf("server name %q, want ghost", info.ServerInfo.Name)
			}
			list, err := c.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			type row struct {
				readOnly, destructive, idempotent bool
				required, optional                []string
			}
			want := map[string]row{
				"haunt_desktop":        {false, true, true, []string{"content", "filename"}, nil},
				"play_system_sound":    {false, false, true, []string{"type"}, nil},
				"read_project_context": {true, false, true, []string{"directoryPath"}, nil},
				"manage_memory":        {false, true, true, []string{"action", "key"}, []string{"value"}},
				"forget_fact":          {false, true, true, []string{"key"}, nil},
			}
			got := map[string]row{}
			for _, tool := range list.Tools {
				a := tool.Annotations
				if *a.OpenWorldHint || tool.Title == "" || len(tool.Description) < 80 {
					t.Errorf("%s: open world, or a poor title or description", tool.Name)
				}
				r := row{readOnly: a.ReadOnlyHint, destructive: *a.DestructiveHint, idempotent: a.IdempotentHint}
				schema := tool.InputSchema.(map[string]any)
				if schema["additionalProperties"] != false || schema["type"] != "object" {
					t.Errorf("%s: schema %v accepts unknown arguments", tool.Name, schema)
				}
				for _, name := range schema["required"].([]any) {
					r.required = append(r.required, name.(string))
				}
				for name, p := range schema["properties"].(map[string]any) {
					if typ := p.(map[string]any)["type"]; typ != "string" {
						t.Errorf("%s: %s has type %v, want the plain string", tool.Name, name, typ)
					}
					if !slices.Contains(r.required, name) {
						r.optional = append(r.optional, name)
					}
				}
				slices.Sort(r.required)
				got[tool.Name] = r
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("tools\n got %v\nwant %v", got, want)
			}
			c.succeed("manage_memory", args{"action": "write", "key": "era", "value": version})
			if got := c.succeed("manage_memory", args{"action": "read", "key": "era"}); got != "Memory value for era: "+version {
				t.Errorf("read: %q", got)
			}
			if got := c.succeed("forget_fact", args{"key": "era"}); got != "Memory removed: era = "+version {
				t.Errorf("forget: %q", got)
			}
			c.fail("outside", "read_project_context", args{"directoryPath": ".."})
		})
	}
}

// The words of ordinary requests lead to the right tool.
func TestDescriptions(t *testing.T) {
	for _, tt := range []struct {
		tool  *mcp.Tool
		words string
	}{
		{hauntDesktop(), "write note desktop file message"},
		{playSystemSound(), "play sound error warning success"},
		{readProjectContext(), "list files directory folder project"},
		{manageMemory(), "remember recall memory save"},
		{forgetFact(), "forget remove memory fact"},
	} {
		said := strings.ToLower(tt.tool.Name + " " + tt.tool.Description)
		for _, word := range strings.Fields(tt.words) {
			if !strings.Contains(said, word) {
				t.Errorf("%s does not say %q", tt.tool.Name, word)
			}
		}
	}
}

func TestInvalidArguments(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	for _, tt := range []struct {
		tool string
		args any
		want string
	}{
		{"haunt_desktop", args{"filename": "a.txt"}, `The argument "content" is missing.`},
		{"haunt_desktop", args{"filename": 1, "content": "x"}, "filename must be a text, not 1."},
		{"haunt_desktop", args{"filename": "a.txt", "content": "x", "mode": "0777"}, `There is no argument "mode". Known: content and filename.`},
		{"haunt_desktop", nil, `The arguments "filename" and "content" are missing.`},
		{"play_system_sound", args{"type": "tada"}, `type must be error, warning or success, not "tada".`},
		{"play_system_sound", args{}, `The argument "type" is missing.`},
		{"read_project_context", args{"directoryPath": []string{"."}}, "directoryPath must be a text, not a list."},
		{"manage_memory", args{"action": "delete", "key": "k"}, `action must be read or write, not "delete".`},
		{"manage_memory", args{"action": "write", "key": "k"}, "Value is required for write action"},
		{"manage_memory", args{"action": "read"}, `The argument "key" is missing.`},
		{"manage_memory", args{"action": "write", "key": "k", "value": nil}, "value must be a text, not null."},
		{"forget_fact", args{}, `The argument "key" is missing.`},
		{"forget_fact", args{"key": 1}, "key must be a text, not 1."},
		{"forget_fact", args{"key": strings.Repeat("k", maxKey+1)}, "limit"},
	} {
		c.fail(tt.want, tt.tool, tt.args)
	}
	if _, err := os.Stat(b.desk); err == nil {
		t.Error("a refused call made the desktop directory")
	}
	_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "format_disk"})
	if err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("unknown tool: %v", err)
	}
	// The error does not repeat a refused value of one megabyte.
	big := strings.Repeat("x", 1<<20)
	if text := c.fail("", "read_project_context", args{"directoryPath": []string{big}}); len(text) > 2*maxMessage {
		t.Errorf("error of %d bytes", len(text))
	}
	if len(b.log.String()) > 1<<18 {
		t.Error("the refused argument went to the log")
	}
}

// A panic fails the call rather than the server.
func TestPanic(t *testing.T) {
	b := newBench(t)
	write(t, b.memory.path, "damaged")
	b.memory.now = func() time.Time { panic("the clock fell off the wall") }
	c := b.connect(t, nil)
	for range 2 {
		text := c.fail("internal error", "manage_memory", args{"action": "read", "key": "k"})
		if strings.Contains(text, "clock") {
			t.Errorf("the caller sees the panic: %q", text)
		}
	}
	c.succeed("read_project_context", args{"directoryPath": ""})
	log := b.log.String()
	if !strings.Contains(log, "[FATAL] panic in tools/call: the clock fell off the wall\n    goroutine ") ||
		!strings.Contains(log, "renameDamaged") {
		t.Errorf("no FATAL line with the stack of the panic in:\n%s", log)
	}
}

var logLine = regexp.MustCompile(`^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] \[(DEBUG|INFO|WARN|ERROR|FATAL)\] .+$`)

func TestLog(t *testing.T) {
	b := newBench(t)
	b.ghost.log.Now = func() time.Time {
		return time.Date(2025, 12, 4, 11, 30, 15, 0, time.FixedZone("CET", 3600))
	}
	c := b.connect(t, nil)
	forged := "x\n[2025-12-04T10:30:15Z] [INFO] all is well\u202e\r"
	c.fail("Directory does not exist", "read_project_context", args{"directoryPath": forged})
	c.end()

	log := b.log.String()
	for _, want := range []string{
		"[2025-12-04T10:30:15Z] [INFO] MCP Server started\n",
		"[2025-12-04T10:30:15Z] [DEBUG] Tool invoked: read_project_context\n",
		"[2025-12-04T10:30:15Z] [ERROR] [Tool Error] Directory does not exist: x\\u000a[2025",
		"[2025-12-04T10:30:15Z] [INFO] MCP Server stopped\n",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in the log:\n%s", want, log)
		}
	}
	for line := range strings.Lines(log) {
		line = strings.TrimSuffix(line, "\n")
		if !logLine.MatchString(line) && !strings.HasPrefix(line, "    ") {
			t.Errorf("stray line %q", line)
		}
		if strings.HasSuffix(line, "[INFO] all is well") {
			t.Error("an argument forged a line")
		}
	}
}

// Whatever the arguments are, there is a result, and the server keeps running.
func TestRandomArguments(t *testing.T) {
	b := newBench(t)
	b.sounds.goos = "plan9" // has no players, so nothing runs
	c := b.connect(t, nil)
	names := map[string][]string{
		"haunt_desktop":        {"filename", "content"},
		"play_system_sound":    {"type"},
		"read_project_context": {"directoryPath"},
		"manage_memory":        {"action", "key", "value"},
		"forget_fact":          {"key"},
	}
	valid := map[string][]string{
		"filename": {"a.txt", "b"}, "content": {"", "boo"}, "type": {"error", "warning", "success"},
		"directoryPath": {".", b.root}, "action": {"read", "write"}, "key": {"k"}, "value": {"v"},
	}
	outside := filepath.Join(filepath.Dir(b.desk), "outside")
	write(t, outside, "untouched")
	value := rapid.OneOf(
		rapid.String().AsAny(),
		rapid.SampledFrom([]any{
			"", ".", "..", "../outside", "/", "/etc/passwd", "a/../..", "read", "write", "error", "success", "NUL",
			"nul.txt", "a\x00b", "\u202etxt.exe", strings.Repeat("a/", 5000), strings.Repeat("é", 200),
			nil, true, 1.5, -1, []any{}, map[string]any{},
		}),
	)
	rapid.Check(t, func(rt *rapid.T) {
		tool := rapid.SampledFrom(slices.Sorted(maps.Keys(names))).Draw(rt, "tool")
		given := args{}
		for _, name := range names[tool] {
			switch n := rapid.IntRange(0, 9).Draw(rt, "kind"); {
			case n == 0: // absent
			case n < 6:
				given[name] = value.Draw(rt, name)
			default:
				given[name] = rapid.SampledFrom(valid[name]).Draw(rt, name)
			}
		}
		if rapid.IntRange(0, 9).Draw(rt, "extra") == 0 {
			given[rapid.String().Draw(rt, "name")] = value.Draw(rt, "extra value")
		}
		if text, isError := c.call(tool, given); isError && !strings.HasPrefix(text, "Error: ") {
			rt.Errorf("error %q", text)
		}
	})
	if log := b.log.String(); strings.Contains(log, "FATAL") {
		t.Errorf("panic:\n%s", log)
	}
	if content(t, outside) != "untouched" || len(readNames(t, filepath.Dir(b.desk))) > 2 {
		t.Error("something outside the desktop was written")
	}
	if data := content(t, b.memory.path); !json.Valid([]byte(data)) {
		t.Error("the memory is damaged")
	}
}

func TestDefaults(t *testing.T) {
	wd := t.TempDir()
	t.Chdir(wd)
	g := newGhost(Options{})
	wd, _ = os.Getwd()
	if g.project.root != wd || g.memory.path != filepath.Join(wd, "clippy_memory.json") {
		t.Errorf("root %q, memory %q; want them in %q", g.project.root, g.memory.path, wd)
	}
	if g.sounds.speaker.limit != 5*time.Second || g.sounds.tty != "/dev/tty" {
		t.Error("wrong limits of sounds")
	}
	if !filepath.IsAbs(g.desktop.dir) {
		t.Errorf("desktop %q", g.desktop.dir)
	}
	if g := newGhost(Options{Root: "sub", Desktop: "desk", Memory: "m.json"}); fmt.Sprint(g.project.root, g.desktop.dir, g.memory.path) !=
		fmt.Sprint(filepath.Join(wd, "sub"), filepath.Join(wd, "desk"), filepath.Join(wd, "m.json")) {
		t.Error("relative options are not made absolute")
	}
}

func resultText(res *mcp.CallToolResult) string {
	return res.Content[0].(*mcp.TextContent).Text
}
