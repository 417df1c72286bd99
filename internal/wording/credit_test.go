package wording

import (
	"testing"

	"goated/agent"
)

// The sentences about an empty account name the place where the user can pay, and do not suggest another
// model that needs the same credit.
func TestCredit(t *testing.T) {
	const kept = " Nothing you wrote is lost."
	for _, tt := range []struct {
		service, said  string
		sentence, hint string
	}{
		{"", "Your prepayment credits are depleted.", "Your credit at Gemini is used up: Your prepayment credits are depleted.", "Add credit in Google AI Studio, or choose a model of another service."},
		{"", "Your project has exceeded its monthly spending cap.", "You reached your spending limit at Gemini: Your project has exceeded its monthly spending cap.", "Raise the limit in Google AI Studio, or choose a model of another service."},
		{"api.example.com", "Insufficient credits", "Your credit at api.example.com is used up: Insufficient credits.", "Add credit at api.example.com, or choose another model."},
	} {
		f := &agent.Failure{Kind: agent.NoCredit, Service: tt.service, Message: tt.said}
		if got := ErrorText(f); got != tt.sentence {
			t.Errorf("the sentence is %q", got)
		}
		if got := Advice(f); got != tt.hint+kept {
			t.Errorf("the advice is %q", got)
		}
	}
}
