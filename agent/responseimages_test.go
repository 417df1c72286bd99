package agent

import (
	"bytes"
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/geminitest"
	"goated/registry"
)

// camera is a toolbox whose tools return an image.
type camera struct{ *toolbox }

func (camera) CallEntry(context.Context, registry.Entry, map[string]any, func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "taken"}, &mcp.ImageContent{Data: tinyPicture(), MIMEType: "image/png"}}}, nil
}

// A model older than Gemini 3 gets the image of a result in a content after the response.
func TestImagesOfResultsForOlderModels(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Calls(geminitest.Call("box__x", nil), geminitest.Call("box__x", nil)), geminitest.Text("I see it."), geminitest.Text("Still."))
	m, err := NewGemini(t.Context(), GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL, Model: "gemini-2.5-flash"})
	if err != nil {
		t.Fatal(err)
	}
	session := &Session{Model: m, Tools: camera{tools(echo, "x")}, Approve: each(allowAll)}
	for _, say := range []string{"look", "and now?"} {
		if _, err := collect(t.Context(), session, say); err != nil {
			t.Fatal(err)
		}
	}
	last := s.Requests()[2]
	if n := bytes.Count(last.Body, []byte(`"inlineData"`)); n != 2 || len(last.Contents) != 6 {
		t.Errorf("%d contents with %d images: %.2000s", len(last.Contents), n, last.Body)
	}
	if len(session.History()) != 6 || session.History()[2].Parts[0].FunctionResponse.Parts == nil {
		t.Error("the history lost its images")
	}
	s.Done()
}

// After a refusal that names no cause, the session retries without the images, if the tools are not
// the cause. If that does not help, it restores the images.
func TestImagesAreSuspects(t *testing.T) {
	for name, words := range map[string]string{
		"parts of responses": "Unable to submit request because `function_response.parts` is not supported for this model.",
		"multimodal":         "Multimodal function responses are not supported by this model.",
		"no words":           "Request contains an invalid argument.",
	} {
		for _, guilty := range []bool{true, false} {
			s := geminitest.New(t)
			s.Handle(func(r geminitest.Request) geminitest.Reply {
				switch {
				case bytes.Contains(r.Body, []byte("Answer with: ok")):
					return geminitest.Text("ok")
				case bytes.Contains(r.Body, []byte(`"inlineData"`)), !guilty:
					return geminitest.Fail(400, "INVALID_ARGUMENT", words)
				}
				return geminitest.Text("I see nothing.")
			})
			session := &Session{Model: gemini(t, s), Tools: tools(echo, "x")}
			var events []Event
			var failed error
			for e, err := range session.Send(t.Context(), genai.NewPartFromText("look"), genai.NewPartFromBytes(tinyPicture(), "image/png")) {
				if failed = err; err == nil {
					events = append(events, e)
				}
			}
			removed := only[MediaRemoved](events)
			switch {
			case guilty && (failed != nil || len(removed) != 1):
				t.Errorf("%s: %v, %+v", name, failed, removed)
			case !guilty && (kindOfFailure(failed) != RequestBad || name == "no words" && (len(removed) > 0 || len(session.view.replaced) > 0)):
				t.Errorf("%s, not to blame: %v, %+v", name, failed, removed)
			}
		}
	}
}

// If the user stops the request without the image, the next request contains the image again.
func TestImagesComeBackAfterAStop(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s := geminitest.New(t)
	images := 0
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		image := bytes.Contains(r.Body, []byte(`"inlineData"`))
		if image {
			images++
		}
		switch {
		case bytes.Contains(r.Body, []byte("Answer with: ok")):
			return geminitest.Text("ok")
		case len(r.Contents) == 1:
			return geminitest.Call("box__x", nil)
		case image && images == 1:
			return geminitest.Fail(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
		case images == 1 && ctx.Err() == nil:
			stop()
			return geminitest.Hang()
		}
		return geminitest.Text("I see a dot.")
	})
	session := &Session{Model: gemini(t, s), Tools: camera{tools(echo, "x")}, Approve: each(allowAll)}
	if _, err := collect(ctx, session, "look"); err != nil {
		t.Fatal(err)
	}
	if _, err := collect(t.Context(), session, "look again"); err != nil {
		t.Fatal(err)
	}
	if images != 2 {
		t.Errorf("%d requests had the image, want 2", images)
	}
}
