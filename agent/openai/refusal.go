package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"google.golang.org/genai"
)

// maxRefusal limits the body of a refusal, in bytes.
const maxRefusal = 1 << 20

// A refusal is a service's error response to a request, or an error within a stream. The library
// can read only one of its forms.
type refusal struct {
	status  int         // the HTTP status, or the error code; 0: none
	code    string      // such as "insufficient_quota"
	message string      // the service's error message
	header  http.Header // nil within a stream
	fault   errorObject
}

// An errorObject is the object that describes an error.
type errorObject struct {
	Code     any             `json:"code"` // a number, a string, or a number as a string
	Message  string          `json:"message"`
	Detail   json.RawMessage `json:"detail"` // from FastAPI, instead of a message
	Context  int             `json:"n_ctx"`  // from llama.cpp
	Metadata struct {
		Raw     any      `json:"raw"`     // from OpenRouter: the response of the upstream provider
		Reasons []string `json:"reasons"` // from OpenRouter's moderation
		Headers map[string]any
	} `json:"metadata"`
}

func (r *refusal) Error() string { return cmp.Or(r.message, r.code, http.StatusText(r.status)) }

// refusalMiddleware is a middleware that turns each error response into a [refusal].
func refusalMiddleware(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(req)
	if err != nil || resp.StatusCode < 400 {
		return resp, err
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // a truncated body still contains the message
	_ = resp.Body.Close()
	r := readRefusal(body)
	r.status, r.header = resp.StatusCode, resp.Header
	return nil, r
}

// brokenCall returns the end of an answer whose call is broken if err reports that, or nil for any other
// error. Groq checks the calls of a model itself: "Failed to call a function", with the code
// tool_use_failed. Other services send the broken call.
func (m *Model) brokenCall(err error) *genai.GenerateContentResponse {
	var r *refusal
	var within *ssestream.StreamError
	if errors.As(err, &within) {
		r = readRefusal(within.Event.Data)
	} else if !errors.As(err, &r) {
		return nil
	}
	if r.code != "tool_use_failed" {
		return nil
	}
	return &genai.GenerateContentResponse{Candidates: []*genai.Candidate{{FinishReason: genai.FinishReasonMalformedFunctionCall, FinishMessage: m.hideKey(r.message)}}}
}

// readRefusal parses the JSON of an error in the forms of various services: {"error":{…}},
// {"error":"…"} (Ollama), {"object":"error",…} (vLLM), {"detail":…} (FastAPI), and each of them in
// a list (Gemini).
func readRefusal(body []byte) *refusal {
	r := &refusal{}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(body, &outer) // the body may have another form
	if len(outer.Error) > 0 && !bytes.Equal(outer.Error, []byte("null")) {
		body = outer.Error
	}
	if json.Unmarshal(body, &r.message) == nil {
		return r
	}
	_ = json.Unmarshal(body, &r.fault) // the body may have another form
	r.message = strings.TrimSpace(r.fault.Message)
	if r.message == "" && len(r.fault.Detail) > 0 && json.Unmarshal(r.fault.Detail, &r.message) != nil {
		r.message = string(r.fault.Detail)
	}
	switch code := r.fault.Code.(type) {
	case float64:
		r.status = int(code)
	case string:
		if n, err := strconv.Atoi(code); err == nil {
			r.status = n
		} else {
			r.code = code
		}
	}
	if r.message == "Provider returned error" { // OpenRouter also sends the provider's response
		if raw, ok := r.fault.Metadata.Raw.(string); ok && raw != "" {
			r.message = cmp.Or(readRefusal([]byte(raw)).message, raw[:min(len(raw), 500)])
		}
	}
	return r
}
