package stdio

import (
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/limits"
	"goated/client/internal/pending"
	"goated/internal/proc"
)

// testConn returns a connection without a process, for parse and take.
func testConn(limit int, notified func(*jsonrpc.Request) limits.Verdict, open ...float64) *Conn {
	p := &proc.Process{Stderr: new(proc.LogRing)}
	c := &Conn{
		process: p,
		options: Options{MaxFrame: limit, Notified: notified},
		peer:    &peer{requests: pending.New(nil)},
		limits:  limits.New(p.Stderr, func() {}),
		frames:  make(chan frame, 1),
		ends:    ends{closed: make(chan struct{})},
	}
	c.Calls = &Calls{conn: c}
	for _, n := range open {
		id, _ := jsonrpc.MakeID(n)
		c.peer.requests.Begin(id, "tools/call", nil)
	}
	return c
}

func unknown(*jsonrpc.Request) limits.Verdict { return limits.Unknown }

// A message that exceeds the limit only after its repair fails its call with that reason.
func TestTooLongOnceRepaired(t *testing.T) {
	const limit = 1 << 10
	c := testConn(limit, unknown, 7)
	id, _ := jsonrpc.MakeID(float64(7))
	msgs, err := c.take([]byte(`{"jsonrpc":"2.0","id":7,"result":{"x":"` + strings.Repeat("a\xff", 400) + `"}}` + "\n"))
	if err != nil || len(msgs) != 1 {
		t.Fatal(msgs, err)
	}
	var wire *jsonrpc.Error
	r := msgs[0].(*jsonrpc.Response)
	if r.ID != id || !errors.As(r.Error, &wire) || wire.Message != "the server's message is too large: more than 1024 bytes once its bytes that are not UTF-8 are replaced" {
		t.Errorf("%+v", r)
	}
}
