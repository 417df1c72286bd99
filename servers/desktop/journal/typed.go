package journal

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// hiddenKey is the context key of the values that [Hide] adds.
type hiddenKey struct{}

// Hide returns a context in which records of actions leave out the values. For example, a macro may
// type a password.
func Hide(ctx context.Context, values ...string) context.Context {
	before, _ := ctx.Value(hiddenKey{}).([]string)
	return context.WithValue(ctx, hiddenKey{}, append(before[:len(before):len(before)], values...))
}

// HideNamed is like [Hide], for the values whose names mean secrets.
func HideNamed(ctx context.Context, values map[string]string) context.Context {
	for name, v := range values {
		if secretName(name) {
			ctx = Hide(ctx, v)
		}
	}
	return ctx
}

func hiddenIn(ctx context.Context) []string {
	values, _ := ctx.Value(hiddenKey{}).([]string)
	return values
}

// maxTyped is how many bytes of earlier input the journal remembers.
const maxTyped = 512

// completesSecret reports whether the text that a request types completes a secret that earlier requests
// began. It remembers the text. The caller holds mu.
func (j *Journal) completesSecret(request json.RawMessage) bool {
	text := typedBy(request)
	if text == "" {
		return false
	}
	before := j.typed
	j.typed = before + text
	if n := len(j.typed) - maxTyped; n > 0 {
		for !utf8.RuneStart(j.typed[n]) {
			n++
		}
		j.typed = j.typed[n:]
		before = before[min(n, len(before)):]
	}
	for _, at := range secretText.FindAllStringIndex(j.typed, -1) {
		if at[1] > len(before) {
			return true
		}
	}
	return false
}

// typedBy returns the text that an input types, which is a text or a key that stands for one
// character.
func typedBy(request json.RawMessage) string {
	var r struct {
		Input struct {
			Action struct {
				TypeText struct{ Text string }
				PressKey struct{ Key string }
			}
		}
	}
	if json.Unmarshal(request, &r) != nil {
		return ""
	}
	a := r.Input.Action
	switch key := a.PressKey.Key; {
	case a.TypeText.Text != "":
		return a.TypeText.Text
	case strings.EqualFold(key, "return"), strings.EqualFold(key, "enter"), strings.EqualFold(key, "tab"):
		return "\n"
	case utf8.RuneCountInString(key) == 1:
		return key
	}
	return ""
}
