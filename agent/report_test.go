package agent

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// kept is a [ResultStore] that keeps one result.
type kept struct{ text []byte }

func (k *kept) Put(text []byte) (string, error) { k.text = text; return "0123456789ab", nil }

func (k *kept) Get(string) ([]byte, error) {
	if k.text == nil {
		return nil, errors.New("there is none")
	}
	return k.text, nil
}

// The answer to a request to read a file shows the file as it is written, and names its true size.
func TestOfflineShowsTheFile(t *testing.T) {
	for request, want := range map[string]string{
		"read settings.json": "```json\n{\"a\":1}\n```",
		"read big.txt":       "… (748889 bytes in total; the tool's card shows the rest)",
	} {
		box := fileTools()
		box.run = func(_ context.Context, _ string, args map[string]any) (string, error) {
			if args["path"] == "settings.json" {
				return `{"a":1}`, nil
			}
			return strings.Repeat("x", 748889), nil
		}
		events, err := collect(t.Context(), &Session{Model: &Offline{}, Tools: box, Approve: each(allowAll), Results: &kept{}}, request)
		if said := answerOf(events); err != nil || !strings.HasSuffix(said, want) {
			t.Errorf("%q: %q, %v", request, said[max(0, len(said)-200):], err)
		}
	}
}
