package wording

import (
	"strings"
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
	for kind := launch.ProgramMissing; kind <= launch.Others; kind++ {
		if NoteText(launch.Note{Kind: kind, Subject: "x"}) == "" {
			t.Errorf("note %d has no sentence", kind)
		}
	}
}

// For a command whose program is missing, such as "swift run", the advice was to paste a command.
func TestAMissingProgramHasAdvice(t *testing.T) {
	for subject, want := range map[string]string{
		"swift": "If it is a program, install it first", "fs-mcp": "If it is a package, paste npx -y fs-mcp", "my notes.txt": "Paste the command",
	} {
		if got := PasteAdvice(&launch.Problem{Kind: launch.NoProgram, Subject: subject}); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", subject, got)
		}
	}
}
