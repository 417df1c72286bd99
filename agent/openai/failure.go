package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"goated/agent"
	"goated/agent/wire"
)

// failure makes the error of a request from the library's.
func (m *Model) failure(err error, begun bool) error {
	for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, end) {
			return end
		}
	}
	f := &agent.Failure{Kind: agent.Unreachable, Model: m.model, Service: m.host, Message: m.hide(wire.NetworkReason(err))}
	var api *sdk.Error
	var said *ssestream.StreamError
	switch {
	case errors.As(err, &api):
		f.Status, f.Message = cmp.Or(api.Code, http.StatusText(api.StatusCode)), m.hide(cmp.Or(strings.TrimSpace(api.Message), http.StatusText(api.StatusCode)))
		f.Kind, f.Busy = kindOf(api), wire.Busy(api.StatusCode, api.Message)
		if api.Response != nil {
			f.RetryAfter = retryAfter(api.Response.Header.Get("Retry-After"), time.Now())
		}
	case errors.As(err, &said):
		m.midway(f, said, begun)
	case begun:
		f.Kind = agent.AnswerCut
	}
	return f
}

func kindOf(e *sdk.Error) agent.FailureKind {
	switch {
	case e.StatusCode == http.StatusUnauthorized, e.StatusCode == http.StatusForbidden:
		return agent.KeyRefused
	case e.StatusCode == http.StatusPaymentRequired, e.Code == "insufficient_quota":
		return agent.QuotaUsed
	case e.StatusCode == http.StatusTooManyRequests:
		return agent.RateLimited
	case e.StatusCode == http.StatusNotFound:
		return agent.ModelUnknown
	case e.StatusCode >= 500:
		return agent.Unavailable
	}
	return agent.RequestBad
}

// retryAfter reads the header Retry-After: seconds, or a date (RFC 9110, 10.2.3).
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// midway reads an error within a stream, such as {"error":{"code":429,"message":"…"}} of
// OpenRouter or {"error":"…"} of Ollama.
func (m *Model) midway(f *agent.Failure, said *ssestream.StreamError, begun bool) {
	var event struct {
		Error json.RawMessage
	}
	var fault struct {
		Code    any
		Message string
	}
	_ = json.Unmarshal(said.Event.Data, &event) // it may be of any form
	if json.Unmarshal(event.Error, &fault) != nil {
		_ = json.Unmarshal(event.Error, &fault.Message)
	}
	status, _ := fault.Code.(float64)
	f.Message = m.hide(cmp.Or(strings.TrimSpace(fault.Message), f.Message))
	if code, ok := fault.Code.(string); ok {
		f.Status = code
	}
	switch kind := kindOf(&sdk.Error{StatusCode: int(status), Code: f.Status}); {
	case status != 0 || f.Status == "insufficient_quota":
		f.Kind, f.Status, f.Busy = kind, cmp.Or(f.Status, http.StatusText(int(status))), wire.Busy(int(status), fault.Message)
	case begun:
		f.Kind = agent.AnswerCut
	default:
		f.Kind = agent.Unavailable
	}
}
