package ui_test

import (
	"strings"
	"testing"

	"goated/agent"
	"goated/ui"
	"goated/ui/view"
)

// Mathematics appeared as TeX source in a code box. The window now draws it, even while the
// answer grows, and copies its source.
func TestFormulasAreDrawnAndCopiedAsTeX(t *testing.T) {
	d := shown(t, ui.Options{})
	const answer = "The area is $\\pi r^2$, it costs $5.\n\n$$\n\\frac{\\Omega}{\\Theta}\n$$\n\nWe $\\undefined$ it."
	said := func(text string) {
		d.show(view.Chat{}.Say("Explain.").Apply(agent.TextDelta{Text: text}))
	}
	said(answer[:strings.Index(answer, "r^2")])
	if !d.Reads("The area is $\\pi") {
		t.Fatalf("a formula that is not closed is %q", d.Texts())
	}
	said(answer)
	shows := strings.Join(d.transcript(), " ")
	for _, want := range []string{"π", "²", "Ω", "Θ", "it costs $5.", "\\undefined"} {
		if !strings.Contains(shows, want) {
			t.Errorf("%q is not shown: %q", want, shows)
		}
	}
	for _, not := range []string{"$\\pi", "frac", "$$", "\uFFFD"} {
		if strings.Contains(shows, not) {
			t.Errorf("%q is shown: %q", not, shows)
		}
	}
	at := d.Word("Ω/Θ", "Ω")
	d.MenuAt(at.AddXY(2, 0))
	d.Press("Copy TeX")
	if got := d.Clipboard(); got != "$$\n\\frac{\\Omega}{\\Theta}\n$$" {
		t.Errorf("the block is copied as %q", got)
	}
	if got := d.copiedSource(at.AddXY(2, 0)); got != answer {
		t.Errorf("the message is copied as %q", got)
	}
}
