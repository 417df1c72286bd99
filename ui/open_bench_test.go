package ui_test

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"goated/internal/store"
	"goated/ui"
	"goated/ui/internal/samplechat"
	"goated/ui/view"
)

// endOfChat is the last paragraph of the long chat.
const endOfChat = "The end of it."

// BenchmarkOpenFromDisk10000 opens the window with a saved conversation of 10,000 messages. It
// reports the time until the end of the conversation is shown, and the longest time that the UI
// goroutine was blocked.
func BenchmarkOpenFromDisk10000(b *testing.B) {
	path := filepath.Join(b.TempDir(), "history.db")
	s := store.Start(b.Context(), path)
	if _, err := s.Import(b.Context(), longDocument(10_000), nil); err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for range b.N {
		s := store.Start(b.Context(), path)
		d := newDesk(b, ui.Options{History: s})
		d.window.Show()
		var held time.Duration
		began := time.Now()
		for !d.Reads(endOfChat) {
			post := <-d.queue
			at := time.Now()
			post()
			held = max(held, time.Since(at))
		}
		b.ReportMetric(float64(time.Since(began))/1e6, "ms-open")
		b.ReportMetric(float64(held)/1e6, "ms-held")
		d.window.Close()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// longDocument returns a long chat in the export format.
func longDocument(n int) io.Reader {
	quote := func(text string) string {
		data, _ := json.Marshal(text)
		return string(data)
	}
	var turns []string
	items, parent := samplechat.LongChat(n).Items(), ""
	for i := 0; i+1 < len(items); i += 2 {
		id := uuid.NewString()
		text := items[i+1].(view.Answer).Text
		if i+2 >= len(items) {
			text += "\n\n" + endOfChat
		}
		ask, answer := quote(items[i].(view.User).Text), quote(text)
		turns = append(turns, fmt.Sprintf(`{"id":%q,"parent":%q,"user":[{"text":%s}],
			"events":[{"type":"text","text":%s},{"type":"turn_ended","reason":"done","steps":1}],
			"contents":[{"parts":[{"text":%s}],"role":"user"},{"parts":[{"text":%s}],"role":"model"}],
			"started":"2026-01-02T03:04:05.678Z","ended":"2026-01-02T03:04:06.789Z"}`, id, parent, ask, answer, ask, answer))
		parent = id
	}
	return strings.NewReader(fmt.Sprintf(`{"format":"goated conversations","version":1,"conversations":[
		{"id":%q,"title":"A long one","created":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:04:05Z","active":%q,"turns":[%s]}]}`,
		uuid.NewString(), parent, strings.Join(turns, ",")))
}
