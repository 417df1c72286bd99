package chatcmd

import (
	"errors"
	"fmt"
	"io"

	"google.golang.org/genai"

	"goated/internal/chat"
	"goated/internal/errtext"
	"goated/internal/offers"
	"goated/ui/view"
)

// Message makes a message from a line of the terminal and the files of its prompt or its resources.
// If a model cannot accept one of the files, it prints that and returns false, and nothing is sent.
func Message(w io.Writer, text string, files []offers.Document, send bool) ([]*genai.Part, bool) {
	if !send {
		return nil, false
	}
	var parts []*genai.Part
	if text != "" {
		parts = append(parts, genai.NewPartFromText(text))
	}
	size := 0
	for _, f := range files {
		a, err := view.Attach(f.Name, f.Data)
		if size += len(f.Data); err == nil && size > view.MaxAttachment {
			err = errors.New("the files together are larger than " + fmt.Sprint(view.MaxAttachment>>20) + " MB")
		}
		if err != nil {
			fmt.Fprintln(w, errtext.PlainSentence(err))
			return nil, false
		}
		parts = append(parts, chat.FilePart(f.Name, a.Type, f.Data))
	}
	return parts, true
}
