package agent

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/genai"
)

// asker is a [Tools] whose calls have had questions open for a fixed time.
type asker struct {
	*toolbox
	open time.Duration
}

func (a *asker) WithUserTime(ctx context.Context) (context.Context, func() time.Duration) {
	return ctx, func() time.Duration { return a.open }
}

// The duration of a call excludes the time in which the user answers a form of its server.
func TestCallTimeIsWithoutTheUsers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &asker{}
		a.toolbox = tools(func(context.Context, string, map[string]any) (string, error) {
			time.Sleep(time.Second + time.Hour)
			a.open += time.Hour
			return "done", nil
		}, "x")
		session := &Session{Tools: a, Policy: &Policy{AllowAll: true}, Model: &script{answers: [][]*genai.Part{{genai.NewPartFromFunctionCall("box__x", map[string]any{})}}}}
		events, err := collect(t.Context(), session, "go")
		if err != nil {
			t.Fatal(err)
		}
		if r := only[ToolReturned](events); len(r) != 1 || r[0].Duration != time.Second {
			t.Errorf("%+v", r)
		}
	})
}
