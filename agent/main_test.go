package agent

import (
	"context"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/genai"

	"goated/agent/turntest"
	"goated/internal/geminitest"
)

func TestMain(m *testing.M) {
	// A dependency of genai starts a worker when it is loaded.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"))
}

type toolbox = turntest.Toolbox

func tools(run func(ctx context.Context, tool string, args map[string]any) (string, error), names ...string) *toolbox {
	return turntest.New(run, names...)
}

func echo(ctx context.Context, tool string, args map[string]any) (string, error) {
	return turntest.Echo(ctx, tool, args)
}

func gemini(t *testing.T, s *geminitest.Server) *Gemini {
	t.Helper()
	g, err := NewGemini(t.Context(), GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// collect runs a turn to its end.
func collect(ctx context.Context, s *Session, text string) ([]Event, error) {
	return turntest.Collect(s.Send(ctx, genai.NewPartFromText(text)))
}

func only[E Event](events []Event) []E { return turntest.Only[E](events) }

func answerOf(events []Event) string {
	said := ""
	for _, d := range only[TextDelta](events) {
		said += d.Text
	}
	return said
}

// each returns an [Approve] that asks about one call at a time.
func each(ask func(context.Context, ToolCalled) (Decision, error)) Approve {
	return ApproveOneByOne(func(ctx context.Context, p Pending) (Answer, error) {
		d, err := ask(ctx, p.Call)
		return Answer{Decision: d}, err
	})
}

func allowAll(context.Context, ToolCalled) (Decision, error) { return AllowOnce, nil }

// wordless is a [Model] that cannot answer; see [CanAnswer].
type wordless struct{ Model }

func (wordless) NeedsAllTools() bool { return true }
