package agent

import (
	"errors"
	"strings"
	"testing"
	"time"

	"goated/internal/geminitest"
)

// kindOfFailure returns the kind of err, or "" if err is not a [*Failure].
func kindOfFailure(err error) FailureKind {
	if f := (*Failure)(nil); errors.As(err, &f) {
		return f.Kind
	}
	return ""
}

// Each error of the API has its kind, the service's message and, if the service gives one, the
// delay before a retry.
func TestFailuresHaveKinds(t *testing.T) {
	quota := func(id string) geminitest.Detail {
		return geminitest.Detail{
			"@type":      "type.googleapis.com/google.rpc.QuotaFailure",
			"violations": []any{map[string]any{"quotaMetric": "generate_content_requests", "quotaId": id}},
		}
	}
	// Within a stream, genai repeats no request.
	begun := func(r geminitest.Reply) geminitest.Reply { return geminitest.Turn(geminitest.Text("x"), r) }
	for _, tt := range []struct {
		name  string
		reply geminitest.Reply
		want  Failure
		text  string
	}{
		{"no such model", geminitest.Fail(404, "NOT_FOUND", "gone"),
			Failure{Kind: ModelUnknown, Status: "NOT_FOUND", Message: "gone"}, "model unknown: NOT_FOUND: gone"},
		{"key", geminitest.Fail(403, "PERMISSION_DENIED", "no"),
			Failure{Kind: KeyRefused, Status: "PERMISSION_DENIED", Message: "no"}, "key refused: PERMISSION_DENIED: no"},
		{"no key", geminitest.Fail(401, "UNAUTHENTICATED", "no"),
			Failure{Kind: KeyRefused, Status: "UNAUTHENTICATED", Message: "no"}, "key refused: UNAUTHENTICATED: no"},
		{"invalid key", geminitest.Fail(400, "INVALID_ARGUMENT", "bad", geminitest.Detail{"reason": "API_KEY_INVALID"}),
			Failure{Kind: KeyRefused, Status: "INVALID_ARGUMENT", Message: "bad"}, "key refused: INVALID_ARGUMENT: bad"},
		{"requests in a minute", begun(geminitest.Fail(429, "RESOURCE_EXHAUSTED", "slow down", quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), geminitest.RetryInfo(34500*time.Millisecond))),
			Failure{Kind: RateLimited, Status: "RESOURCE_EXHAUSTED", Message: "slow down", RetryAfter: 34500 * time.Millisecond},
			"rate limited: RESOURCE_EXHAUSTED: slow down (retry after 34.5s)"},
		{"a delay in words", begun(geminitest.Fail(429, "RESOURCE_EXHAUSTED", "Please retry in 1m2.5s.")),
			Failure{Kind: RateLimited, Status: "RESOURCE_EXHAUSTED", Message: "Please retry in 1m2.5s.", RetryAfter: 62500 * time.Millisecond},
			"rate limited: RESOURCE_EXHAUSTED: Please retry in 1m2.5s. (retry after 1m2.5s)"},
		{"a long delay in words", begun(geminitest.Fail(429, "RESOURCE_EXHAUSTED", "Please retry in 2h0m1s.")),
			Failure{Kind: RateLimited, Status: "RESOURCE_EXHAUSTED", Message: "Please retry in 2h0m1s.", RetryAfter: 2*time.Hour + time.Second},
			"rate limited: RESOURCE_EXHAUSTED: Please retry in 2h0m1s. (retry after 2h0m1s)"},
		{"no delay", begun(geminitest.Fail(429, "RESOURCE_EXHAUSTED", "slow down")),
			Failure{Kind: RateLimited, Status: "RESOURCE_EXHAUSTED", Message: "slow down"}, "rate limited: RESOURCE_EXHAUSTED: slow down"},
		{"requests in a day", begun(geminitest.Fail(429, "RESOURCE_EXHAUSTED", "enough", quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"))),
			Failure{Kind: QuotaUsed, Status: "RESOURCE_EXHAUSTED", Message: "enough"}, "quota used: RESOURCE_EXHAUSTED: enough"},
		{"credit", geminitest.Fail(402, "RESOURCE_EXHAUSTED", "pay"),
			Failure{Kind: NoCredit, Status: "RESOURCE_EXHAUSTED", Message: "pay"}, "no credit: RESOURCE_EXHAUSTED: pay"},
		{"overload", begun(geminitest.Fail(503, "UNAVAILABLE", "busy")),
			Failure{Kind: Unavailable, Status: "UNAVAILABLE", Message: "busy", Busy: true}, "unavailable: UNAVAILABLE: busy"},
		{"request", geminitest.Fail(400, "INVALID_ARGUMENT", "bad"),
			Failure{Kind: RequestBad, Status: "INVALID_ARGUMENT", Message: "bad"}, "request bad: INVALID_ARGUMENT: bad"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := geminitest.New(t)
			s.Script(tt.reply)
			_, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: tools(echo)}, "hello")
			var got *Failure
			if !errors.As(err, &got) {
				t.Fatalf("the error is %v", err)
			}
			tt.want.Model = DefaultModel
			if *got != tt.want || got.Error() != tt.text {
				t.Errorf("the failure is %+v, %q", *got, got)
			}
		})
	}
}

func TestFailuresWithoutAnAnswer(t *testing.T) {
	if _, err := NewGemini(t.Context(), GeminiOptions{}); kindOfFailure(err) != KeyMissing {
		t.Errorf("without a key: %v", err)
	}
	s := geminitest.New(t)
	g := gemini(t, s)
	s.Close()
	_, err := collect(t.Context(), &Session{Model: g, Tools: tools(echo)}, "hello")
	if f := (*Failure)(nil); !errors.As(err, &f) || f.Kind != Unreachable || strings.Contains(f.Message, "http") || strings.Contains(f.Message, "doRequest") {
		t.Errorf("without a server: %v", err)
	}
	if _, err := g.Models(t.Context()); kindOfFailure(err) != Unreachable {
		t.Errorf("models without a server: %v", err)
	}
}
