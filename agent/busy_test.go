package agent

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/genai"
)

// failing is a model that returns one of its failures for each request, and then answers.
type failing struct {
	failures []*Failure
	asked    []time.Time
}

func (f *failing) Generate(context.Context, []*genai.Content, *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		f.asked = append(f.asked, time.Now())
		if len(f.failures) > 0 {
			err := f.failures[0]
			f.failures = f.failures[1:]
			yield(nil, err)
			return
		}
		yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{Content: genai.NewContentFromText("Here.", genai.RoleModel), FinishReason: genai.FinishReasonStop}}}, nil)
	}
}

// A session asks a service that is overloaded, or that is loading the model, six times within a
// minute. The user sees a countdown. Other failures end the turn sooner.
func TestBusyServicesGetTime(t *testing.T) {
	busy := &Failure{Kind: Unavailable, Status: "UNAVAILABLE", Busy: true}
	for _, tt := range []struct {
		name    string
		failure *Failure
		times   int
		kind    FailureKind
		least   time.Duration // until the last request
		most    time.Duration
	}{
		{"busy for half a minute", busy, 4, "", 20 * time.Second, 40 * time.Second},
		{"busy for long", busy, 6, Unavailable, 40 * time.Second, 80 * time.Second},
		{"broken", &Failure{Kind: Unavailable, Status: "INTERNAL"}, 3, Unavailable, 2 * time.Second, 4 * time.Second},
		{"limited without a time", &Failure{Kind: RateLimited}, 4, "", 50 * time.Second, 100 * time.Second},
		{"limited for long", &Failure{Kind: RateLimited}, 5, RateLimited, 50 * time.Second, 100 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &failing{}
				for range tt.times {
					m.failures = append(m.failures, tt.failure)
				}
				events, err := collect(t.Context(), &Session{Model: m, Tools: tools(echo)}, "go")
				last := m.asked[len(m.asked)-1].Sub(m.asked[0])
				if kindOfFailure(err) != tt.kind || len(m.failures) > 0 || last < tt.least || last > tt.most {
					t.Errorf("%v after %d requests in %v", err, len(m.asked), last)
				}
				if waits := only[RetryScheduled](events); len(waits) < tt.times-1 || waits[len(waits)-1].Left > time.Second {
					t.Errorf("the user saw %+v", waits)
				}
			})
		})
	}
}

// Stop ends the wait for a busy service immediately.
func TestStopEndsTheWaitForABusyService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := &Failure{Kind: Unavailable, Busy: true}
		m := &failing{failures: []*Failure{busy, busy, busy, busy, busy, busy}}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		began := time.Now()
		events, err := collect(ctx, &Session{Model: m, Tools: tools(echo)}, "go")
		if ends := only[TurnEnded](events); err != nil || len(ends) != 1 || ends[0].Reason != Cancelled || time.Since(began) != 20*time.Second {
			t.Errorf("%v, %+v after %v", err, ends, time.Since(began))
		}
	})
}
