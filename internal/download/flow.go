package download

import (
	"context"
	"io"
	"time"
)

// A flow is the body of a response. Its context ends with errStalled if no bytes arrive for a limited time.
type flow struct {
	io.ReadCloser
	ctx   context.Context
	end   func()
	timer *time.Timer
	limit time.Duration
}

func (f *flow) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if context.Cause(f.ctx) == errStalled {
		return n, errStalled
	}
	f.timer.Reset(f.limit)
	return n, err
}

func (f *flow) Close() error {
	f.timer.Stop()
	f.end()
	return f.ReadCloser.Close()
}
