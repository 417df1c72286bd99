package openai

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"goated/agent"
	"goated/agent/wire"
	"goated/internal/lazyregexp"
)

// failure converts an error of the library to an [agent.Failure]. It returns the error of an ended
// context unchanged.
func (m *Model) failure(err error, begun bool) error {
	for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, end) {
			return end
		}
	}
	f := &agent.Failure{Kind: agent.Unreachable, Model: m.model, Service: m.host}
	var refused *refusal
	var within *ssestream.StreamError
	switch {
	case errors.As(err, &refused):
		m.explain(f, refused)
	case errors.As(err, &within):
		refused = readRefusal(within.Event.Data)
		m.explain(f, refused)
		switch {
		case refused.status >= 400 || f.Kind != agent.RequestBad:
		case begun:
			f.Kind = agent.AnswerCut
		default:
			f.Kind = agent.Unavailable
		}
	case begun:
		f.Kind, f.Message = agent.AnswerCut, m.hideKey(wire.NetworkReason(err))
	default:
		f.Message = m.hideKey(wire.NetworkReason(err))
	}
	return f
}

// explain sets the kind and the message of a failure.
func (m *Model) explain(f *agent.Failure, r *refusal) {
	words := http.StatusText(r.status)
	f.Kind, f.Status, f.Message = r.kind(), cmp.Or(r.code, words), m.hideKey(cmp.Or(r.message, words))
	if tokens, full := wire.ContextFull(r.message + " " + r.code); full {
		f.Kind, f.Window = agent.ContextFull, cmp.Or(r.fault.Context, tokens)
	}
	f.RetryAfter = r.retryAfter(time.Now())
	if f.Kind == agent.RateLimited && daily.MatchString(r.message) && (f.RetryAfter == 0 || f.RetryAfter > 5*time.Minute) {
		f.Kind = agent.QuotaUsed
	}
	f.Busy = f.Kind == agent.Unavailable && wire.IsBusy(r.status, r.message)
}

// These patterns match messages of services. For a daily limit, OpenRouter sends "Rate limit
// exceeded: free-models-per-day", and Groq and OpenAI send "requests per day (RPD)". For a
// moderated request, OpenRouter sends "Your input was flagged".
var (
	daily      = lazyregexp.New(`(?i)\b(per|a)[ -]day\b|\bdaily\b`)
	moderation = lazyregexp.New(`(?i)\bflagged\b|\bmoderation\b|content policy`)
)

// retryAfter returns how long to wait before another request, or 0 if the service gives no time.
// OpenRouter sends the end of the limit in the error, in milliseconds.
func (r *refusal) retryAfter(now time.Time) time.Duration {
	if after := retryAfter(r.header.Get("Retry-After"), now); after > 0 {
		return after
	}
	reset, _ := r.fault.Metadata.Headers["X-RateLimit-Reset"].(string)
	ms, err := strconv.ParseInt(reset, 10, 64)
	if at := time.UnixMilli(ms); err == nil && at.After(now) && at.Before(now.AddDate(0, 1, 0)) {
		return at.Sub(now)
	}
	return 0
}

// kind returns the kind of a failure.
func (r *refusal) kind() agent.FailureKind {
	switch {
	case r.status == http.StatusPaymentRequired, wire.NoCredit(r.message + " " + r.code):
		return agent.NoCredit
	case wire.NotInRegion(r.message + " " + r.code), r.status == http.StatusUnavailableForLegalReasons:
		return agent.NotInRegion
	case wire.NoTools(r.message):
		return agent.NoTools
	case r.status == http.StatusForbidden && (len(r.fault.Metadata.Reasons) > 0 || moderation.MatchString(r.message)),
		r.code == "content_filter", r.code == "content_policy_violation":
		return agent.Moderated
	case r.status == http.StatusUnauthorized, r.status == http.StatusForbidden:
		return agent.KeyRefused
	case r.status == http.StatusTooManyRequests && wire.NotInPlan(r.message):
		return agent.NotInPlan
	case r.status == http.StatusTooManyRequests:
		return agent.RateLimited
	case r.status == http.StatusNotFound:
		return agent.ModelUnknown
	case r.status >= 500, r.status == http.StatusRequestTimeout:
		return agent.Unavailable
	}
	return agent.RequestBad
}

// retryAfter parses the header Retry-After, which contains seconds or a date (RFC 9110, 10.2.3).
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
