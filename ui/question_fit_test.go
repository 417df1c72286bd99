package ui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/ui"
)

// Questions with long words fit into wide and narrow windows, at 100 % and at 150 %. The test
// shows approvals, forms and lists of tools, on a sheet and in a conversation.
func TestQuestionsWithLongWordsFit(t *testing.T) {
	words := strings.Repeat("all of the old backups ", 12)
	form := schema(t, fmt.Sprintf(`{"type":"object","required":["a","b"],"properties":{
		"a":{"type":"string","title":%[1]q,"enum":["x","y"],"enumNames":[%[1]q,%[1]q]},
		"b":{"type":"boolean","title":%[1]q,"description":%[1]q},
		"c":{"type":"array","title":%[1]q,"items":{"type":"string","enum":[%[1]q,"z"]}},
		"d":{"type":"integer","title":"How many","minimum":1,"maximum":9},
		"e":{"type":"string","format":"date","title":"When"}}}`, words))
	asker := client.Asker{ID: "fast", Name: words, Start: "/srv/" + strings.ReplaceAll(words, " ", "-")}
	ask := func(d *desk, f func(context.Context)) {
		ctx := background(d.T)
		go f(ctx)
	}
	call := pending(words, "1.5.0", &mcp.Tool{Name: "delete", Title: words, Description: words, Annotations: &mcp.ToolAnnotations{DestructiveHint: new(true)}}, map[string]any{"which": words, words: 7})
	for name, put := range map[string]struct {
		draw func(d *desk)
		sees string
	}{
		"a form in a conversation": {func(d *desk) {
			d.callUnderWay("fast", "ask")
			d.elicit(asker, &mcp.ElicitParams{Message: words, RequestedSchema: form})
		}, "Submit"},
		"a form on a sheet": {func(d *desk) {
			d.elicit(client.Asker{Name: words, Start: asker.Start}, &mcp.ElicitParams{Message: words, RequestedSchema: form})
		}, "Submit"},
		"an approval in a conversation": {func(d *desk) {
			c := stopped("Delete them.", "May I?", []agent.Pending{call})
			d.window.ShowChats(0, c)
			d.window.ShowQuestion(c, call)
		}, "Deny"},
		"approvals in a conversation": {func(d *desk) {
			c := stopped("Delete them.", "May I?", []agent.Pending{call, call})
			d.window.ShowChats(0, c)
			d.window.ShowQuestion(c, call, call)
		}, "Deny"},
		"tools to choose from": {func(d *desk) {
			ask(d, func(ctx context.Context) {
				_, _ = d.dialogs.Ask(ctx, agent.Question{Description: words, Choices: []agent.Choice{{Value: "a", Label: words, Detail: words}, {Value: "b", Label: "b", Detail: "c"}}})
			})
		}, "None of these"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, width := range []float32{1280, 853, 640, 480, 427} {
				d := shown(t, ui.Options{})
				d.Window.Resize(fyne.NewSize(width, 840))
				put.draw(d)
				d.sees(put.sees)
				for _, misfit := range d.Misfits() {
					if strings.HasPrefix(misfit, `"go" `) || name == "tools to choose from" && strings.Contains(misfit, " needs ") {
						continue // a bubble that is as wide as its text; a name that a button cuts
					}
					t.Errorf("in %g: %s", width, misfit)
				}
			}
		})
	}
}
