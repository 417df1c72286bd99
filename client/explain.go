package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"goated/internal/proc"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// explain turns what went wrong while connecting into the seed's words.
func (s *server) explain(ctx context.Context, err error) *Error {
	var e *Error
	var wire *jsonrpc.Error
	path := s.config.Path
	switch {
	case errors.As(err, &e):
		return e
	case s.conn != nil && s.conn.blamed() != nil:
		return &Error{Kind: ErrProtocol, Subject: path, Err: s.conn.blamed()}
	case errors.Is(context.Cause(ctx), ErrConnectTimeout):
		return &Error{Kind: ErrConnectTimeout, Subject: path, After: s.connectLimit}
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &wire):
		return &Error{Kind: ErrProtocol, Subject: path, Err: wire}
	case died(err) && s.conn.p.EndsWithin(graceExit):
		<-s.conn.p.Done() // and stderr is read to its end
		return &Error{Kind: ErrStart, Subject: path, Err: s.exit()}
	case died(err):
		return &Error{Kind: ErrProtocol, Subject: path, Err: s.conn.gone()}
	}
	return &Error{Kind: ErrProtocol, Subject: path, Err: err}
}

// graceExit is how long a process may take to be gone when its stdout is.
const graceExit = 500 * time.Millisecond

// died reports whether a session's error is that the stream ended, which is
// seen in writing as well as in reading.
func died(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, proc.ErrPipe)
}

// exit tells how the process ended, and what it said last: for an interpreter
// that is the reason.
func (s *server) exit() error {
	how := "it exited without output"
	if e := s.conn.p.Exit(); e != (proc.Exit{}) {
		how = e.String()
	}
	if lines := s.stderr(); len(lines) > 0 {
		return fmt.Errorf("%s: %s", how, lines[len(lines)-1])
	}
	return errors.New(how)
}
