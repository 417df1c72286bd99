package diagnose

import "testing"

// goated reported that a script that serves HTTP lacks a permission for its files, or responds too
// late.
func TestHTTPServerInPlaceOfStdio(t *testing.T) {
	for output, want := range map[string]string{
		"INFO: Uvicorn running on http://127.0.0.1:8799 (Press CTRL+C to quit)":                              "http://127.0.0.1:8799/mcp",
		"stdout: MCP server listening on http://localhost:3456/sse":                                          "http://localhost:3456/sse",
		"Server listening at http://0.0.0.0:80.":                                                             "http://127.0.0.1:80/mcp",
		"ERROR: [Errno 13] error while attempting to bind on address ('127.0.0.1', 8799): permission denied": "http://127.0.0.1:8799/mcp",
		"ERROR: [Errno 13] error while attempting to bind on address ('::1', 8799, 0, 0): permission denied": "http://[::1]:8799/mcp",
		"Error: listen EACCES: permission denied 0.0.0.0:3456\n    at Server.setupListenHandle":              "http://127.0.0.1:3456/mcp",
		"Error: listen EPERM: operation not permitted :::3456":                                               "http://127.0.0.1:3456/mcp",
		"2026/01/02 listen tcp :8080: bind: permission denied":                                               "http://127.0.0.1:8080/mcp",
		"The documentation is available at https://example.com/docs":                                         "",
		"PermissionError: [Errno 13] Permission denied: '/etc/shadow'":                                       "",
		"Error: listen EADDRINUSE: address already in use 127.0.0.1:3456":                                    "",
	} {
		m := Machine{Exists: func(string) bool { return true }, Read: func(string) []byte { return []byte("import http from 'node:http'") }}
		for _, f := range []Facts{{Failure: ConnectTimeout, Output: output}, {Failure: StartFailed, Output: output, Stderr: true, Exit: Exit{Ended: true, Code: 1}}} {
			f.Machine, f.Command = m, Command{Script: "/srv/a.js", Folder: "/srv"}
			d := Find(f)
			if (d.Cause == HTTPServer) != (want != "") || d.Cause == HTTPServer && d.Args.Address != want {
				t.Errorf("%q: %q at %q, want %q", output, d.Cause, d.Args.Address, want)
			}
		}
		if d := Find(Facts{Failure: ConnectTimeout, Output: output, Exit: Exit{Initialized: true}}); d.Cause == HTTPServer {
			t.Errorf("%q: a server that answered initialize is no HTTP server", output)
		}
	}
}

// A stdio server may also listen on a port, for a sign-in or a browser extension. It needs the
// permission for that.
func TestServerThatAlsoListensIsNoHTTPServer(t *testing.T) {
	const refused = "Error: listen EACCES: permission denied 127.0.0.1:80"
	for name, tt := range map[string]struct{ source, output string }{
		"another protocol":   {"require('net').createServer().listen(80)", refused},
		"a package":          {"", refused},
		"a package's page":   {"", "Dashboard ready at http://localhost:8080"},
		"node over stdio":    {"import { StdioServerTransport } from 'x'; http.createServer(callback).listen(80)", refused},
		"python over stdio":  {"import uvicorn\nthreading.Thread(target=uvicorn.run, args=(page,)).start()\nmcp.run()", "ERROR: [Errno 13] error while attempting to bind on address ('127.0.0.1', 80): permission denied"},
		"a browser's bridge": {"import http from 'http'; import { WebSocketServer } from 'ws'", refused},
	} {
		m := Machine{Exists: func(string) bool { return true }, Read: func(string) []byte { return []byte(tt.source) }}
		f := Facts{Failure: StartFailed, Output: tt.output, Stderr: true, Exit: Exit{Ended: true, Code: 1}, Command: Command{Script: "/srv/a.js", Folder: "/srv"}, Machine: m}
		if d := Find(f); d.Cause == HTTPServer {
			t.Errorf("%s is taken for one: %+v", name, d)
		}
	}
	if d := Find(Facts{Failure: ConnectTimeout, Output: "MCP server listening on http://localhost:3456/sse"}); d.Cause != HTTPServer {
		t.Errorf("a package that names its endpoint is not: %+v", d)
	}
}
