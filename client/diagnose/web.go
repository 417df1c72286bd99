package diagnose

import (
	"net"
	"net/url"
	"strings"
)

var (
	// serving matches the words of a program that serves HTTP on this computer.
	serving = pattern(`(?i)\b(?:running|listening|serving|started|ready|available)\b[^\n]{0,80}?(https?://(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])(?::\d+)?[^\s"'<>()]*)`)
	// unbound matches the refusal of a port, with its address and number.
	unbound = pattern(`(?i)bind on address \('([^']*)', (\d+)[^\n]*(?:permission denied|not permitted)|\blisten E(?:ACCES|PERM)\b[^\n]*? ([\d.:a-f\[\]]*):(\d+)|\blisten tcp[46]? (\S*):(\d+): bind: (?:permission denied|operation not permitted)`)
	// mentioned matches what tells the source of an HTTP server from that of another protocol,
	// and asgi the log of Python's HTTP servers.
	mentioned = pattern(`(?i)http|\bsse\b|uvicorn|express`)
	asgi      = pattern(`(?i)uvicorn|streamablehttp|application startup complete`)
)

// mentionsHTTP reports whether the script or its output is about HTTP. Of a program without a
// source it is unknown, and HTTP the most likely.
func (f Facts) mentionsHTTP() bool {
	source := f.read(f.Script)
	return len(source) == 0 || mentioned().Match(source) || asgi().MatchString(f.Output)
}

// web is about a script that serves HTTP, and speaks no MCP over its stdin and stdout.
func web(f Facts, d *Diagnosis) bool {
	if f.Greeted || f.Failure != StartFailed && f.Failure != ConnectTimeout {
		return false
	}
	u := &url.URL{Scheme: "http"}
	if m := unbound().FindStringSubmatch(f.Output); m != nil && f.mentionsHTTP() { // one pair of groups matches
		u.Host = net.JoinHostPort(strings.Trim(m[1]+m[3]+m[5], "[]"), m[2]+m[4]+m[6])
	} else if m := serving().FindStringSubmatch(f.Output); m != nil {
		said, err := url.Parse(strings.TrimRight(m[1], ".,;"))
		if err != nil {
			return false
		}
		u = said
	} else {
		return false
	}
	if host := u.Hostname(); u.Port() != "" && (host == "" || host == "0.0.0.0" || host == "::") { // each address of this computer
		u.Host = net.JoinHostPort("127.0.0.1", u.Port())
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/mcp" // where most servers have it
	}
	d.Cause, d.Args.Address = HTTPServer, u.String()
	return true
}
