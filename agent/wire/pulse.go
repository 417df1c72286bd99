package wire

import (
	"context"
	"io"
)

type pulseKey struct{}

// WithPulse returns a context whose requests call a function whenever bytes of an answer arrive.
// Even a stream of comments, such as ": PROCESSING", is alive.
func WithPulse(ctx context.Context, came func()) context.Context {
	return context.WithValue(ctx, pulseKey{}, came)
}

// PulseReader returns a reader of an answer that calls the function of [WithPulse] if the context has
// one.
func PulseReader(ctx context.Context, answer io.Reader) io.Reader {
	if came, ok := ctx.Value(pulseKey{}).(func()); ok {
		return &pulseReader{answer, came}
	}
	return answer
}

type pulseReader struct {
	io.Reader
	came func()
}

func (p *pulseReader) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if n > 0 {
		p.came()
	}
	return n, err
}
