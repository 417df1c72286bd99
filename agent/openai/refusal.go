package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/openai/openai-go/v3/option"
)

// maxRefusal bounds the body of a refusal, in bytes.
const maxRefusal = 1 << 20

// A refusal is the answer of a service that refuses a request, or an error within a stream.
// The library reads one of its forms only.
type refusal struct {
	status  int         // the HTTP status, or the code of the error; 0: none
	code    string      // such as "insufficient_quota"
	message string      // in the service's words
	header  http.Header // nil within a stream
	fault   fault
}

// A fault is the object that describes an error.
type fault struct {
	Code     any             `json:"code"` // a number, a text, or a number as a text
	Message  string          `json:"message"`
	Detail   json.RawMessage `json:"detail"` // of FastAPI, instead of a message
	Context  int             `json:"n_ctx"`  // of llama.cpp
	Metadata struct {
		Raw     any      `json:"raw"`     // from OpenRouter: the provider's own answer
		Reasons []string `json:"reasons"` // of OpenRouter's moderation
		Headers map[string]any
	} `json:"metadata"`
}

func (r *refusal) Error() string { return cmp.Or(r.message, r.code, http.StatusText(r.status)) }

// refusals turns each answer without success into a [refusal].
func refusals(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(req)
	if err != nil || resp.StatusCode < 400 {
		return resp, err
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // a truncated body still has the message
	_ = resp.Body.Close()
	r := readRefusal(body)
	r.status, r.header = resp.StatusCode, resp.Header
	return nil, r
}

// readRefusal reads the JSON of an error in the forms of services: {"error":{…}},
// {"error":"…"} (Ollama), {"object":"error",…} (vLLM), {"detail":…} (FastAPI), and each of
// them in a list (Gemini).
func readRefusal(body []byte) *refusal {
	r := &refusal{}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(body, &outer) // the body may have any form
	if len(outer.Error) > 0 && !bytes.Equal(outer.Error, []byte("null")) {
		body = outer.Error
	}
	if json.Unmarshal(body, &r.message) == nil {
		return r
	}
	_ = json.Unmarshal(body, &r.fault) // unknown fields are ignored
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
	if r.message == "Provider returned error" { // of OpenRouter, which quotes the provider
		if raw, ok := r.fault.Metadata.Raw.(string); ok && raw != "" {
			r.message = cmp.Or(readRefusal([]byte(raw)).message, raw[:min(len(raw), 500)])
		}
	}
	return r
}
