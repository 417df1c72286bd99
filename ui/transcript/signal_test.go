package transcript

import (
	"strings"
	"testing"

	"goated/agent"
	"goated/ui/view"
)

// A search for "the harbour" scrolled to the first "the" of a long answer.
func TestSearchShowsTheRarestWord(t *testing.T) {
	d := newDesk(t)
	answer := strings.Repeat("On the first day the boat was on the lake.\n\n", 200) + "Then it came to a harbour.\n\n" + strings.Repeat("On the last day the boat was on the sea.\n\n", 200)
	d.show(view.Chat{}.Say("Tell me about the boat").Apply(agent.TextDelta{Text: answer}).Apply(agent.TurnEnded{Reason: agent.Done}), false)
	d.page.Flashes.Show(0, len(d.page.View.Items), []string{"the", "harbour", "unknown"})
	d.drain()
	if !strings.Contains(strings.Join(d.Texts(), "\n"), "harbour") {
		t.Errorf("the screen shows %q", d.Texts())
	}
}
