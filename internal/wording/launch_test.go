package wording

import (
	"testing"

	"goated/internal/launch"
)

// Each problem and each note has a sentence that tells the user what to do.
func TestEachProblemOfATextHasAdvice(t *testing.T) {
	for kind := launch.Empty; kind <= launch.OpenProgram; kind++ {
		p := &launch.Problem{Kind: kind, Subject: "x", Detail: "npm install", Choices: []string{"a", "b"}}
		if p.Error() == "" || p.Error() == "goated does not understand this" || PasteAdvice(p) == "" {
			t.Errorf("problem %d: %q, %q", kind, p, PasteAdvice(p))
		}
	}
	for kind := launch.ProgramMissing; kind <= launch.FileMissing; kind++ {
		if NoteText(launch.Note{Kind: kind, Subject: "x"}) == "" {
			t.Errorf("note %d has no sentence", kind)
		}
	}
}
