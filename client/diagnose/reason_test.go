package diagnose

import (
	"strings"
	"testing"
)

// The reason for a failed server is its error, rather than the lines that its interpreter or its
// package manager prints below the error.
func TestReason(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ output, want string }{
		"python":                      {"Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nValueError: no", "ValueError: no"},
		"node":                        {"/srv/a.js:1\nthrow new Error('boom')\n^\n\nError: boom\n    at f (/srv/a.js:1:7)\n    at node:internal/main/run_main_module:28:49\n\nNode.js v20.20.2", "Error: boom"},
		"node's fields":               {"Error: Cannot find module 'x'\n    at f (node:internal/x:1:1) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v20.20.2", "Error: Cannot find module 'x'"},
		"a log":                       {"[Redis Fatal] Stack: Error: Max retries reached\n    at RedisSocket (/a/socket.js:140:16)\n    at async runServer (file:///a/index.js:240:9)", "[Redis Fatal] Stack: Error: Max retries reached"},
		"npm":                         {"npm error code E404\nnpm error 404 Not Found - GET https://registry.test/x - Not found\nnpm error 404\nnpm error 404 The requested resource could not be found.\nnpm error A complete log of this run can be found in: /a/_logs/2026-debug-0.log", "npm error 404 Not Found - GET https://registry.test/x - Not found"},
		"go":                          {"panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:5 +0x1d\nexit status 2", "panic: boom"},
		"go's signal":                 {"SIGSEGV: segmentation violation\nPC=0x47 m=0 sigcode=0\n\ngoroutine 1:\nmain.main()\n\t/srv/main.go:5\n\nrax    0x0\ngs     0x0", "SIGSEGV: segmentation violation"},
		"node's memory":               {"<--- Last few GCs --->\n\n[9:0x3] 7 ms: Scavenge\n\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----\n\n 9: 0xb78 node::OOMErrorHandler [node]\n10: 0x152 [node]\n11: 0x7f009de9a476 ", "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"},
		"python's crash":              {"Fatal Python error: Segmentation fault\n\nCurrent thread 0x7 (most recent call first):\n  File \"a.py\", line 3 in f", "Fatal Python error: Segmentation fault"},
		"rust":                        {"thread 'main' panicked at src/main.rs:2:5:\nboom\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/x/panicking.rs:597:5\nnote: run with `RUST_BACKTRACE=full`", "boom"},
		"uv":                          {"  × No solution found when resolving tool dependencies:\n  ╰─▶ Because x was not found in the package registry and you require x, we can\n      conclude that your requirements are unsatisfiable.\nhint: look", "Because x was not found in the package registry and you require x, we can conclude that your requirements are unsatisfiable."},
		"uv 0.13":                     {"error: No solution found when resolving tool dependencies\n  cause: Because x depends on Python>=3.12, we can conclude that x cannot be used.\n         And because you require x, we can conclude that your requirements are unsatisfiable.", "Because x depends on Python>=3.12, we can conclude that x cannot be used. And because you require x, we can conclude that your requirements are unsatisfiable."},
		"uv's causes":                 {"error: Failed to fetch: `https://a.test`\n  Caused by: request failed\n  Caused by: dns error", "  Caused by: dns error"},
		"a list of zod":               {"Fatal error: [\n  {\n    \"code\": \"too_small\",\n    \"path\": [\n      \"url\"\n    ]\n  }\n]", "Fatal error: url"},
		"a list of zod that says why": {"Server error: [\n  {\n    \"code\": \"custom\",\n    \"message\": \"Either \\\"ES_API_KEY\\\" or a password is required\",\n    \"path\": [\n      \"auth\"\n    ]\n  }\n]", `Server error: auth: Either "ES_API_KEY" or a password is required`},
		"sqlalchemy":                  {"sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) unable to open database file\n(Background on this error at: https://sqlalche.me/e/20/e3q8)", "sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) unable to open database file"},
		"where an error is explained": {"Error: no key\nSee https://docs.test/key", "Error: no key"},
		"git below uv":                {"error: Failed to resolve `--with` requirement\n  cause: Git operation failed\n         --- stderr\n         fatal: unable to access 'https://git.test/x/': CONNECT tunnel failed, response 403\n", "fatal: unable to access 'https://git.test/x/': CONNECT tunnel failed, response 403"},
		"a list that says nothing":    {"Server error: [\n  {\n  }\n]", "Server error: ["},
		"an error's advice":           {"Error: no context is set\nConfigure one with 'set-context'", "Error: no context is set"},
		"node's warnings":             {"(node:7) [UNDICI-EHPA] Warning: EnvHttpProxyAgent is experimental\n(Use `node --trace-warnings ...` to show where the warning was created)", ""},
		"an error above a warning":    {"no database\n(node:7) [DEP0040] DeprecationWarning: The punycode module is deprecated.\n(Use `node --trace-deprecation ...` to show where)", "no database"},
		"only lines below an error":   {"    at f\n}", "}"},
		"node's event":                {"Error: listen EACCES: permission denied 0.0.0.0:39\n    at Server.listen (node:net:1:8)\nEmitted 'error' event on Server instance at:\n    at emitErrorNT (node:net:1:8)\n    at x (node:y:8:2) {\n  code: 'EACCES'\n}\n\nNode.js v20.20.2", "Error: listen EACCES: permission denied 0.0.0.0:39"},
		"a log that shuts down":       {"INFO:     Application startup complete.\nERROR:    [Errno 13] the port is taken\nINFO:     Application shutdown complete.", "ERROR:    [Errno 13] the port is taken"},
		"a log of information":        {"INFO: started\nINFO: ended", "INFO: ended"},
		"nothing":                     {"", ""},
	} {
		if got := Reason(strings.Split(tt.output, "\n")); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if got := Reason(nil); got != "" {
		t.Errorf("%q without output", got)
	}
}
