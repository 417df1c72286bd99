package markdown

import (
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/internal/store"
)

// The text for a picture contains its name, or its type if it has no name.
func TestPicturesHaveTheirNames(t *testing.T) {
	named := genai.NewPartFromBytes([]byte("picture"), "image/png")
	named.InlineData.DisplayName = "harbour\nat dusk.png"
	var b strings.Builder
	if err := Write(&b, store.Thread{Turns: []store.Turn{{User: []*genai.Part{named, genai.NewPartFromBytes([]byte("x"), "image/jpeg")}}}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n*harbour at dusk.png – image/png, 7 bytes*\n", "\n*image/jpeg, 1 bytes*\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
