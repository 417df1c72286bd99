package launch

import "testing"

// A configuration keeps the digits of its numbers. The id of a Discord server exceeds the precision of
// a float64, and version 1.10 is not 1.1.
func TestNumbersKeepTheirDigits(t *testing.T) {
	const id = "npx d-mcp 1187654321098765432 GUILD_ID=1187654321098765432 | npm d-mcp | d"
	understands(t, disk{}.system(every...), [][2]string{
		{`{"mcpServers": {"d": {"command": "npx", "args": ["d-mcp", 1187654321098765432], "env": {"GUILD_ID": 1187654321098765432}}}}`, id},
		{`{'mcpServers': {'d': {'command': 'npx', 'args': ['d-mcp', 1187654321098765432], 'env': {'GUILD_ID': 1187654321098765432}}}}`, id},
		{"[mcp_servers.d]\ncommand = \"npx\"\nargs = [\"d-mcp\", 1187654321098765432]\n[mcp_servers.d.env]\nGUILD_ID = 1187654321098765432\n", id},
		{"mcpServers:\n  d:\n    command: npx\n    args: [d-mcp, 1187654321098765432]\n    env:\n      GUILD_ID: 1187654321098765432\n", id},
		{"mcpServers:\n  d:\n    command: npx\n    args: [d-mcp, 98765432109876543210]\n    env:\n      API: 1.10\n", "npx d-mcp 98765432109876543210 API=1.10 | npm d-mcp | d"},
		{`{"d": {"command": "npx", "args": ["d-mcp"], "env": {"API": 1.10}}}`, "npx d-mcp API=1.10 | npm d-mcp | d"},
	})
	r, err := Understand(`{"inputs": [{"id": "g", "default": 1187654321098765432}], "servers": {"d": {"command": "npx", "args": ["d-mcp", "${input:g}"]}}}`, disk{}.system(every...))
	if err != nil || len(r.Inputs) != 1 || r.Inputs[0].Default != "1187654321098765432" {
		t.Errorf("the default of an input is %+v, %v", r.Inputs, err)
	}
}
