package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/proc"
)

// explain turns an error of connecting into one of seed 003's table; nil if ctx
// ended for another reason than the connection limit.
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
		<-s.conn.p.Done() // then stderr is complete
		return &Error{Kind: ErrStart, Subject: path, Err: s.exit()}
	case died(err):
		return &Error{Kind: ErrProtocol, Subject: path, Err: s.conn.gone()}
	}
	return &Error{Kind: ErrProtocol, Subject: path, Err: err}
}

// graceExit is how long a process may live on after its stdout is closed, and
// still count as ended.
const graceExit = 500 * time.Millisecond

// died reports whether a session ended because a stream to the server did.
// Reading and writing have different errors for that.
func died(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, proc.ErrPipe)
}

// exit returns how the process ended, and its last line of output, which for an
// interpreter is the reason.
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
