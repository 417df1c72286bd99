package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/agent/contents"
)

// defaultBudget limits the size of a request without images and files, in bytes: about 200,000
// tokens.
const defaultBudget = 800 << 10

const (
	// maxMedia limits the total size of the images and files in a request, in bytes. The service
	// accepts requests of up to 20 MiB, and base64 turns 3 bytes into 4.
	maxMedia = 12 << 20
	// stubSize is the size in bytes below which trimming a result saves too little.
	stubSize = 400
)

// sizes caches the text and media sizes of contents. A content never changes.
type sizes map[*genai.Content][2]int

func (s sizes) measure(c *genai.Content) (text, media int) {
	n, ok := s[c]
	if !ok {
		n[0], n[1] = contents.Size(c)
		s[c] = n
	}
	return n[0], n[1]
}

// fit shrinks the next request to at most four fifths of the budget. It trims the oldest results
// first, and those of the current turn last. Once it trims, it goes down to half of the budget, so
// that the beginning of later requests stays the same for a while. Providers cache that beginning.
//
// It returns the size of the remaining contents, without images and files.
func (t *turn) fit() int {
	if t.view.sizes == nil {
		t.view.sizes = make(sizes)
	}
	text, media := 0, 0
	for _, c := range t.contents() {
		a, b := t.view.sizes.measure(c)
		text, media = text+a, media+b
	}
	sent := sentContents(t.Session)
	budget := t.budget()
	trimmed, dropped := 0, 0
	if text > budget*4/5 {
		for _, c := range sent {
			if text <= budget/2 {
				break
			}
			if saved := t.replaceResults(c); saved > 0 {
				text, trimmed = text-saved, trimmed+1
			}
		}
	}
	if media > maxMedia {
		for _, c := range sent {
			if media <= maxMedia*2/3 {
				break
			}
			if saved := t.dropMedia(c); saved > 0 {
				media, dropped = media-saved, dropped+1
			}
		}
	}
	if trimmed+dropped > 0 {
		t.emit(ContextTrimmed{Results: trimmed, Media: dropped, Bytes: text + media})
	}
	t.estimate = text / tokenSize
	return text
}

// The notes that mark a shortened result.
const (
	continuesNote = "\n[The result goes on:"
	removedNote   = "The rest of this earlier result was removed to save space."
)

// maxShrinks limits how often a turn may repeat a request that is larger than the model's context.
// The first refusal reveals the size of the context. The second shows that a token has fewer bytes
// than estimated.
const maxShrinks = 2

// shrink learns the size of the model's context when the service refuses a request as too large, so
// that the next request fits. It reports whether the request can be repeated.
func (t *turn) shrink(err error) bool {
	var f *Failure
	if !errors.As(err, &f) || f.Kind != ContextFull || t.shrinks >= maxShrinks {
		return false
	}
	t.shrinks++
	known := t.window()
	switch {
	case f.Window > 0 && (known == 0 || f.Window < known):
		t.learned = f.Window
	case known > 0: // the estimate is wrong
		t.learned = known * 2 / 3
	default:
		t.learned = (t.estimate + t.declarations.cost) * 2 / 3
	}
	t.learned = max(t.learned, 256)
	return true
}

// replaceResults replaces each result in a content by its first words and a handle. It returns how many bytes
// that saves.
func (t *turn) replaceResults(c *genai.Content) int {
	seen := t.view.requestVersion(c)
	if t.view.omits(c) || !contents.IsResponse(seen) {
		return 0
	}
	before, _ := t.view.sizes.measure(seen)
	changed := false
	out := contents.WithResponses(seen, func(r *genai.FunctionResponse) *genai.FunctionResponse {
		key, said := responseText(r)
		if len(said) < stubSize {
			return r
		}
		changed = true
		short := *r
		short.Response = map[string]any{key: t.storedNote(said)}
		return &short
	})
	if !changed {
		return 0
	}
	t.view.replace(c, out)
	after, _ := t.view.sizes.measure(out)
	return before - after
}

// storedNote returns the text that replaces an old result. It stores the whole text first, unless that
// is already stored.
func (t *turn) storedNote(said string) string {
	note := "[" + removedNote + " Call the tool again if you need it.]"
	if stored := contents.StoredNote(said); stored != "" {
		note = stored
	} else if t.Results != nil {
		if id, err := t.Results.Put([]byte(said)); err == nil {
			t.hasStored = true
			note = fmt.Sprintf("[%s Its id is %s. Read it with read_result.]", removedNote, id)
		}
	}
	return strings.ToValidUTF8(said[:min(len(said), stubSize/4)], "") + "…\n" + note
}

// dropMedia replaces the images and files in a content with notes. It returns how many bytes that
// saves.
func (t *turn) dropMedia(c *genai.Content) int {
	seen := t.view.requestVersion(c)
	_, media := t.view.sizes.measure(seen)
	if t.view.omits(c) || media == 0 {
		return 0
	}
	out := &genai.Content{Role: seen.Role, Parts: slices.Clone(seen.Parts)}
	for i, p := range out.Parts {
		if contents.HasMedia(p) {
			out.Parts[i] = withoutMedia(p, "[removed to save space: "+strings.Join(contents.MediaOf(p), ", ")+"]")
		}
	}
	t.view.replace(c, out)
	return media
}

// withoutMedia returns a copy of a part with a note instead of its images and files.
func withoutMedia(p *genai.Part, note string) *genai.Part {
	r := p.FunctionResponse
	if r == nil {
		return &genai.Part{Text: note}
	}
	key, said := responseText(r)
	return &genai.Part{FunctionResponse: &genai.FunctionResponse{ID: r.ID, Name: r.Name, Response: map[string]any{key: strings.TrimSpace(said + "\n" + note)}}}
}
