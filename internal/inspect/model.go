package inspect

import (
	"fmt"
	"io"
	"net/http"
	"path"
	"sync"
	"sync/atomic"
	"time"
)

// maxModel limits the data of a model's request or response, in bytes. If data is cut, margin bytes
// are dropped at its end too, because a secret there may be cut in half.
const (
	maxModel = 64 << 10
	margin   = 4 << 10
)

// A Model is an [http.RoundTripper] that reports each request to a model and its response. It never
// reports headers, because they contain the key. Report must not block, and may be called on any
// goroutine.
type Model struct {
	Name   string // used as [Frame.Server]
	Next   http.RoundTripper
	Redact func(string) string // hides secrets
	Report func(Frame)
	// Listening reports whether Report wants this request. It is called when the request begins.
	// Nil means always.
	Listening func() bool

	count atomic.Uint64
}

// RoundTrip implements [http.RoundTripper]. It reports the response at the end of its body.
func (m *Model) RoundTrip(req *http.Request) (*http.Response, error) {
	if m.Listening != nil && !m.Listening() {
		return m.Next.RoundTrip(req)
	}
	call := Call{Method: path.Base(req.URL.Path), ID: fmt.Sprint(m.count.Add(1))}
	asked := &copied{ReadCloser: req.Body}
	if req.Body != nil && req.Body != http.NoBody {
		req = req.Clone(req.Context())
		req.Body = asked
	}
	began := time.Now()
	resp, err := m.Next.RoundTrip(req)
	m.report(true, began, asked, call)
	call.Method = ""
	if err != nil {
		call.Code = -1
		failed := &copied{}
		failed.keep([]byte(err.Error()))
		m.report(false, time.Now(), failed, call)
		return nil, err
	}
	if resp.StatusCode >= http.StatusBadRequest {
		call.Code = resp.StatusCode
	}
	answer := &copied{ReadCloser: resp.Body}
	answer.ended = sync.OnceFunc(func() { m.report(false, time.Now(), answer, call) })
	resp.Body = answer
	return resp, nil
}

func (m *Model) report(sent bool, at time.Time, c *copied, call Call) {
	data, size := c.taken()
	text := m.Redact(string(data))
	if size > len(data) {
		text = text[:max(len(text)-margin, 0)]
	}
	m.Report(Frame{Server: m.Name, Sent: sent, Time: at, Data: []byte(text), Size: size, Call: &call})
}

// A copied keeps the beginning of the data that is read through it.
type copied struct {
	io.ReadCloser
	ended func() // called at the end of a response; may be nil

	mu   sync.Mutex
	data []byte
	size int
}

func (c *copied) keep(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += len(data)
	c.data = append(c.data, data[:min(len(data), maxModel-len(c.data))]...)
}

func (c *copied) taken() ([]byte, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.data, c.size
}

func (c *copied) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.keep(p[:n])
	if err != nil && c.ended != nil {
		c.ended()
	}
	return n, err
}

func (c *copied) Close() error {
	err := c.ReadCloser.Close()
	if c.ended != nil {
		c.ended()
	}
	return err
}
