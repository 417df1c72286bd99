package launch

import "testing"

// A copied text may contain invisible characters, and a folder here may have the same name as a
// program.
func TestCopiedCommandsAndFoldersOfTheirName(t *testing.T) {
	sys := disk{"/work/npx/server.py": "", "/work/mcp-server-time/server.py": ""}.system(every...)
	for text, want := range map[string]string{
		"\u200bnpx -y exa\u2060-mcp-server\u200b": "npx -y exa-mcp-server | npm exa-mcp-server | exa",
		"mcp-server-time":                         "mcp-server-time | installed mcp-server-time | time",
	} {
		r, err := Understand(text, sys)
		if err != nil || len(r.Servers) != 1 {
			t.Errorf("%q: %d servers, %v", text, len(r.Servers), err)
			continue
		}
		if got := shown(r.Servers[0]); got != want {
			t.Errorf("%q\n got  %s\n want %s", text, got, want)
		}
	}
}
