package registry

import (
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestQualify(t *testing.T) {
	for _, tt := range []struct{ server, tool, want string }{
		{"ghost", "manage_memory", "ghost__manage_memory"},
		{"ghost-2", "a-b", "ghost-2__a-b"},
		{"fs", "_x", "fs___x"},
		{"fs", "read.file", "?"},
		{"fs", "", "?"},
		{"fs", strings.Repeat("long_", 20), "?"},
		{"Ghost", "x", "?"},
		{"", "x", "?"},
		{"9", "x", "?"},
		{"weather", "日本", "?"},
		{"a09z", "aA09zZ_", "a09z__aA09zZ_"},
		{"z-0-9", "x", "z-0-9__x"},
		{"server/", "x", "?"},
		{"server:", "x", "?"},
		{"server{", "x", "?"},
		{"`", "x", "?"},
		{"{", "x", "?"},
		{strings.Repeat("s", maxServer), "x", strings.Repeat("s", maxServer) + "__x"},
		{strings.Repeat("s", maxServer+1), "x", "?"},
		{"fs", strings.Repeat("x", maxName-4), "fs__" + strings.Repeat("x", maxName-4)},
		{"fs", strings.Repeat("x", maxName-3), "?"},
	} {
		got := Qualify(tt.server, tt.tool)
		if tt.want == "?" {
			if !looksHashed(got) {
				t.Errorf("Qualify(%q, %q) = %q, want a digest", tt.server, tt.tool, got)
			}
		} else if got != tt.want {
			t.Errorf("Qualify(%q, %q) = %q, want %q", tt.server, tt.tool, got, tt.want)
		}
		if !regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,62}$`).MatchString(got) {
			t.Errorf("Qualify(%q, %q) = %q is not a function name", tt.server, tt.tool, got)
		}
	}
}

// Names are saved in histories and permissions, so they must never change.
func TestQualifyIsStable(t *testing.T) {
	if got, want := Qualify("fs", "read.file"), "fs__read-file-xh3hr5vjne0ak4skf"; got != want {
		t.Errorf("Qualify(fs, read.file) = %q, want %q", got, want)
	}
}

// A tool that is named like a digest must not get the qualified name of the tool with that digest.
func TestQualifyForgedDigest(t *testing.T) {
	victim := Qualify("fs", "read.file")
	forged := strings.TrimPrefix(victim, "fs__")
	if got := Qualify("fs", forged); got == victim {
		t.Errorf("Qualify(fs, %q) = %q, the name of another tool", forged, got)
	}
}

func TestServerID(t *testing.T) {
	for name, want := range map[string]string{
		"weather":                 "weather",
		"My Server (2)":           "my-server-2",
		"__x":                     "x",
		"日本":                      "server",
		"42":                      "server-42",
		"a_b.c":                   "a-b-c",
		"a0z9":                    "a0z9",
		"`a{b/c:d":                "a-b-c-d",
		"":                        "server",
		"abcdefghijklmnopqrs-tuv": "abcdefghijklmnopqrs",
	} {
		if got := ServerID(name); got != want {
			t.Errorf("ServerID(%q) = %q, want %q", name, got, want)
		}
		if !canonical(ServerID(name)) {
			t.Errorf("ServerID(%q) is not canonical", name)
		}
	}
}

// The tool's own title takes precedence over the one in its annotations.
func TestTitle(t *testing.T) {
	for want, tool := range map[string]*mcp.Tool{
		"Own":  {Title: "Own", Annotations: &mcp.ToolAnnotations{Title: "Hint"}},
		"Hint": {Annotations: &mcp.ToolAnnotations{Title: "Hint"}},
		"":     {Name: "read"},
	} {
		if got := Title(tool); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
