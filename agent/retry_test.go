package agent

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// If a service gives a delay, the next request follows after that delay, and the user sees a
// countdown.
func TestRetryFollowsTheService(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.MinuteQuota(1300*time.Millisecond), geminitest.Text("Here."))
	began := time.Now()
	events, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: tools(echo)}, "go")
	if err != nil || answerOf(events) != "Here." {
		t.Fatalf("%q, %v", answerOf(events), err)
	}
	if took := time.Since(began); took < 1300*time.Millisecond {
		t.Errorf("it waited %v", took)
	}
	waits := only[RetryScheduled](events)
	if len(waits) < 2 || waits[0].Kind != RateLimited || waits[0].Left > 1300*time.Millisecond || waits[1].Left > time.Second || waits[0].Attempt != 2 {
		t.Errorf("the user saw %+v", waits)
	}
	s.Done()
}

// A failure that waiting cannot fix ends the turn immediately.
func TestNoRetryOfWhatLasts(t *testing.T) {
	for want, reply := range map[FailureKind]geminitest.Reply{
		QuotaUsed:   geminitest.DailyQuota(),
		NotInPlan:   geminitest.NotInPlan(),
		NoCredit:    geminitest.CreditUsed(),
		RateLimited: geminitest.MinuteQuota(10 * time.Minute),
		KeyRefused:  geminitest.BadKey(),
	} {
		s := geminitest.New(t)
		s.Script(reply)
		_, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: tools(echo)}, "go")
		if kindOfFailure(err) != want || len(s.Requests()) != 1 {
			t.Errorf("%s: %v after %d requests", want, err, len(s.Requests()))
		}
	}
}

// A failure after thoughts, which are no answer yet, is retried like one before them. The user sees
// the thoughts of the answer only.
func TestThoughtsDoNotPreventARetry(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Turn(geminitest.Thought("First."), geminitest.Overloaded()), geminitest.Turn(geminitest.Thought("Second."), geminitest.Text("Here.")))
	session := &Session{Model: gemini(t, s), Tools: tools(echo), Thoughts: true, conversationState: conversationState{pause: time.Millisecond}}
	events, err := collect(t.Context(), session, "go")
	if err != nil || answerOf(events) != "Here." {
		t.Fatalf("%q, %v", answerOf(events), err)
	}
	discarded := only[AnswerDiscarded](events)
	at := slices.IndexFunc(events, func(e Event) bool { return e == AnswerDiscarded{Kind: Unavailable} })
	if len(discarded) != 1 || len(only[RetryScheduled](events)) == 0 || at < slices.Index(events, Event(ThoughtDelta{"First."})) || at > slices.Index(events, Event(ThoughtDelta{"Second."})) {
		t.Errorf("the user saw %+v", events)
	}
	s.Done()
}

// Stop ends the wait before a retry.
func TestStopEndsAWait(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.MinuteQuota(time.Minute))
	session := &Session{Model: gemini(t, s), Tools: tools(echo)}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last Event
	for e, err := range session.Send(ctx, genai.NewPartFromText("go")) {
		if err != nil {
			t.Fatal(err)
		}
		if _, waits := e.(RetryScheduled); waits {
			cancel()
		}
		last = e
	}
	if end, ok := last.(TurnEnded); !ok || end.Reason != Cancelled {
		t.Errorf("it ends with %+v", last)
	}
}

// Every documented error ends in a bounded number of requests, with a kind.
func TestDocumentedErrors(t *testing.T) {
	for _, f := range geminitest.Failures() {
		s := geminitest.New(t)
		s.Handle(func(geminitest.Request) geminitest.Reply { return f.Reply })
		_, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: tools(echo, "x"), conversationState: conversationState{pause: time.Millisecond}}, "go")
		if kindOfFailure(err) == "" || len(s.Requests()) > 8 {
			t.Errorf("%s: %v after %d requests", f.Name, err, len(s.Requests()))
		}
	}
}

// A note replaces an image that the service refuses. The text stays, and the turn goes on.
func TestRefusedImageIsRemoved(t *testing.T) {
	var picture bytes.Buffer
	_ = png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2)))
	s := geminitest.New(t)
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		if bytes.Contains(r.Body, []byte(`"inlineData"`)) {
			return geminitest.ImageRefused()
		}
		return geminitest.Text("I see no picture.")
	})
	session := &Session{Model: gemini(t, s), Tools: tools(echo, "x")}
	var events []Event
	for e, err := range session.Send(t.Context(), genai.NewPartFromText("look"), genai.NewPartFromBytes(picture.Bytes(), "image/png")) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	removed := only[MediaRemoved](events)
	if len(removed) != 1 || removed[0].Types[0] != "image/png" || answerOf(events) != "I see no picture." {
		t.Errorf("%+v, %q", removed, answerOf(events))
	}
	last := s.Requests()[len(s.Requests())-1]
	if !strings.Contains(string(last.Body), "look") || !strings.Contains(string(last.Body), "[removed: image/png") {
		t.Errorf("the request is %s", last.Body)
	}
	if session.History()[0].Parts[1].InlineData == nil {
		t.Error("the history lost the image")
	}
	if _, err := collect(t.Context(), session, "and now?"); err != nil || len(only[MediaRemoved](events)) != 1 {
		t.Errorf("the next turn: %v", err)
	}
}

// A history with another key's signatures works with the placeholder that Google documents.
func TestForeignSignatures(t *testing.T) {
	first := geminitest.New(t)
	first.Script(geminitest.Turn(geminitest.Text("I call."), geminitest.Call("box__x", nil)), geminitest.Turn(geminitest.Text("Done."), geminitest.TrailingSignature()))
	session := &Session{Model: gemini(t, first), Tools: tools(echo, "x"), Approve: each(allowAll)}
	if _, err := collect(t.Context(), session, "go"); err != nil {
		t.Fatal(err)
	}
	second := geminitest.New(t)
	second.ExpectRefusals()
	second.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("Still here.") })
	session.Model = gemini(t, second)
	for range 2 {
		if events, err := collect(t.Context(), session, "go on"); err != nil || answerOf(events) != "Still here." {
			t.Errorf("%q, %v", answerOf(events), err)
		}
	}
	if n := len(second.Refusals()); n != 1 {
		t.Errorf("%d requests were refused", n)
	}
}

// Only the first call of a content gets the placeholder, even if another service signed all calls.
func TestOnlyTheFirstCallGetsTheDocumentedValue(t *testing.T) {
	call := func(name, signature string) *genai.Part {
		p := genai.NewPartFromFunctionCall(name, nil)
		p.ThoughtSignature = []byte(signature)
		return p
	}
	for _, signed := range []string{"mine", ""} {
		c := genai.NewContentFromParts([]*genai.Part{{Text: "I look.", ThoughtSignature: []byte("mine")}, call("a", signed), call("b", signed), call("c", "mine")}, genai.RoleModel)
		var v view
		if !v.unsign(c) || v.unsign(c) {
			t.Error("the content changes not once")
		}
		var got []string
		for _, p := range v.requestVersion(c).Parts {
			got = append(got, string(p.ThoughtSignature))
		}
		if want := []string{"", string(foreignSignature), "", ""}; !slices.Equal(got, want) {
			t.Errorf("calls signed %q: requests have the signatures %q, not %q", signed, got, want)
		}
	}
}

// If an answer ends because the service misses a signature, the session asks again with the
// placeholder that Google documents. If that does not help, the turn fails.
func TestMissingSignature(t *testing.T) {
	for name, helps := range map[string]bool{"helps": true, "does not help": false} {
		t.Run(name, func(t *testing.T) {
			s := geminitest.New(t)
			asked := 0
			s.Handle(func(r geminitest.Request) geminitest.Reply {
				switch asked++; {
				case asked == 1:
					return geminitest.Call("box__x", nil)
				case helps && string(r.Contents[1].Parts[0].ThoughtSignature) == string(foreignSignature):
					return geminitest.Text("Done.")
				}
				return geminitest.Turn(geminitest.Finish("MISSING_THOUGHT_SIGNATURE"))
			})
			session := &Session{Model: gemini(t, s), Tools: tools(echo, "x"), Approve: each(allowAll)}
			events, err := collect(t.Context(), session, "go")
			if helps && (err != nil || answerOf(events) != "Done.") || !helps && kindOfFailure(err) != RequestBad {
				t.Errorf("%q, %v", answerOf(events), err)
			}
			if asked != 3 {
				t.Errorf("%d requests", asked)
			}
		})
	}
}
