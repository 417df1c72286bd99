package diagnose

import (
	"net"
	"net/url"
	"strings"
)

var (
	// serving matches the message of a program that serves HTTP on this computer.
	serving = pattern(`(?i)\b(?:running|listening|serving|started|ready|available)\b[^\n]{0,80}?(https?://(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])(?::\d+)?[^\s"'<>()]*)`)
	// unbound matches a refusal to bind a port. Its groups are the address and the number.
	unbound = pattern(`(?i)bind on address \('([^']*)', (\d+)[^\n]*(?:permission denied|not permitted)|\blisten E(?:ACCES|PERM)\b[^\n]*? ([\d.:a-f\[\]]*):(\d+)|\blisten tcp[46]? (\S*):(\d+): bind: (?:permission denied|operation not permitted)`)
	// httpServer matches the source of an HTTP server. otherwise matches the source of a server
	// that uses stdio or another protocol.
	httpServer = pattern(`(?i)https?['"]?\)?\.createServer|from ['"](?:node:)?https?['"]|\bexpress\(|fastify|\bhono\b|(?:bun|deno)\.serve|uvicorn|fastapi|starlette|flask|streamable[-_ ]?http|\bsse_|SSEServer|NewSSE|transport\s*=\s*["'](?:http|sse)|ListenAndServe|\bhttp\.Serve`)
	otherwise  = pattern(`(?i)stdio|websocket|\bfrom ['"]ws['"]|\.run\(\s*\)`)
	// asgi matches the logs of Python's HTTP servers. endpoint matches the path of MCP over HTTP.
	asgi     = pattern(`(?i)uvicorn|streamablehttp|application startup complete`)
	endpoint = pattern(`/(?:mcp|sse)\b`)
)

// servesHTTP reports whether a script is an HTTP server, judging by its source or its log. Many
// stdio servers also listen on a port, for a sign-in or a browser extension. Those need a
// permission instead.
func (f Facts) servesHTTP() bool {
	source, logs := f.read(f.Script), asgi().MatchString(f.Output)
	if len(source) == 0 {
		return logs
	}
	return (logs || httpServer().Match(source)) && !otherwise().Match(source)
}

// web diagnoses a script that serves HTTP and does not speak MCP over stdin and stdout.
func web(f Facts, d *Diagnosis) bool {
	if f.Initialized || f.Failure != StartFailed && f.Failure != ConnectTimeout {
		return false
	}
	u := &url.URL{Scheme: "http"}
	if m := unbound().FindStringSubmatch(f.Output); m != nil && f.servesHTTP() { // one pair of groups matches
		u.Host = net.JoinHostPort(strings.Trim(m[1]+m[3]+m[5], "[]"), m[2]+m[4]+m[6])
	} else if m := serving().FindStringSubmatch(f.Output); m != nil && (endpoint().MatchString(m[1]) || f.servesHTTP()) {
		said, err := url.Parse(strings.TrimRight(m[1], ".,;"))
		if err != nil {
			return false
		}
		u = said
	} else {
		return false
	}
	if host := u.Hostname(); u.Port() != "" && (host == "" || host == "0.0.0.0" || host == "::") { // these mean all addresses of this computer
		u.Host = net.JoinHostPort("127.0.0.1", u.Port())
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/mcp" // the path that most servers use
	}
	d.Cause, d.Args.Address = HTTPServer, u.String()
	return true
}
