package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"goated/client/diagnose"
)

// graceCause is how long the error of a call waits for the cause of the server's end: the
// process may exit after its stdout has ended, and its last lines are read after that.
const graceCause = 2 * graceExit

// disconnectedError returns the error of a request to a server that is no longer connected. The error has the
// cause that the server's card shows, unless the user disconnected the server.
func disconnectedError(ctx context.Context, s *server, subject string) *Error {
	e := &Error{Kind: ErrDisconnected, Subject: subject}
	limit := time.NewTimer(graceCause)
	defer limit.Stop()
	for {
		s.host.list.mu.Lock()
		failed, changed := s.view.Err, s.host.list.changed
		s.host.list.mu.Unlock()
		var why *Error
		if errors.As(failed, &why) {
			e.Stderr, e.Report = redacted(s, slices.Clone(why.Stderr)), why.Report // the card shares why
			if why.Err != nil {
				e.Err = endCause(s, why.Err)
			}
			if e.Err != nil && why.Report != nil && why.Report.Cause == diagnose.Killed {
				e.Err = fmt.Errorf("%w; memory may have run out", e.Err)
			}
			return e
		}
		select {
		case <-changed:
			continue
		case <-limit.C:
			if s.life.Err() == nil && s.link.exitsWithin(0) {
				e.Err = endCause(s, s.link.exit())
			}
		case <-s.life.Done():
		case <-ctx.Done():
		}
		return e
	}
}

// endCause returns the cause of a server's end for the error of a call. It removes the server's
// secrets, because the model reads the error too.
func endCause(s *server, err error) error {
	if err == nil {
		return nil
	}
	return errors.New(Redact(secretsOf(s.host.o, s.config))(err.Error()))
}
