package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"google.golang.org/genai"

	"goated/internal/exact"
)

// maxEvent is the longest event of a stream, in bytes.
const maxEvent = 256 << 20

var errLongEvent = errors.New("an event of the answer is longer than 256 MiB")

// A reader decodes streams of server-sent events (HTML Standard, 9.2.6), one after another.
type reader struct {
	in      *bufio.Reader
	data    []byte // of the current event
	decoder decoder
}

func newReader() *reader { return &reader{in: bufio.NewReaderSize(nil, 32<<10)} }

// reset prepares the reader for another stream.
func (r *reader) reset(stream io.Reader) {
	r.in.Reset(stream)
	if cap(r.data) > 64<<10 {
		r.data = nil
	}
}

// responses yields the responses of a stream. It ends after an error. It does not close the stream.
func (r *reader) responses(yield func(*genai.GenerateContentResponse, error) bool) {
	for {
		event, err := r.next()
		if len(event) > 0 && (err == nil || err == io.EOF) {
			resp, failed := r.decoder.decode(event)
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

// next returns the data of the next event, which is valid until the next call. It returns a body
// that is not an event stream as one event, because services answer with a bare JSON error.
func (r *reader) next() ([]byte, error) {
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
			line, data = dataOf(line)
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

// dataOf returns the part of a line that belongs to the data of its event. ok is false for
// comments and other fields.
func dataOf(line []byte) (data []byte, ok bool) {
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

// An answerEvent contains the members of an API response that sessions need.
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

// An answerPart is a part that keeps every digit of a call's arguments.
type answerPart struct {
	genai.Part
	FunctionCall *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
}

// decodeAny decodes any event. The error is a [genai.APIError] if the event is one.
func decodeAny(event []byte) (*genai.GenerateContentResponse, error) {
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
