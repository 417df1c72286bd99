package agent

import (
	"testing"

	"google.golang.org/genai"
)

// BenchmarkTurn measures a turn of 50 consecutive calls, with 100 tools in each request, against a
// model that answers immediately.
func BenchmarkTurn(b *testing.B) {
	names := []string{"t"}
	for i := range 99 {
		names = append(names, "tool"+string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	box := tools(echo, names...)
	answers := make([][]*genai.Part, 50)
	for i := range answers {
		answers[i] = []*genai.Part{{FunctionCall: &genai.FunctionCall{Name: "box__t"}}}
	}
	for b.Loop() {
		session := &Session{Model: &script{answers: answers}, Tools: box, Policy: &Policy{AllowAll: true}, MaxSteps: 100}
		for _, err := range session.Send(b.Context(), genai.NewPartFromText("go")) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
