package client

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Bytes that are no text become what the standard library makes of them, and
// never more than the limit.
func TestRepair(t *testing.T) {
	for _, text := range []string{
		"", "a", "ö€😀", "\xff", "a\xffb", "\xff\xfea\xfd", "a\xe2\x82", "\xed\xa0\x80x", "\xf0\x9f\x98", "\xc0\x80", "a\uFFFDb\xff", "\xffa\xffb\xff",
	} {
		want := bytes.ToValidUTF8([]byte(text), []byte("\uFFFD"))
		if got := repair([]byte(text), len(want)); !bytes.Equal(got, want) {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
		if got := repair([]byte(text), len(want)-1); len(want) > len(text) && got != nil {
			t.Errorf("%q becomes %q, which is too long", text, got)
		}
	}
}

// A message that is too long only once it is repaired fails the call that it
// answers, and says why.
func TestTooLongOnceRepaired(t *testing.T) {
	const limit = 1 << 10
	var s server
	c := &stdio{notified: s.notified, tell: func() {}, maxFrame: limit, pending: make(map[jsonrpc.ID]string)}
	id, _ := jsonrpc.MakeID(float64(7))
	c.pending[id] = "tools/call"
	msgs, err := c.take([]byte(`{"jsonrpc":"2.0","id":7,"result":{"x":"` + strings.Repeat("a\xff", 400) + `"}}` + "\n"))
	if err != nil || len(msgs) != 1 {
		t.Fatal(msgs, err)
	}
	var wire *jsonrpc.Error
	r := msgs[0].(*jsonrpc.Response)
	if r.ID != id || !errors.As(r.Error, &wire) || wire.Message != "the server's message is too large: more than 1024 bytes once its bytes that are no text are replaced" {
		t.Errorf("%+v", r)
	}
}
