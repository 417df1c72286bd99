package markdown

import (
	"testing"

	"goated/ui/richtext"
)

// The lines of a diff are coloured, even the last one, which has no line feed.
func TestDiffHasColours(t *testing.T) {
	const code = "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n same\n-old line\n+new line"
	tones := map[string]richtext.Tone{}
	for _, s := range Highlight("diff", code) {
		tones[s.Text] = s.Tone
	}
	for line, want := range map[string]richtext.Tone{
		"-old line\n": richtext.ToneDeleted, "+new line": richtext.ToneInserted, " same\n": richtext.ToneText,
		"diff --git a/x b/x\n@@ -1,2 +1,2 @@\n": richtext.ToneName,
	} {
		if got, ok := tones[line]; !ok || got != want {
			t.Errorf("%q has the tone %d (%t), not %d: %v", line, got, ok, want, tones)
		}
	}
	if got := richtext.PlainText(Highlight("diff", code)); got != code {
		t.Errorf("the text became %q", got)
	}
	last := Highlight("diff", "-gone")
	if len(last) != 1 || last[0].Tone != richtext.ToneDeleted {
		t.Errorf("a single line is %+v", last)
	}
}
