package chat

import (
	"testing"

	"goated/internal/attachedfile"
)

// The history shows the name of each file, for text and for data.
func TestPartsOfFilesHaveTheirNames(t *testing.T) {
	text := FilePart("a.txt", "text/plain", []byte("hello"))
	if name, content, ok := attachedfile.Parse(text.Text); !ok || name != "a.txt" || content != "hello" {
		t.Errorf("a text: %q with %q, %t", name, content, ok)
	}
	picture := FilePart("a.png", "image/png", []byte("data"))
	if d := picture.InlineData; d == nil || d.DisplayName != "a.png" || d.MIMEType != "image/png" || string(d.Data) != "data" {
		t.Errorf("a picture: %+v", picture)
	}
}
