package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/agent/contents"
)

// defaultBudget bounds a request without images and files, in bytes: about 200,000 tokens.
const defaultBudget = 800 << 10

const (
	// maxMedia is the largest sum of the images and files of a request, in bytes. The
	// service takes requests of 20 MiB, in which 3 bytes take 4.
	maxMedia = 12 << 20
	// stubSize is the size below which a result is not worth trimming.
	stubSize = 400
)

// A sizes remembers the size of contents, which never change.
type sizes map[*genai.Content][2]int

func (s sizes) of(c *genai.Content) (text, media int) {
	n, ok := s[c]
	if !ok {
		n[0], n[1] = contents.Size(c)
		s[c] = n
	}
	return n[0], n[1]
}

// fit makes the next request fill at most four fifths of the budget. It trims the oldest
// results first. It trims results of the present turn only if nothing else is left. It trims
// to half of the budget, so that the beginning of the requests then stays the same for a
// while: providers cache it.
//
// It returns the size of the contents then, without images and files.
func (t *turn) fit() int {
	if t.view.sizes == nil {
		t.view.sizes = make(sizes)
	}
	text, media := 0, 0
	for _, c := range t.contents() {
		a, b := t.view.sizes.of(c)
		text, media = text+a, media+b
	}
	sent := sentOf(t.Session)
	budget := t.budget()
	trimmed, dropped := 0, 0
	if text > budget*4/5 {
		for _, c := range sent {
			if text <= budget/2 {
				break
			}
			if saved := t.stub(c); saved > 0 {
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

// The notes in results that are not whole.
const (
	goesOnNote  = "\n[The result goes on:"
	removedNote = "The rest of this earlier result was removed to save space."
)

// maxShrinks is how many requests of one turn may be larger than the model's context: the
// first refusal tells its size, the second that a token has fewer bytes than usual.
const maxShrinks = 2

// shrink learns the size of the model's context from the refusal of a request that was
// larger. The next request fits into it. It reports whether the request can be repeated.
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

// stub replaces the results in a content by their first words and handles. It returns
// how many bytes that saves.
func (t *turn) stub(c *genai.Content) int {
	seen := t.view.seen(c)
	if t.view.omits(c) || !contents.Responds(seen) {
		return 0
	}
	before, _ := t.view.sizes.of(seen)
	changed := false
	out := contents.WithResponses(seen, func(r *genai.FunctionResponse) *genai.FunctionResponse {
		key, said := saidOf(r)
		if len(said) < stubSize {
			return r
		}
		changed = true
		short := *r
		short.Response = map[string]any{key: t.handle(said)}
		return &short
	})
	if !changed {
		return 0
	}
	t.view.replace(c, out)
	after, _ := t.view.sizes.of(out)
	return before - after
}

// handle returns what stays of an old result. Its whole text is stored if it is
// not there.
func (t *turn) handle(said string) string {
	note := "[" + removedNote + " Call the tool again if you need it.]"
	if stored := contents.NoteOf(said); stored != "" {
		note = stored
	} else if t.Results != nil {
		if id, err := t.Results.Put([]byte(said)); err == nil {
			t.hasStored = true
			note = fmt.Sprintf("[%s Its id is %s. Read it with read_result.]", removedNote, id)
		}
	}
	return strings.ToValidUTF8(said[:min(len(said), stubSize/4)], "") + "…\n" + note
}

// dropMedia replaces the images and files of a content by notes. It returns how many
// bytes that saves.
func (t *turn) dropMedia(c *genai.Content) int {
	seen := t.view.seen(c)
	_, media := t.view.sizes.of(seen)
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

// withoutMedia returns a part with a note in the place of its images and files.
func withoutMedia(p *genai.Part, note string) *genai.Part {
	r := p.FunctionResponse
	if r == nil {
		return &genai.Part{Text: note}
	}
	key, said := saidOf(r)
	return &genai.Part{FunctionResponse: &genai.FunctionResponse{ID: r.ID, Name: r.Name, Response: map[string]any{key: strings.TrimSpace(said + "\n" + note)}}}
}
