package agent

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// The text that the user has read before an answer was cut or silent stays in the history.
// Retry asks again without it, also after a restart.
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
