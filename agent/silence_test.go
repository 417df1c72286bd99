package agent

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/genai"

	"goated/agent/wire"
)

// slow is a model whose answer has pauses. It may take a while to begin.
type slow struct {
	warmup time.Duration
	stream func(ctx context.Context, say func(string))
}

func (s slow) Warmup() time.Duration { return s.warmup }

func (s slow) Generate(ctx context.Context, _ []*genai.Content, _ *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		s.stream(ctx, func(text string) {
			c := &genai.Candidate{Content: genai.NewContentFromText(text, genai.RoleModel)}
			if text == "" {
				c = &genai.Candidate{FinishReason: genai.FinishReasonStop}
			}
			yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{c}}, nil)
		})
		if ctx.Err() != nil {
			yield(nil, ctx.Err())
		}
	}
}

// pass waits for d or until ctx ends.
func pass(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// A model on this computer may take minutes before its answer begins. After that, its stream may be
// silent only as long as any other.
func TestAnswerMayBeginLate(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		warmup, begins, pause time.Duration
		kind                  FailureKind
		idle                  time.Duration
	}{
		{"a service elsewhere", 0, 90 * time.Second, 0, Silent, time.Minute},
		{"loading", 5 * time.Minute, 4 * time.Minute, 0, "", 0},
		{"loading for too long", 5 * time.Minute, 6 * time.Minute, 0, Silent, 5 * time.Minute},
		{"a pause within the answer", 5 * time.Minute, time.Minute, 2 * time.Minute, Silent, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := slow{tt.warmup, func(ctx context.Context, say func(string)) {
					if pass(ctx, tt.begins); ctx.Err() == nil {
						say("Hello.")
					}
					if pass(ctx, tt.pause); ctx.Err() == nil {
						say("")
					}
				}}
				_, err := collect(t.Context(), &Session{Model: m, Tools: tools(echo)}, "hi")
				if kindOfFailure(err) != tt.kind || err != nil && err.(*Failure).Idle != tt.idle {
					t.Errorf("%#v", err)
				}
			})
		})
	}
}

// Bytes that are not part of the answer, such as comments, also restart the silence timer.
func TestBytesAreLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := slow{0, func(ctx context.Context, say func(string)) {
			body := wire.PulseReader(ctx, repeated{})
			for range 10 {
				pass(ctx, 50*time.Second)
				_, _ = body.Read(make([]byte, 1))
			}
			if ctx.Err() == nil {
				say("Hello.")
				say("")
			}
		}}
		if events, err := collect(t.Context(), &Session{Model: m, Tools: tools(echo)}, "hi"); err != nil || answerOf(events) != "Hello." {
			t.Errorf("%q, %v", answerOf(events), err)
		}
	})
}

// repeated is a stream of colons.
type repeated struct{}

func (repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ':'
	}
	return len(p), nil
}

// mute is a model that refuses a request with tools, and is silent afterwards.
type mute struct{ asked *int }

func (m mute) Generate(ctx context.Context, _ []*genai.Content, _ *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		if *m.asked++; *m.asked == 1 {
			yield(nil, &Failure{Kind: RequestBad, Message: "no"})
			return
		}
		<-ctx.Done()
		yield(nil, ctx.Err())
	}
}

// A silent service ends the search for refused tools, and every request outside the conversation.
func TestSilenceEndsEveryRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := collect(t.Context(), &Session{Model: mute{new(int)}, Tools: tools(echo, "x"), Idle: time.Second}, "hi")
		if kindOfFailure(err) != RequestBad || time.Since(began) != time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		asked := 1
		if _, _, err := Complete(t.Context(), mute{&asked}, "What?"); kindOfFailure(err) != Silent {
			t.Errorf("%v", err)
		}
	})
}
