package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"weak"

	"google.golang.org/genai"
)

// An encoder encodes contents and declarations once: they never change, and every
// request of a conversation has all earlier ones. It forgets what is no longer used. It
// is safe for concurrent use; the zero value is ready.
type encoder struct {
	contents known[genai.Content]
	tools    known[genai.Tool]
}

// known holds the JSON of values by their address.
type known[T any] struct {
	mu     sync.Mutex
	bodies map[weak.Pointer[T]][]byte
}

// of returns the JSON of v, which make makes once.
func (k *known[T]) of(v *T, make func(*T) ([]byte, error)) ([]byte, error) {
	key := weak.Make(v)
	k.mu.Lock()
	body, ok := k.bodies[key]
	k.mu.Unlock()
	if ok {
		return body, nil
	}
	body, err := make(v)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bodies == nil {
		k.bodies = map[weak.Pointer[T]][]byte{}
	}
	if _, ok := k.bodies[key]; !ok {
		k.bodies[key] = body
		runtime.AddCleanup(v, k.forget, key)
	}
	return body, nil
}

func (k *known[T]) forget(key weak.Pointer[T]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.bodies, key)
}

// A payload is the part of a request that is encoded already: lists of contents and of
// tools, in pieces. It receives the stream of the answer.
type payload struct {
	contents, tools [][]byte
	answer          io.ReadCloser
}

// encode returns the payload of a request.
func (e *encoder) encode(history []*genai.Content, tools []*genai.Tool) (*payload, error) {
	p := &payload{}
	var err error
	if p.contents, err = encodeEach(history, func(i int, c *genai.Content) ([]byte, error) {
		body, err := e.contents.of(c, func(c *genai.Content) ([]byte, error) { return encodeContent(c) })
		if err != nil {
			return nil, fmt.Errorf("encoding content %d of the conversation: %w", i+1, err)
		}
		return body, nil
	}); err != nil {
		return nil, err
	}
	p.tools, err = encodeEach(tools, func(_ int, t *genai.Tool) ([]byte, error) {
		body, err := e.tools.of(t, func(t *genai.Tool) ([]byte, error) { return json.Marshal(t) })
		if err != nil {
			return nil, fmt.Errorf("encoding the tools: %w", err)
		}
		return body, nil
	})
	return p, err
}

// encodeEach encodes a list in pieces.
func encodeEach[T any](values []*T, encode func(int, *T) ([]byte, error)) ([][]byte, error) {
	out := make([][]byte, 0, 2*len(values)+2)
	separator := []byte("[")
	for i, v := range values {
		body, err := encode(i, v)
		if err != nil {
			return nil, err
		}
		out = append(out, separator, body)
		separator = []byte(",")
	}
	if len(values) == 0 {
		out = append(out, separator)
	}
	return append(out, []byte("]")), nil
}

// The marks stand in genai's request for the payload.
const (
	contentsMark = "goated:contents"
	toolsMark    = "goated:tools"
)

type payloadKey struct{}

// withPayload returns a context whose request gets the payload.
func withPayload(ctx context.Context, p *payload) context.Context {
	return context.WithValue(ctx, payloadKey{}, p)
}

// A filling transport puts the payload of its context into a request. Encoding it again
// with the request would cost time for the whole conversation at each step.
type filling struct{ next http.RoundTripper }

func (t filling) RoundTrip(req *http.Request) (*http.Response, error) {
	p, ok := req.Context().Value(payloadKey{}).(*payload)
	if !ok || req.Body == nil {
		return t.next.RoundTrip(req)
	}
	frame, err := io.ReadAll(req.Body)
	_ = req.Body.Close()
	if err != nil {
		return nil, err
	}
	pieces := fill(frame, p)
	size := int64(0)
	for _, piece := range pieces {
		size += int64(len(piece))
	}
	open := func() (io.ReadCloser, error) {
		left := slices.Clone(pieces)
		return &piecesReader{left}, nil
	}
	filled := req.Clone(req.Context())
	filled.Body, _ = open()
	filled.GetBody, filled.ContentLength = open, size
	return t.next.RoundTrip(filled)
}

// fill replaces the marks of a request by the payload.
func fill(frame []byte, p *payload) [][]byte {
	pieces := [][]byte{frame}
	for mark, by := range map[string][][]byte{contentsMark: p.contents, toolsMark: p.tools} {
		quoted := []byte(`"` + mark + `"`)
		for i, piece := range pieces {
			if before, after, ok := bytes.Cut(piece, quoted); ok {
				pieces = slices.Concat(pieces[:i], [][]byte{before}, by, [][]byte{after}, pieces[i+1:])
				break
			}
		}
	}
	return pieces
}

// A piecesReader reads pieces one after the other.
type piecesReader struct{ left [][]byte }

func (r *piecesReader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && len(r.left) > 0 {
		m := copy(p[n:], r.left[0])
		n += m
		if r.left[0] = r.left[0][m:]; len(r.left[0]) == 0 {
			r.left = r.left[1:]
		}
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (r *piecesReader) Close() error { return nil }
