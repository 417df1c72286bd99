package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"

	"google.golang.org/genai"

	"goated/internal/exact"
)

// A diverting transport takes the stream of an answer away from genai, which gets an
// empty one. The payload of the request receives it.
type diverting struct{ next http.RoundTripper }

func (t diverting) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	p, ok := req.Context().Value(payloadKey{}).(*payload)
	if err != nil || !ok || resp.StatusCode < 200 || resp.StatusCode > 299 {
		return resp, err
	}
	p.answer = resp.Body
	empty := *resp
	empty.Body, empty.ContentLength = http.NoBody, 0
	return &empty, nil
}

// maxEvent is the longest event of a stream, in bytes.
const maxEvent = 256 << 20

var errLongEvent = errors.New("an event of the answer is longer than 256 MiB")

// responses decodes a stream of server-sent events (HTML Standard, 9.2.6). After an error
// the stream ends. It does not close the stream.
func responses(stream io.Reader) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		r := eventReader{in: bufio.NewReaderSize(stream, 32<<10)}
		for {
			event, err := r.next()
			if len(event) > 0 && (err == nil || err == io.EOF) {
				resp, failed := decodeResponse(event)
				if !yield(resp, failed) || failed != nil {
					return
				}
			}
			if err != nil {
				if err != io.EOF {
					yield(nil, err)
				}
				return
			}
		}
	}
}

// An eventReader reads the data of events.
type eventReader struct {
	in   *bufio.Reader
	data []byte // of the present event
}

// next returns the data of the next event, which is valid until the next call. A stream
// that is no stream of events is one event: services answer with a bare JSON error.
func (r *eventReader) next() ([]byte, error) {
	r.data = r.data[:0]
	fresh, data := true, false // at the start of a line; in a line whose content is kept
	for {
		part, err := r.in.ReadSlice('\n')
		line := part
		if fresh {
			if err == nil && len(bytes.TrimRight(line, "\r\n")) == 0 {
				if len(r.data) > 0 {
					return r.data, nil
				}
				continue
			}
			line, data = content(line)
			if data && len(r.data) > 0 {
				r.data = append(r.data, '\n')
			}
		}
		fresh = err == nil
		if fresh {
			line = bytes.TrimRight(line, "\r\n")
		}
		if data {
			r.data = append(r.data, line...)
		}
		switch {
		case len(r.data) > maxEvent:
			return nil, errLongEvent
		case err != nil && err != bufio.ErrBufferFull:
			return r.data, err
		}
	}
}

// content returns the part of a line that belongs to the data of its event; ok is false
// for comments and other fields.
func content(line []byte) (data []byte, ok bool) {
	if data, ok = bytes.CutPrefix(line, []byte("data:")); ok {
		return bytes.TrimPrefix(data, []byte(" ")), true
	}
	for _, other := range []string{":", "event:", "id:", "retry:"} {
		if bytes.HasPrefix(line, []byte(other)) {
			return nil, false
		}
	}
	return line, true
}

// An answerEvent is a response of the API, as far as sessions need it.
type answerEvent struct {
	Candidates []struct {
		Content *struct {
			Role  string       `json:"role"`
			Parts []answerPart `json:"parts"`
		} `json:"content"`
		FinishReason  genai.FinishReason `json:"finishReason"`
		FinishMessage string             `json:"finishMessage"`
		Index         int32              `json:"index"`
	} `json:"candidates"`
	ModelVersion   string                                       `json:"modelVersion"`
	ResponseID     string                                       `json:"responseId"`
	PromptFeedback *genai.GenerateContentResponsePromptFeedback `json:"promptFeedback"`
	UsageMetadata  *genai.GenerateContentResponseUsageMetadata  `json:"usageMetadata"`
	Error          *genai.APIError                              `json:"error"`
}

// An answerPart is a part whose call keeps every digit of its arguments.
type answerPart struct {
	genai.Part
	FunctionCall *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
}

// decodeResponse decodes an event. The error is a [genai.APIError] if the event is one.
func decodeResponse(event []byte) (*genai.GenerateContentResponse, error) {
	var e answerEvent
	if err := json.Unmarshal(event, &e); err != nil {
		return nil, fmt.Errorf("the answer has an event that is not JSON of the API: %w: %.200q", err, event)
	}
	if e.Error != nil {
		return nil, *e.Error
	}
	resp := &genai.GenerateContentResponse{ModelVersion: e.ModelVersion, ResponseID: e.ResponseID, PromptFeedback: e.PromptFeedback, UsageMetadata: e.UsageMetadata}
	for _, c := range e.Candidates {
		candidate := &genai.Candidate{FinishReason: c.FinishReason, FinishMessage: c.FinishMessage, Index: c.Index}
		if c.Content != nil {
			candidate.Content = &genai.Content{Role: c.Content.Role}
			for _, p := range c.Content.Parts {
				part := p.Part
				if call := p.FunctionCall; call != nil {
					part.FunctionCall = &genai.FunctionCall{ID: call.ID, Name: call.Name}
					if len(call.Args) > 0 {
						if err := exact.Decode(call.Args, &part.FunctionCall.Args); err != nil {
							return nil, fmt.Errorf("the arguments of a call are not an object: %w", err)
						}
					}
				}
				candidate.Content.Parts = append(candidate.Content.Parts, &part)
			}
		}
		resp.Candidates = append(resp.Candidates, candidate)
	}
	return resp, nil
}
