package agent

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/genai"

	"goated/agent/wire"
	"goated/internal/lazyregexp"
)

// A FailureKind is the kind of failure of a request to a model.
type FailureKind string

// The kinds. internal/wording has a sentence and advice for each.
const (
	KeyMissing   FailureKind = "key missing"
	KeyRefused   FailureKind = "key refused"
	RateLimited  FailureKind = "rate limited"  // too many requests or tokens in a minute
	QuotaUsed    FailureKind = "quota used"    // the daily quota
	ModelUnknown FailureKind = "model unknown" // the key has no access to the model, or it does not exist
	Unavailable  FailureKind = "unavailable"   // an error or an overload of the service
	RequestBad   FailureKind = "request bad"   // the service refused the request itself
	Unreachable  FailureKind = "unreachable"   // no answer came
	NotInPlan    FailureKind = "not in plan"   // the key's plan does not include the model
	NotInRegion  FailureKind = "not in region" // the service does not serve the place of this computer
	AnswerCut    FailureKind = "answer cut"    // the stream ended before the model finished
	Silent       FailureKind = "silent"        // the answer stopped; see [Session.Idle]
	AnswerEmpty  FailureKind = "answer empty"  // the answer has no parts
	OnlyThoughts FailureKind = "only thoughts" // the model thought but gave no answer
	CallBroken   FailureKind = "call broken"   // the model made a malformed call
	CallsTooMany FailureKind = "too many calls"
	NoTools      FailureKind = "no tools"     // the model accepts no functions
	NoCredit     FailureKind = "no credit"    // the account has no credit, or reached its spending limit
	Moderated    FailureKind = "moderated"    // the service rejects the content of the request
	ContextFull  FailureKind = "context full" // the request is larger than the model's context
)

// A Failure is the error of a request to a model. Its text is for the log. It never contains the
// key.
type Failure struct {
	Kind       FailureKind   `json:"kind"`
	Model      string        `json:"model,omitempty"`          // the name in the request
	Service    string        `json:"service,omitempty"`        // the host of the service; empty for Gemini
	Status     string        `json:"status,omitempty"`         // the service's code, such as "UNAVAILABLE"; empty if it gave none
	Message    string        `json:"message,omitempty"`        // the message of the service or of the network error
	RetryAfter time.Duration `json:"retry_after_ns,omitempty"` // how long to wait before another request; 0 if the service gave no time
	Idle       time.Duration `json:"idle_ns,omitempty"`        // of Silent: how long the stream was silent
	Window     int           `json:"window,omitempty"`         // of ContextFull: the size of the context in tokens; 0 if unknown
	Busy       bool          `json:"busy,omitempty"`           // of Unavailable: the service is overloaded or still loading the model
}

// Error returns the kind, the service's code and its message.
func (f *Failure) Error() string {
	text := string(f.Kind)
	for _, more := range []string{f.Status, f.Message} {
		if more != "" {
			text += ": " + more
		}
	}
	if f.RetryAfter > 0 {
		text += fmt.Sprintf(" (retry after %v)", f.RetryAfter)
	}
	return text
}

// failure converts genai's error of a request to a [Failure]. begun means that a part of the answer
// has arrived. It returns the error of an ended context unchanged.
func (g *Gemini) failure(err error, begun bool) error {
	for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, end) {
			return end
		}
	}
	f := &Failure{Kind: Unreachable, Model: g.model, Message: g.hideKey(wire.NetworkReason(err))}
	var api genai.APIError
	switch {
	case errors.As(err, &api) && wire.NotAPIMessage(api) != "":
		f.Message = wire.NotAPIMessage(api)
	case errors.As(err, &api):
		f.Status, f.Message = api.Status, g.hideKey(strings.TrimSpace(api.Message))
		f.Kind, f.RetryAfter, f.Busy = failureKind(api), retryDelay(api), wire.IsBusy(api.Code, api.Message)
		if tokens, full := wire.ContextFull(api.Message); full && api.Code < 500 && api.Code != http.StatusTooManyRequests {
			f.Kind, f.Window = ContextFull, tokens
		}
	case begun:
		f.Kind = AnswerCut
	}
	return f
}

// statusCancelled is the status of a request that the service cancelled itself.
const statusCancelled = 499

// failureKind classifies an error of the API (ai.google.dev/gemini-api/docs/troubleshooting).
func failureKind(api genai.APIError) FailureKind {
	switch {
	case api.Code == http.StatusPaymentRequired, wire.NoCredit(api.Message):
		return NoCredit
	case api.Code == http.StatusUnauthorized, api.Code == http.StatusForbidden, strings.Contains(fmt.Sprint(api.Details), "API_KEY_INVALID"):
		return KeyRefused
	case wire.NotInRegion(api.Message), api.Code == http.StatusUnavailableForLegalReasons:
		return NotInRegion
	case wire.NoTools(api.Message):
		return NoTools
	case api.Code == http.StatusTooManyRequests && wire.NotInPlan(api.Message): // the details name the daily quota, too
		return NotInPlan
	case api.Code == http.StatusTooManyRequests && daily(api.Details):
		return QuotaUsed
	case api.Code == http.StatusTooManyRequests:
		return RateLimited
	case api.Code == http.StatusNotFound:
		return ModelUnknown
	case api.Code >= 500, api.Code == http.StatusRequestTimeout, api.Code == statusCancelled:
		return Unavailable
	}
	return RequestBad
}

// daily reports whether a QuotaFailure concerns the daily quota. Its RetryInfo is useless then,
// because it gives only seconds.
func daily(details []map[string]any) bool {
	for _, d := range details {
		violations, _ := d["violations"].([]any)
		for _, v := range violations {
			violation, _ := v.(map[string]any)
			if id, _ := violation["quotaId"].(string); strings.Contains(id, "PerDay") {
				return true
			}
		}
	}
	return false
}

// retryIn finds a delay in the service's message.
var retryIn = lazyregexp.New(`retry in ([0-9][0-9.hm]*s)`)

// retryDelay returns the delay of a RetryInfo, such as {"retryDelay": "34.5s"}, or of the message
// "Please retry in 34.5s".
func retryDelay(api genai.APIError) time.Duration {
	if m := retryIn.FindStringSubmatch(api.Message); m != nil {
		api.Details = append(slices.Clip(api.Details), map[string]any{"retryDelay": m[1]})
	}
	for _, d := range api.Details {
		if text, ok := d["retryDelay"].(string); ok {
			if delay, err := time.ParseDuration(text); err == nil {
				return max(delay, 0)
			}
		}
	}
	return 0
}
