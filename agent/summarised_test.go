package agent

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent/contents"
)

// exchange returns a question, a tool call, its result and the answer. The result has text and an
// image of the given sizes, or no image if its size is 0.
func exchange(text, image int) []*genai.Content {
	result := &genai.FunctionResponse{Name: "x", Response: map[string]any{"output": strings.Repeat("a", text)}}
	if image > 0 {
		result.Parts = []*genai.FunctionResponsePart{{InlineData: &genai.FunctionResponseBlob{MIMEType: "image/png", Data: make([]byte, image)}}}
	}
	return []*genai.Content{
		genai.NewContentFromText("question", genai.RoleUser),
		{Role: genai.RoleModel, Parts: []*genai.Part{{FunctionCall: &genai.FunctionCall{Name: "x"}}}},
		{Role: genai.RoleUser, Parts: []*genai.Part{{FunctionResponse: result}}},
		genai.NewContentFromText("answer", genai.RoleModel),
	}
}

// summarised returns a turn of a conversation in which a summary replaced the first exchanges.
func summarised(replaced, left int, one func() []*genai.Content) (*turn, *[]Event) {
	var history []*genai.Content
	for range replaced {
		history = append(history, one()...)
	}
	mark := ContextCompacted{Contents: len(history), Summary: "short"}
	for range left {
		history = append(history, one()...)
	}
	s := &Session{Budget: 100_000}
	s.Restore(history, mark)
	var events []Event
	return &turn{Session: s, yield: func(e Event, _ error) bool { events = append(events, e); return true }, cancel: func() {}}, &events
}

func requestSize(t *turn) (text, media int) {
	for _, c := range t.contents() {
		a, b := t.view.sizes.measure(c)
		text, media = text+a, media+b
	}
	return text, media
}

// Requests do not contain the summarised contents, so shortening those saves nothing.
func TestOnlyTheRequestIsTrimmed(t *testing.T) {
	turn, events := summarised(5, 6, func() []*genai.Content { return exchange(20_000, 0) })
	said := turn.fit()
	if text, _ := requestSize(turn); text != said || text > turn.budget()*4/5 {
		t.Errorf("the request has %d bytes, and fit returns %d of %d", text, said, turn.budget())
	}
	if trimmed := only[ContextTrimmed](*events); len(trimmed) != 1 || trimmed[0].Results > 6 {
		t.Errorf("%+v", trimmed)
	}
	if len(turn.view.replaced) > 6 {
		t.Error("results that the summary replaced are shortened, too")
	}
}

func TestMeasureCountsTheTrimmedResultsOfTheRequest(t *testing.T) {
	turn, _ := summarised(1, 2, func() []*genai.Content { return exchange(1000, 0) })
	for _, c := range turn.history[:len(turn.history)-4] {
		turn.view.replace(c, contents.WithResponses(c, func(r *genai.FunctionResponse) *genai.FunctionResponse {
			return &genai.FunctionResponse{Name: r.Name, Response: map[string]any{"output": turn.storedNote("long")}}
		}))
	}
	if m := turn.Measure(); m.Trimmed != 1 || m.Responses != 2 {
		t.Errorf("%d of %d results are trimmed", m.Trimmed, m.Responses)
	}
}

func TestOnlyMediaOfTheRequestAreDropped(t *testing.T) {
	turn, events := summarised(5, 7, func() []*genai.Content { return exchange(10, 2<<20) })
	turn.fit()
	if _, media := requestSize(turn); media > maxMedia {
		t.Errorf("the request has %d bytes of media", media)
	}
	if dropped := only[ContextTrimmed](*events); len(dropped) != 1 || dropped[0].Media > 7 {
		t.Errorf("%+v", dropped)
	}
}

// If the service refuses an image, the session removes one that is in the request, not one that a
// summary replaced.
func TestRefusedMediaAreInTheRequest(t *testing.T) {
	turn, events := summarised(1, 1, func() []*genai.Content { return exchange(10, 100) })
	refusal := &Failure{Kind: RequestBad, Message: "Unable to process input image"}
	if !turn.removeRefused(refusal) || len(*events) != 1 {
		t.Errorf("the image of the request stays: %+v", *events)
	}
	if turn.removeRefused(refusal) || len(*events) != 1 {
		t.Errorf("an image that the summary replaced is removed: %+v", *events)
	}
	if turn.removeRefused(errors.New("image")) {
		t.Error("another error removes something")
	}
}

// A summary in the middle of a turn keeps the user's current message in the request, and the limits
// apply to that message.
func TestTheMessageBehindASummaryKeepsToTheLimits(t *testing.T) {
	message := &genai.Content{Role: genai.RoleUser, Parts: []*genai.Part{{Text: "look"}, {InlineData: &genai.Blob{MIMEType: "image/png", Data: make([]byte, maxMedia+1)}}}}
	s := &Session{Budget: 100_000}
	s.Restore(append([]*genai.Content{message}, exchange(100, 0)[1:]...), ContextCompacted{Contents: 3, Summary: "short"})
	turn := &turn{Session: s, yield: func(Event, error) bool { return true }, cancel: func() {}}
	turn.fit()
	if _, media := requestSize(turn); media != 0 {
		t.Errorf("the request has %d bytes of media", media)
	}
}
