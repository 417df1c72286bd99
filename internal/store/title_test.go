package store

import (
	"testing"

	"google.golang.org/genai"
)

// The title comes from the question, not from the attached file.
func TestTitleComesFromTheQuestion(t *testing.T) {
	t.Parallel()
	file := genai.NewPartFromText("Attached file \"Pasted text.txt\":\n\nline one")
	if got := titleOf([]*genai.Part{file, genai.NewPartFromText("What is\nthis?")}); got != "What is" {
		t.Errorf("the title is %q", got)
	}
	if got := titleOf([]*genai.Part{file}); got == "" {
		t.Error("a file alone gives no title")
	}
}
