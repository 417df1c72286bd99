package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// With --json, goated printed only the message of an error. After a timeout, it did not print the
// server's log.
func TestCallShowsTheWholeError(t *testing.T) {
	p := newPlace(t)
	server := "python3 " + p.rename("wrong.py", "wrong.py") + " tools/call "
	out, aside, code := p.run("call", "one", "--yes", "--json", "--server", server+`'{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"boom","data":{"hint":"set region"}}}'`)
	var got struct {
		Error struct {
			Code    int
			Message string
			Data    struct{ Hint string }
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 1 || got.Error.Code != -32000 || got.Error.Message != "boom" || got.Error.Data.Hint != "set region" || !strings.Contains(aside, `boom (data: {"hint":"set region"})`) {
		t.Errorf("status %d, %q %s: %v", code, out, aside, err)
	}
	out, aside, code = p.run("call", "one", "--yes", "--json", "--call-timeout", "4s", "--server", server+"'stderr INFO a query'")
	if code != 1 || out != "" || !strings.HasSuffix(aside, "\nTo wait longer, add --call-timeout 5m.\n  | INFO a query\n") {
		t.Errorf("status %d, %q %s", code, out, aside)
	}
}
