package agent

import (
	"context"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// The text that the user read before the stream broke or went silent stays in the history. A retry
// asks again without that text, even after a restart.
func TestTextBeforeAFailureStays(t *testing.T) {
	for name, fault := range map[string]geminitest.Reply{"cut": geminitest.Unfinished(), "silent": geminitest.Hang()} {
		for _, tt := range []struct {
			name           string
			restart, retry bool
			want           string // roles of the last request
		}{
			{"go on", false, false, "user model user"}, {"retry", false, true, "user"},
			{"restart and go on", true, false, "user model user"}, {"restart and retry", true, true, "user"},
		} {
			t.Run(name+", "+tt.name, func(t *testing.T) {
				t.Parallel()
				s := geminitest.New(t)
				s.Script(geminitest.Turn(geminitest.Text("A long half "), geminitest.Text("answer"), fault), geminitest.Text("A whole answer."), geminitest.Text("More."))
				session := &Session{Model: gemini(t, s), Tools: tools(echo), Idle: 2 * time.Second}
				if _, err := collect(t.Context(), session, "go"); kindOfFailure(err) == "" {
					t.Fatalf("%v", err)
				}
				if tt.restart {
					history := session.History()
					session = &Session{Model: session.Model, Tools: session.Tools}
					session.Restore(history, AnswerDiscarded{Kind: AnswerCut})
				}
				var parts []*genai.Part
				if !tt.retry {
					parts = append(parts, genai.NewPartFromText("continue"))
				}
				for _, err := range session.Send(t.Context(), parts...) {
					if err != nil {
						t.Fatal(err)
					}
				}
				last := s.Requests()[1]
				var roles []string
				for _, c := range last.Contents {
					roles = append(roles, c.Role)
				}
				if got := strings.Join(roles, " "); got != tt.want || strings.Contains(string(last.Body), "long half") == tt.retry {
					t.Errorf("the request has %s: %s", got, last.Body)
				}
				if h := session.History(); h[1].Role != genai.RoleModel || !strings.Contains(h[1].Parts[0].Text, "half answer") {
					t.Errorf("the history is %+v", h)
				}
				if _, err := collect(t.Context(), session, "and?"); err != nil {
					t.Error(err)
				}
				s.Done()
			})
		}
	}
}

// The text of an answer that ends early stays in the history even if its last part is signed, as in
// Gemini 3. The next request contains the text without the signature.
func TestSignedTextOfAnUnfinishedAnswerStays(t *testing.T) {
	for name, tt := range map[string]struct {
		rest geminitest.Reply
		stop bool
		kind FailureKind
	}{
		"output limit":  {rest: geminitest.Finish(genai.FinishReasonMaxTokens)},
		"withheld":      {rest: geminitest.Finish(genai.FinishReasonSafety)},
		"stopped":       {rest: geminitest.Hang(), stop: true},
		"cut":           {rest: geminitest.Unfinished(), kind: AnswerCut},
		"cut in a call": {rest: geminitest.Turn(geminitest.Call("box__x", nil), geminitest.Unfinished()), kind: AnswerCut},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := geminitest.New(t)
			s.Script(geminitest.Turn(geminitest.Thought("Hm."), geminitest.Text("Half "), geminitest.Text("an answer.").Signed(), tt.rest), geminitest.Text("Fine."))
			session := &Session{Model: gemini(t, s), Tools: tools(echo, "x")}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			said := ""
			for e, err := range session.Send(ctx, genai.NewPartFromText("go")) {
				if err != nil && kindOfFailure(err) != tt.kind {
					t.Fatal(err)
				}
				if d, ok := e.(TextDelta); ok {
					if said += d.Text; tt.stop && said == "Half an answer." {
						cancel()
					}
				}
			}
			if _, err := collect(t.Context(), session, "go on"); err != nil {
				t.Fatal(err)
			}
			kept := ""
			for _, p := range s.Requests()[1].Contents[1].Parts {
				if kept += p.Text; p.ThoughtSignature != nil {
					t.Errorf("%q is signed", p.Text)
				}
			}
			if kept != "Half an answer." {
				t.Errorf("the next request has %q", kept)
			}
			s.Done()
		})
	}
}

// If a retry fails, too, the next message is joined to the unanswered one, so that the roles
// alternate. Another retry works. If the provider then blocks the message, requests leave it out.
func TestFailedRetries(t *testing.T) {
	cut := geminitest.Turn(geminitest.Text("half an answer"), geminitest.Unfinished())
	bad := geminitest.Fail(400, "INVALID_ARGUMENT", "out of order")
	for name, tt := range map[string]struct {
		retries []geminitest.Reply
		next    string // the user's next message; empty: another retry
		want    string // the role and text of each content in the last request
	}{
		"a message":                     {[]geminitest.Reply{bad}, "more", "user: go, more"},
		"a message after two":           {[]geminitest.Reply{cut, bad}, "more", "user: go, more"},
		"a retry":                       {[]geminitest.Reply{bad}, "", "user: go"},
		"a retry after two":             {[]geminitest.Reply{cut, cut}, "", "user: go"},
		"a message after a blocked one": {[]geminitest.Reply{geminitest.Blocked("SAFETY")}, "more", "user: more"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := geminitest.New(t)
			s.Script(cut)
			s.Script(tt.retries...)
			s.Script(geminitest.Text("Whole."))
			session := &Session{Model: gemini(t, s), Tools: tools(echo)}
			collect(t.Context(), session, "go")
			for range tt.retries {
				for range session.Send(t.Context()) {
				}
			}
			var parts []*genai.Part
			if tt.next != "" {
				parts = append(parts, genai.NewPartFromText(tt.next))
			}
			for _, err := range session.Send(t.Context(), parts...) {
				if err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			requests := s.Requests()
			for _, c := range requests[len(requests)-1].Contents {
				var texts []string
				for _, p := range c.Parts {
					texts = append(texts, p.Text)
				}
				got = append(got, c.Role+": "+strings.Join(texts, ", "))
			}
			if got := strings.Join(got, "; "); got != tt.want {
				t.Errorf("the last request has %q, want %q", got, tt.want)
			}
			s.Done()
		})
	}
}
