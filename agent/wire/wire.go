// Package wire sends requests to Gemini's API and reads its streams.
//
// genai converts each request and each answer to a map[string]any with float64 numbers. That
// changes integers above 2^53 and takes most of the time of a step. So this package encodes the
// contents and the tools of a request itself, each of them only once, and decodes the answer
// itself. It leaves the rest to genai: URLs, headers, the key, the configuration and errors. It
// lets genai build a request only if the configuration differs from that of the previous request.
//
// The package must not depend on sessions, tools or failures.
package wire

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"sync"

	"google.golang.org/genai"
)

// A Model is one model of Gemini's API. It is safe for concurrent use.
type Model struct {
	client  *genai.Client
	http    *http.Client
	name    string
	encoder encoder
	streams sync.Pool // of *reader

	mu   sync.Mutex
	last *template // of the last request
}

// New prepares a model without sending a request. All requests use the transport of o.HTTPClient.
func New(ctx context.Context, o genai.ClientConfig, name string) (*Model, error) {
	through := *cmp.Or(o.HTTPClient, &http.Client{})
	through.Transport = payloadTransport{cmp.Or(through.Transport, http.DefaultTransport)}
	o.HTTPClient = &through
	client, err := genai.NewClient(ctx, &o)
	if err != nil {
		return nil, err
	}
	return &Model{client: client, http: &through, name: name}, nil
}

// Client returns genai's client, for everything except [Model.Generate].
func (m *Model) Client() *genai.Client { return m.client }

// Generate works like genai's GenerateContentStream and returns the same errors. An error in the
// stream ends it. Numbers in the arguments of calls are of type json.Number. The caller must not
// change anything that the contents and the configuration point to afterwards.
func (m *Model) Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		body, err := m.encoder.encode(history, config.Tools)
		if err != nil {
			yield(nil, err)
			return
		}
		answer, err := m.send(ctx, body, config)
		if err != nil {
			yield(nil, err)
			return
		}
		if answer == nil {
			return
		}
		defer answer.Close()
		r, _ := m.streams.Get().(*reader)
		if r == nil {
			r = newReader()
		}
		r.reset(PulseReader(ctx, answer))
		defer m.streams.Put(r)
		for resp, err := range r.responses {
			if !yield(resp, err) || err != nil {
				return
			}
		}
	}
}

// send sends a request and returns the stream of the answer.
func (m *Model) send(ctx context.Context, body payload, config *genai.GenerateContentConfig) (io.ReadCloser, error) {
	with := *config
	with.Tools, with.HTTPOptions = nil, nil
	key := with
	c := &payloadState{payload: body}
	m.mu.Lock()
	last := m.last
	m.mu.Unlock()
	if _, bounded := ctx.Deadline(); last != nil && !bounded && reflect.DeepEqual(&last.key, &key) && last.tools == (len(body.tools) > 0) {
		resp, err := m.http.Do(last.fill(ctx, body))
		if err == nil && isSuccess(resp) {
			return resp.Body, nil
		}
		// Let genai convert the response or error.
		if u := (*url.Error)(nil); errors.As(err, &u) {
			err = u.Err
		}
		if err != nil {
			resp = nil // its body is closed
		}
		c.response, c.fault = resp, err
	} else if !bounded { // genai sends a deadline to the service, so such a request cannot be a template
		c.learn = func(t *template) {
			t.key, t.tools = key, len(body.tools) > 0
			m.mu.Lock()
			m.last = t
			m.mu.Unlock()
		}
	}
	// genai drops functions when it copies the client's own options.
	with.HTTPOptions = &genai.HTTPOptions{ExtrasRequestProvider: func(frame map[string]any) map[string]any {
		frame["contents"] = contentsMark
		if len(body.tools) > 0 {
			frame["tools"] = toolsMark
		}
		return frame
	}}
	for _, err := range m.client.Models.GenerateContentStream(context.WithValue(ctx, payloadKey{}, c), m.name, placeholder(), &with) {
		if err != nil {
			return nil, err
		}
	}
	return c.answer, nil
}

// placeholder returns contents that the payload replaces, because genai refuses a request without
// contents.
func placeholder() []*genai.Content { return genai.Text("-") }

// isSuccess reports whether a response has the status of a success.
func isSuccess(r *http.Response) bool { return r.StatusCode >= 200 && r.StatusCode <= 299 }
