package main

import (
	"fmt"
	"strings"
	"testing"
)

// The servers of a linked file ran, but no list showed them and --server did not find them. Only
// the window could turn off their tools.
func TestServersOfALinkedFileAreKnown(t *testing.T) {
	p := newPlace(t)
	file := p.write(".mcp.json", fmt.Sprintf(`{"mcpServers":{"roller":{"command":"python3","args":[%q]}}}`, p.dice("")))
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"servers", "link"}, 0, "No file is linked"},
		{[]string{"servers", "link", file, "--yes"}, 0, "roller"},
		{[]string{"servers", "link"}, 0, file + "\n  allowed  roller"},
		{[]string{"servers", "list"}, 0, ", from " + file},
		{[]string{"servers", "list", "--json"}, 0, `"file": "` + file},
		{[]string{"servers", "show", "roller"}, 0, file},
		{[]string{"tools", "--server", "Roller"}, 0, "roller · 1 tool"},
		{[]string{"servers", "tools", "roller"}, 0, "roll "},
		{[]string{"servers", "tool", "roller", "roll", "off"}, 0, "roll of roller is off"},
		{[]string{"servers", "tools", "roller"}, 0, "off  roll"},
		{[]string{"tools", "--server", "Roller"}, 0, "is off"},
		{[]string{"servers", "tool", "roller", "roll", "on"}, 0, "roll of roller is on"},
		{[]string{"servers", "tools", "roller"}, 0, "on   roll"},
		{[]string{"servers", "disable", "roller"}, 1, "Edit that file, or save the server with: goated servers import --file " + file + " roller"},
	} {
		if out, aside, code := p.run(c.args...); code != c.status || !strings.Contains(out+aside, c.want) {
			t.Errorf("%q: status %d\n%s%s", c.args, code, out, aside)
		}
	}
	p.write(".mcp.json", `{"mcpServers":{"roller":{"command":"python3","args":["other.py"]}}}`)
	if _, aside, code := p.run("tools", "--server", "roller"); code == 0 || !strings.Contains(aside, "is new or has changed. To allow it, use: goated servers link "+file) {
		t.Errorf("a changed one: status %d\n%s", code, aside)
	}
}
