package agent

import (
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/geminitest"
	"goated/registry"
)

// A ward is a toolbox with a quarantine in memory.
type ward struct {
	*toolbox
	kept map[string]string // reasons by the name of the tool
}

func (w ward) Refused(service, model string, entries []registry.Entry) map[*mcp.Tool]string {
	out := make(map[*mcp.Tool]string)
	for _, e := range entries {
		if reason := w.kept[service+" "+model+" "+e.Tool.Name]; reason != "" {
			out[e.Tool] = reason
		}
	}
	return out
}

func (w ward) Refuse(service, model string, e registry.Entry, reason string) error {
	w.kept[service+" "+model+" "+e.Tool.Name] = reason
	return nil
}

// The next conversation leaves out a tool that the service refused, and reports why. A tool that
// leaves the quarantine is declared again, even in a conversation that is already running.
func TestRefusedToolsAreRemembered(t *testing.T) {
	bad := "t007"
	s := picky(t, "Request contains an invalid argument.", func(names []string) bool { return bad != "" && slices.Contains(names, "box__"+bad) })
	w := ward{tools(echo, names(16)...), map[string]string{}}
	start := func() *Session { return &Session{Model: gemini(t, s), Tools: w, Approve: each(allowAll)} }
	first := start()
	events, err := collect(t.Context(), first, "hi")
	if err != nil || len(only[ToolQuarantined](events)) != 1 || len(w.kept) != 1 {
		t.Fatalf("left out %v, kept %v, %v", only[ToolQuarantined](events), w.kept, err)
	}
	before := len(s.Requests())
	second := start()
	events, err = collect(t.Context(), second, "hi")
	if q := only[ToolQuarantined](events); err != nil || len(q) != 1 || q[0].Tool != bad || !strings.Contains(q[0].Reason, "invalid argument") || len(s.Requests()) != before+1 {
		t.Errorf("the next conversation says %+v after %d requests, %v", q, len(s.Requests())-before, err)
	}
	clear(w.kept)
	bad = ""
	for name, session := range map[string]*Session{"the first": first, "the second": second} {
		before = len(s.Requests())
		if _, err := collect(t.Context(), session, "again"); err != nil {
			t.Fatal(err)
		}
		if n := len(s.Requests()[before].Tools[0].FunctionDeclarations); n != 16 {
			t.Errorf("%s conversation declares %d tools after the release", name, n)
		}
	}
}

// Tools that the service refuses only together are not remembered: another conversation declares
// them.
func TestToolsThatAreTooManyAreNotRemembered(t *testing.T) {
	s := picky(t, "The specified schema produces a constraint that has too many states for serving.", func(n []string) bool { return len(n) > 8 })
	w := ward{tools(echo, names(16)...), map[string]string{}}
	events, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: w, Approve: each(allowAll)}, "hi")
	if err != nil || len(only[ToolQuarantined](events)) != 8 || len(w.kept) > 0 {
		t.Errorf("left out %d, kept %v, %v", len(only[ToolQuarantined](events)), w.kept, err)
	}
}

// The turn goes on if a service refuses a tool without giving a reason. Another model gets the tool
// again.
func TestRefusalWithoutWords(t *testing.T) {
	s := picky(t, "", func(names []string) bool { return slices.Contains(names, "box__t001") })
	session := &Session{Model: gemini(t, s), Tools: tools(echo, names(4)...), Approve: each(allowAll)}
	events, err := collect(t.Context(), session, "hi")
	if q := only[ToolQuarantined](events); err != nil || len(q) != 1 || q[0].Reason == "" {
		t.Errorf("left out %+v, %v", q, err)
	}
	other := geminitest.New(t)
	other.Script(geminitest.Text("ok"))
	next := gemini(t, other)
	next.model = "another"
	session.SetModel(next)
	if _, err := collect(t.Context(), session, "hi"); err != nil {
		t.Fatal(err)
	}
	if n := len(other.Requests()[0].Tools[0].FunctionDeclarations); n != 4 {
		t.Errorf("the other model gets %d tools", n)
	}
}

// If a service refuses every request, the tools are not the cause. The session leaves none out, and
// the search ends with the first request without tools.
func TestToolsAreNotToBlameForEveryRefusal(t *testing.T) {
	s := picky(t, "Request contains an invalid argument.", func([]string) bool { return true })
	w := ward{tools(echo, names(32)...), map[string]string{}}
	events, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: w, Approve: each(allowAll)}, "hi")
	if kindOfFailure(err) != RequestBad || len(only[ToolQuarantined](events)) > 0 || len(w.kept) > 0 {
		t.Errorf("left out %v, kept %v, %v", only[ToolQuarantined](events), w.kept, err)
	}
	if n := len(s.Requests()); n > 3 {
		t.Errorf("%d requests", n)
	}
}

// A service that does not serve the user's place refuses each request. The session sends no other
// one, neither with a part of the tools nor without the image.
func TestNoSearchForARefusedPlace(t *testing.T) {
	for _, message := range []string{
		"User location is not supported for the API use.", "User location is not supported for the API use without a billing account linked.",
		"Gemini API free tier is not available in your country. Please enable billing on your project in Google AI Studio.",
	} {
		s := geminitest.New(t)
		s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Fail(400, "FAILED_PRECONDITION", message) })
		var failed error
		session := &Session{Model: gemini(t, s), Tools: tools(echo, names(32)...), Approve: each(allowAll)}
		for _, err := range session.Send(t.Context(), genai.NewPartFromText("hi"), genai.NewPartFromBytes([]byte("\x89PNG\r\n\x1a\n"), "image/png")) {
			failed = err
		}
		if kindOfFailure(failed) != NotInRegion || len(s.Requests()) != 1 {
			t.Errorf("%q: %v after %d requests", message, failed, len(s.Requests()))
		}
	}
}

// A model that accepts no tools at all answers without them, and the user is told once.
func TestModelWithoutTools(t *testing.T) {
	s := picky(t, "this model does not support tools", func(names []string) bool { return len(names) > 0 })
	w := ward{tools(echo, names(100)...), map[string]string{}}
	session := &Session{Model: gemini(t, s), Tools: w, Approve: each(allowAll)}
	events, err := collect(t.Context(), session, "hi")
	if q := only[ToolQuarantined](events); err != nil || len(q) != 1 || q[0].Name != "" || q[0].Reason != "this model does not support tools" || len(w.kept) > 0 {
		t.Errorf("left out %+v, kept %v, %v", q, w.kept, err)
	}
	before := len(s.Requests())
	if _, err := collect(t.Context(), session, "hi"); err != nil || len(s.Requests()) != before+1 {
		t.Errorf("%d requests for the next turn, %v", len(s.Requests())-before, err)
	}
}

// elsewhere is a model with the same name at another service.
type elsewhere struct{ Model }

func (elsewhere) Service() string { return "https://example.org/v1" }

func (e elsewhere) Name() string { return e.Model.(*Gemini).Name() }

// The refusals, the context size and the signatures of one service do not apply to a model with the
// same name at another service.
func TestTheSameNameElsewhereIsAnotherModel(t *testing.T) {
	s := picky(t, "Request contains an invalid argument.", func(names []string) bool { return slices.Contains(names, "box__t001") })
	w := ward{tools(echo, names(4)...), map[string]string{}}
	session := &Session{Model: gemini(t, s), Tools: w, Approve: each(allowAll)}
	if _, err := collect(t.Context(), session, "hi"); err != nil || len(w.kept) != 1 {
		t.Fatalf("kept %v, %v", w.kept, err)
	}
	session.learned, session.declarations.bare = 5000, true
	other := geminitest.New(t)
	other.Script(geminitest.Text("ok"))
	next := elsewhere{gemini(t, other)}
	if next.Name() != modelName(session.Model) {
		t.Fatal("the names differ")
	}
	session.SetModel(next)
	events, err := collect(t.Context(), session, "hi")
	if err != nil || len(only[ModelSwitched](events)) != 1 || session.learned != 0 {
		t.Errorf("told %v, a context of %d tokens, %v", only[ModelSwitched](events), session.learned, err)
	}
	if tools := other.Requests()[0].Tools; len(tools) == 0 || len(tools[0].FunctionDeclarations) != 4 {
		t.Errorf("the other service gets %+v", tools)
	}
}
