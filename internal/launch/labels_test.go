package launch

import (
	"slices"
	"testing"
)

// READMEs list the fields of a client's window, and clients print them.
func TestFieldsOfAForm(t *testing.T) {
	const fs = "npx -y fs-mcp | npm fs-mcp | fs"
	understands(t, disk{}.system(every...), [][2]string{
		{"Command: npx\nArgs: -y fs-mcp", fs},
		{"Command: `npx`\nArguments: `-y`, `fs-mcp` (two entries)", fs},
		{"- **Name**: `fs`\n- **Type**: `STDIO`\n- **Command**: `npx`\n- **Arguments**: `-y fs-mcp`", fs},
		{"1. Open **Settings**\n2. Click **Add Server**:\n   - **Name:** fs\n   - **Command:** npx\n   - **Arguments:**\n     - -y\n     - fs-mcp", fs},
		{"Name: fs\nCommand: npx -y fs-mcp", fs},
		{`Name: fs` + "\nCommand: npx\nArgs: [\"-y\", \"fs-mcp\"]", fs},
		{"Command: npx\nArgs: -y, fs-mcp\nEnvironment Variables:\n- API_KEY: <your-key>\n- LEVEL=debug", "npx -y fs-mcp API_KEY?your-key LEVEL=debug | npm fs-mcp | fs"},
		{"files:\n  Scope: User config\n  Type: stdio\n  Command: npx\n  Args: -y fs-mcp\n  Environment:\n    LEVEL=debug", "npx -y fs-mcp LEVEL=debug | npm fs-mcp | files"},
		{"Name: a\nCommand: npx a-mcp\nName: b\nCommand: uvx b-mcp", "npx a-mcp | npm a-mcp | a\nuvx b-mcp | pypi b-mcp | b"},
		{"Name: remote\nServer URL: https://a.example/mcp\nTransport: SSE", "https://a.example/mcp (sse) | web a.example | remote"},
		{"Name: fs\nDescription: it reads files", "error: This YAML names no MCP server"},
	})
}

// Codex allows a server on one line.
func TestInlineTables(t *testing.T) {
	const fs = "npx -y fs-mcp | npm fs-mcp | fs"
	understands(t, disk{}.system(every...), [][2]string{
		{`mcp_servers.fs = { command = "npx", args = ["-y", "fs-mcp"] }`, fs},
		{`mcp_servers = { fs = { command = "npx", args = ["-y", "fs-mcp"] } }`, fs},
		{"mcp_servers.fs.command = \"npx\"\nmcp_servers.fs.args = [\"-y\", \"fs-mcp\"]", fs},
		{"[mcp_servers]\nfs = { command = \"npx\", args = [\"-y\", \"fs-mcp\"] }", fs},
	})
}

// JetBrains editors store their servers in XML.
func TestSettingsOfJetBrains(t *testing.T) {
	file := func(inner string) string {
		return `<application><component name="McpApplicationServerCommands"><commands>` + inner + `</commands><urls /></component></application>`
	}
	understands(t, disk{}.system(every...), [][2]string{
		{file(`<McpServerCommand><option name="enabled" value="true" /><option name="name" value="files" /><option name="programPath" value="npx" />` +
			`<option name="arguments" value="-y fs-mcp" /><option name="workingDirectory" value="" /><envs><env name="API_KEY" value="&lt;your-key&gt;" /></envs></McpServerCommand>`),
			"npx -y fs-mcp API_KEY?your-key | npm fs-mcp | files"},
		{`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + file(`<McpServerURL><option name="name" value="r" /><option name="enabled" value="false" /><option name="url" value="https://a.example/mcp" />`+
			`<option name="headers"><map><entry key="X-Trace" value="on" /></map></option></McpServerURL>`),
			"https://a.example/mcp X-Trace=on | web a.example | r off"},
		{file(`<McpServerConfigurationProperties><option name="name" value="files" /><option name="transport"><McpLocalServerProperties><option name="command" value="npx" />` +
			`<option name="args" value="-y fs-mcp" /></McpLocalServerProperties></option></McpServerConfigurationProperties>`),
			"npx -y fs-mcp | npm fs-mcp | files"},
		{file(`<option name="servers" value="[{&quot;name&quot;: &quot;files&quot;, &quot;command&quot;: &quot;npx&quot;, &quot;args&quot;: [&quot;-y&quot;, &quot;fs-mcp&quot;]}]" />`),
			"npx -y fs-mcp | npm fs-mcp | files"},
		{file(`<McpServerConfigurationProperties><option name="name" value="files" /></McpServerConfigurationProperties>`), "error: This XML names no MCP server"},
		{`<application><option name="a"></application>`, "error: There is a mistake in this XML: line 1: element <option> closed by </application>"},
	})
}

// cmd.exe passes on the text in its quotes, where \" is a quote of the program.
func TestQuotesBehindCmd(t *testing.T) {
	understands(t, disk{}.system(every...), [][2]string{
		{`cmd /c "npx -y fs-mcp"`, "npx -y fs-mcp | npm fs-mcp | fs"},
		{`cmd /c "npx -y fs-mcp --config {\"a b\":1}"`, `npx -y fs-mcp --config {"a b":1} | npm fs-mcp | fs`},
		{`{"mcpServers": {"fs": {"command": "cmd", "args": ["/c", "npx -y fs-mcp --dir \"/my files\""]}}}`, "npx -y fs-mcp --dir /my files | npm fs-mcp | fs"},
	})
}

// A path with letters such as é, and four words of a program on this computer, used to be taken for a
// description.
func TestLabelledCommandsThatAreNoSentences(t *testing.T) {
	understands(t, disk{"/home/ada/é/a.js": ""}.system(append(slices.Clone(every), "fs-server")...), [][2]string{
		{"Name: fs\nCommand: node /home/ada/é/a.js", "node /home/ada/é/a.js | file /home/ada/é/a.js | fs"},
		{"Name: fs\nCommand: fs-server start server stdio", "fs-server start server stdio | installed fs-server | fs"},
		{"Name: fs\nCommand: npm パッケージ", "error: This YAML names no MCP server"},
	})
}
