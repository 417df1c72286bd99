package launch

import "testing"

// Clients write a command in different forms, and a model often mixes them.
func TestShapesOfAServer(t *testing.T) {
	const a, web = "npx -y a-mcp | npm a-mcp | a", "https://a.example/mcp | web a.example | a"
	understands(t, disk{}.system(every...), [][2]string{
		{`{"mcpServers": {"a": {"command": "npx", "args": "-y a-mcp"}}}`, a},
		{`{"mcpServers": {"a": {"command": "npx -y", "args": ["a-mcp"]}}}`, a},
		{`{"mcpServers": {"a": "npx -y a-mcp"}}`, a},
		{`{"mcpServers": {"a": "https://a.example/mcp"}}`, web},
		{`{"mcpServers": ["npx -y a-mcp"]}`, a},
		{`{"a": {"transport": {"type": "sse", "url": "https://a.example/mcp"}}}`, "https://a.example/mcp (sse) | web a.example | a"},
		{`{"a": {"transport": {"type": "stdio", "command": "npx", "args": ["-y", "a-mcp"]}}}`, a},
		{`{"mcpServers": {"a": {"transportType": "sse", "url": "https://a.example/mcp"}}}`, "https://a.example/mcp (sse) | web a.example | a"},
		{"command: npx\nargs: -y a-mcp\n", a},
		{"[mcp_servers.a]\nurl = \"https://a.example/mcp\"\nenv_http_headers = { \"X-A\" = \"OWN_TOKEN\", \"X-B\" = \"OTHER_KEY\" }\n", "https://a.example/mcp X-A=t0p X-B?OTHER_KEY | web a.example | a"},
		{"[mcp_servers.a]\ncommand = \"npx\"\nargs = [\"-y\", \"a-mcp\"]\nenv_vars = [\"OWN_TOKEN\", \"OTHER_KEY\"]\n", "npx -y a-mcp OTHER_KEY? OWN_TOKEN=t0p | npm a-mcp | a"},
		{"mcpServers:\n  - name: a\n    url: https://a.example/mcp\n    requestOptions:\n      headers:\n        Authorization: Bearer ${{ secrets.K }}\n", "https://a.example/mcp Authorization?Bearer ${input:K} | web a.example | a"},
	})
}

// Some texts contain a placeholder for the program, so no server can start. The error contains the
// placeholder.
func TestOpenPrograms(t *testing.T) {
	says := func(program string) string {
		return "error: The text does not name a program: it has " + program + " in its place"
	}
	understands(t, disk{}.system(every...), [][2]string{
		{`{"a": {"command": "${command:python.interpreterPath}", "args": ["-m", "a"]}}`, says("${command:python.interpreterPath}")},
		{`{"a": {"command": "${input:program}"}}`, says("${input:program}")},
		{`{"a": {"command": "{{pythonPath}}", "args": ["a.py"]}}`, says("{{pythonPath}}")},
		{`{"a": {"command": "<path to python>", "args": ["a.py"]}}`, says("<path to python>")},
		{`{"a": {"command": "%APPDATA%\\a.exe"}}`, says(`%APPDATA%\a.exe`)},
		{`{"a": {"command": "${workspaceFolder}/bin/a"}}`, "error: Server script not found: /work/bin/a"},
		{`${command:x.y} a.py`, says("${command:x.y}")},
		{`/path/to/python a.py`, "python a.py | file /work/a.py | a !10 /work/a.py"},
	})
}

// A README that leaves the path of the program to its reader used to be refused, although goated asks
// for other paths.
func TestPathsOfProgramsAreAskedFor(t *testing.T) {
	understands(t, disk{}.system(every...), [][2]string{
		{`{"mcpServers": {"a": {"command": "/path/to/a", "args": ["--stdio"], "env": {"API_KEY": "<key>"}}}}`, "${input:path.path.to.a} --stdio API_KEY?key | file /path/to/a | a"},
		{`{"a": {"command": "/Users/<you>/bin/a.bin"}}`, "${input:path.Users.__3Cyou__3E.bin.a__2Ebin} | file /Users/<you>/bin/a.bin | a"},
		{`{"a": {"command": "C:\\path\\to\\a.exe"}}`, `${input:path.C__3A.path.to.a__2Eexe} | file C:\path\to\a.exe | a`},
		{`/path/to/server --stdio`, "${input:path.path.to.server} --stdio | file /path/to/server | server"},
		{"/path/to/a.py --stdio", "${input:path.path.to.a__2Epy} --stdio | file /path/to/a.py | a"},
		{"/path/to/a.py", "${input:path.path.to.a__2Epy} | file /path/to/a.py | a"},
		{"path/to/your/a.js", "${input:path.path.to.your.a__2Ejs} | file path/to/your/a.js | a"},
		{"<path>/a.py", "${input:path.__3Cpath__3E.a__2Epy} | file <path>/a.py | a"},
		{`C:\path\to\a.py`, `${input:path.C__3A.path.to.a__2Epy} | file C:\path\to\a.py | a`},
		{`{"a": {"command": "/absolute/path/to/a.py", "args": ["x"]}}`, "${input:path.absolute.path.to.a__2Epy} x | file /absolute/path/to/a.py | a"},
		{"/path/to/a.jar --stdio", "java -jar /path/to/a.jar --stdio | file /path/to/a.jar | a !1 /path/to/a.jar"},
		{"/path/to/a.ts", "node /path/to/a.ts | file /path/to/a.ts | a !1 /path/to/a.ts"},
		{"node path/to/your/a.js", "node path/to/your/a.js | file path/to/your/a.js | a !1 path/to/your/a.js"},
		{"uv --directory /path/to run server.py", "uv --directory /path/to run server.py | file /path/to | server !1 /path/to"}, // its name was "to"
		{"python <path>/server.py", "python <path>/server.py | file <path>/server.py | server !1 <path>/server.py"},
		{`claude mcp add a -- /path/to/a`, "${input:path.path.to.a} | file /path/to/a | a"},
		{"# Fs\n\n```json\n{\"mcpServers\": {\"fs\": {\"command\": \"/path/to/fs\"}}}\n```\n\nOr:\n\n```sh\nnpx -y fs-mcp\n```\n", "npx -y fs-mcp | npm fs-mcp | fs"},
	})
	understands(t, disk{"/path/to/a": "#!"}.system(every...), [][2]string{{`{"a": {"command": "/path/to/a"}}`, "/path/to/a | file /path/to/a | a"}})
}

// goated used to crash on the name of a variable that no reference can contain.
func TestVariablesOfHeadersMayHaveAnyName(t *testing.T) {
	for _, name := range []string{"", "my key", "1", "é", "${x}", "a}b"} {
		text := "[mcp_servers.a]\nurl = \"https://a.example/mcp\"\nenv_http_headers = { X-Key = \"" + name + "\" }\n"
		if _, err := Understand(text, disk{}.system(every...)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
