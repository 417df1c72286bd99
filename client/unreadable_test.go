//go:build unix

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/wording"
)

// If goated cannot read a server's list of tools, the server is at fault. The diagnosis
// describes what is wrong with the message. It does not suggest other arguments, because they
// help only if a server refuses to connect.
func TestUnreadableAnswersAreTheServersFault(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ list, says string }{
		"deep":       {`'{"jsonrpc":"2.0","id":%d,"result":{"tools":' % id + '[' * 600 + ']' * 600 + '}}'`, "nested more than 512 levels deep"},
		"wrong case": {`'{"jsonrpc":"2.0","id":%d,"Result":{"tools":[]}}' % id`, "differs only in case"},
		"oversized":  {`'{"jsonrpc":"2.0","id":%d,"result":{"tools":[],"x":"' % id + 'x' * 2000000 + '"}}'`, "more than 1 MiB"},
		"no version": {`'{"id":%d,"result":{"tools":[]}}' % id`, `does not say "jsonrpc": "2.0"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := filepath.Join(t.TempDir(), "broken.py")
			source := `
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    id = m.get("id")
    if m["method"] == "initialize":
        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}}), flush=True)
    elif m["method"] == "tools/list":
        print(` + tt.list + `, flush=True)
    elif id is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}}), flush=True)
`
			if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
				t.Fatal(err)
			}
			h := host(t, client.Options{MaxFrame: small})
			_, err := h.Connect(t.Context(), client.Config{Path: script})
			var e *client.Error
			if !errors.As(err, &e) {
				t.Fatalf("connecting: %v", err)
			}
			if e.Report == nil || e.Report.Cause != diagnose.ProtocolError || !strings.Contains(wording.CauseText(e.Report.Diagnosis), tt.says) {
				t.Errorf("%v: the diagnosis is %+v: %s", err, e.Report, wording.CauseText(e.Report.Diagnosis))
			}
		})
	}
}
