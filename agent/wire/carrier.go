package wire

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"

	"google.golang.org/genai"
)

// The marks are placeholders for the payload in genai's request.
const (
	contentsMark = "goated:contents"
	toolsMark    = "goated:tools"
)

type payloadKey struct{}

// A payloadState belongs to a request that genai makes. The context of the request contains it.
type payloadState struct {
	payload  payload
	learn    func(*template) // receives the request without its payload; may be nil
	response *http.Response  // an earlier response to return instead of sending; nil: none
	fault    error           // an earlier error to return instead of sending; nil: none
	answer   io.ReadCloser   // the body of the response, which genai does not get
}

// A payloadTransport inserts the payload from the context into genai's request, because encoding the whole
// conversation again at each step would take too long. It keeps the body of the response and gives
// genai an empty one.
type payloadTransport struct{ next http.RoundTripper }

func (t payloadTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	c, ours := req.Context().Value(payloadKey{}).(*payloadState)
	if !ours {
		return t.next.RoundTrip(req)
	}
	resp, err := c.response, c.fault
	if resp == nil && err == nil {
		if resp, err = t.send(req, c); err != nil {
			return nil, err
		}
	}
	if err != nil || !isSuccess(resp) {
		return resp, err
	}
	c.answer = resp.Body
	empty := *resp
	empty.Body, empty.ContentLength = http.NoBody, 0
	return &empty, nil
}

// send sends genai's request with the payload inserted.
func (t payloadTransport) send(req *http.Request, c *payloadState) (*http.Response, error) {
	if req.Body == nil {
		return t.next.RoundTrip(req)
	}
	frame, err := io.ReadAll(req.Body)
	_ = req.Body.Close()
	if err != nil {
		return nil, err
	}
	// The template outlives this request, so it must not keep the request's context or body.
	blank := req.WithContext(context.Background())
	blank.Body, blank.GetBody = nil, nil
	learned := &template{request: blank, frame: cutFrame(frame)}
	if c.learn != nil {
		c.learn(learned)
	}
	return t.next.RoundTrip(learned.fill(req.Context(), c.payload))
}

// A template is a request without its payload. It is immutable.
type template struct {
	key     genai.GenerateContentConfig // without its tools
	tools   bool                        // the frame has a place for tools
	request *http.Request
	frame   []piece
}

// A piece of a frame is text, or the place of the contents or the tools.
type piece struct {
	text            []byte
	contents, tools bool
}

// cutFrame splits the body of a request at the marks.
func cutFrame(frame []byte) []piece {
	pieces := []piece{{text: frame}}
	for _, mark := range []struct {
		name string
		by   piece
	}{{contentsMark, piece{contents: true}}, {toolsMark, piece{tools: true}}} {
		for i, p := range pieces {
			if before, after, found := bytes.Cut(p.text, []byte(`"`+mark.name+`"`)); found {
				pieces = slices.Replace(pieces, i, i+1, piece{text: before}, mark.by, piece{text: after})
				break
			}
		}
	}
	return pieces
}

// fill returns a copy of the request with a payload.
func (t *template) fill(ctx context.Context, p payload) *http.Request {
	pieces := make([][]byte, 0, len(p.contents)+len(p.tools)+len(t.frame))
	for _, f := range t.frame {
		switch {
		case f.contents:
			pieces = append(pieces, p.contents...)
		case f.tools:
			pieces = append(pieces, p.tools...)
		default:
			pieces = append(pieces, f.text)
		}
	}
	size := int64(0)
	for _, piece := range pieces {
		size += int64(len(piece))
	}
	filled := t.request.WithContext(ctx)
	filled.GetBody = func() (io.ReadCloser, error) { return &piecesReader{left: pieces}, nil }
	filled.Body, _ = filled.GetBody()
	filled.ContentLength = size
	return filled
}

// A piecesReader reads pieces one after the other. It does not change the caller's list.
type piecesReader struct {
	left [][]byte
	at   int // offset in left[0]
}

func (r *piecesReader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && len(r.left) > 0 {
		m := copy(p[n:], r.left[0][r.at:])
		n += m
		if r.at += m; r.at == len(r.left[0]) {
			r.left, r.at = r.left[1:], 0
		}
	}
	if n == 0 && len(p) > 0 && len(r.left) == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (r *piecesReader) Close() error { return nil }
