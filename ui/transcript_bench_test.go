package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/google/uuid"

	"goated/agent"
	"goated/internal/store"
	"goated/ui/view"
)

// prosody writes text that no cache has seen as a whole: paragraphs, lists,
// tables and code of a language of some thousand words.
type prosody struct{ *rand.Rand }

func newProsody(seed uint64) prosody { return prosody{rand.New(rand.NewPCG(seed, 1))} }

func (p prosody) word() string {
	const letters = "etaoinshrdlucmfwyp"
	n := p.IntN(4000)
	var b strings.Builder
	for k := n + 7; k > 0; k /= len(letters) {
		b.WriteByte(letters[k%len(letters)])
	}
	return b.String()
}

func (p prosody) words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = p.word()
		switch p.IntN(25) {
		case 0:
			out[i] = "**" + out[i] + "**"
		case 1:
			out[i] = "`" + out[i] + "`"
		}
	}
	return strings.Join(out, " ")
}

func (p prosody) block() string {
	switch p.IntN(8) {
	case 0:
		return "## " + p.words(4)
	case 1:
		var b strings.Builder
		for range 3 + p.IntN(5) {
			fmt.Fprintf(&b, "- %s\n", p.words(4+p.IntN(14)))
		}
		return b.String()
	case 2:
		var b strings.Builder
		b.WriteString("```go\n")
		for range 4 + p.IntN(12) {
			fmt.Fprintf(&b, "\t%s := %s(%q, %d)\n", p.word(), p.word(), p.word(), p.IntN(100))
		}
		return b.String() + "```"
	case 3:
		b := fmt.Sprintf("| %s | %s |\n|---|--:|\n", p.word(), p.word())
		for range 2 + p.IntN(4) {
			b += fmt.Sprintf("| %s | %d |\n", p.words(3), p.IntN(1000))
		}
		return b
	}
	return p.words(30 + p.IntN(60))
}

// answer is Markdown of about n bytes.
func (p prosody) answer(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(p.block())
		b.WriteString("\n\n")
	}
	return b.String()
}

// An answer streams in, ten tokens of five bytes with each update. What an update
// costs on the UI goroutine must not grow with the answer: last/first compares
// its last tenth with its first.
func BenchmarkStreaming(b *testing.B) {
	for _, size := range []int{20_000, 200_000} {
		b.Run(fmt.Sprintf("%dkB", size/1000), func(b *testing.B) {
			for range b.N {
				d := newDesk(b, Options{})
				d.chats.Transcript.Begin = func(func()) {} // colours are found beside the UI goroutine
				text := newProsody(1).answer(size)
				stream(d, newProsody(2).answer(4000)) // the words are known, as after some answers
				took := stream(d, text)
				report(b, took)
			}
		})
	}
}

func stream(d *desk, text string) []time.Duration {
	chat := view.Chat{}.Say("go")
	d.chats.Chats[0].Cancel = func() {}
	d.chats.Chats[0].Chat = chat
	d.chats.Transcript.Reset()
	d.chats.Refresh()
	var took []time.Duration
	for at := 0; at < len(text); at += 50 {
		chat = chat.Apply(agent.TextDelta{Text: text[at:min(at+50, len(text))]})
		began := time.Now()
		d.chats.Transcript.View.Live = true
		d.chats.Transcript.Show(chat)
		took = append(took, time.Since(began))
	}
	return took
}

func report(b *testing.B, took []time.Duration) {
	mean := func(part []time.Duration) float64 {
		sum := time.Duration(0)
		for _, t := range part {
			sum += t
		}
		return float64(sum) / float64(len(part)) / float64(time.Millisecond)
	}
	calm := func(part []time.Duration) float64 { // but those that the machine held up
		part = slices.Sorted(slices.Values(part))
		return mean(part[:len(part)*95/100])
	}
	tenth := len(took) / 10
	b.ReportMetric(mean(took), "ms/update")
	b.ReportMetric(calm(took[len(took)-tenth:])/calm(took[:tenth]), "last/first")
	b.ReportMetric(worst(took), "ms-worst")
}

func worst(took []time.Duration) float64 {
	most := time.Duration(0)
	for _, t := range took {
		most = max(most, t)
	}
	return float64(most) / float64(time.Millisecond)
}

// shapes are answers of one block that does not end, of about n bytes.
func shapes(n int) map[string]string {
	p := newProsody(1)
	build := func(begin string, part func() string) string {
		var b strings.Builder
		b.WriteString(begin)
		for b.Len() < n {
			b.WriteString(part())
		}
		return b.String()
	}
	return map[string]string{
		"paragraph": build("", func() string { return p.words(40) + " " }),
		"code": build("```go\n", func() string {
			return fmt.Sprintf("\t%s := %s(%q, %d)\n", p.word(), p.word(), p.word(), p.IntN(100))
		}),
		"list":  build("", func() string { return fmt.Sprintf("- %s\n", p.words(4+p.IntN(4))) }),
		"table": build("| a | b | c |\n|---|---|--:|\n", func() string { return fmt.Sprintf("| %s | %s | %d |\n", p.words(3), p.words(2), p.IntN(1000)) }),
		"quote": build("", func() string { return fmt.Sprintf("> %s\n", p.words(10)) }),
	}
}

// The worst that an answer can be is one block that never ends. Its colours come
// from beside the UI goroutine, and what they cost on it counts.
func BenchmarkStreamingOneBlock(b *testing.B) {
	for _, size := range []int{20_000, 200_000} {
		texts := shapes(size)
		for _, name := range []string{"paragraph", "code", "list", "table", "quote"} {
			b.Run(fmt.Sprintf("%s/%dkB", name, size/1000), func(b *testing.B) {
				for range b.N {
					d := newDesk(b, Options{})
					d.chats.Transcript.Begin = func(func()) {}
					stream(d, newProsody(2).answer(4000))
					stream(d, texts[name][:2000]) // the window has seen one before
					report(b, stream(d, texts[name]))
				}
			})
		}
	}
}

// longChat has n messages, of which every second is an answer.
func longChat(n int) view.Chat {
	p := newProsody(3)
	var list []view.Item
	for i := range n {
		if i%2 == 0 {
			list = append(list, view.User{Text: p.words(8 + p.IntN(30))})
		} else {
			list = append(list, view.Answer{Text: p.answer(200 + p.IntN(1500)), Spent: view.Spent{Tokens: 100}})
		}
	}
	return view.NewChat(list, view.Spent{})
}

// measured is what f took, by the clock and of the thread's CPU.
func measured(f func()) (took, cpu time.Duration) {
	began, before := time.Now(), spent()
	f()
	return time.Since(began), spent() - before
}

// heap is what is alive, in megabytes.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// A conversation of 10,000 messages is opened, scrolled by a wheel's notch at a
// time, and jumped about in. The worst are those of the CPU, too: by the clock
// they are what else the machine does.
func BenchmarkTranscript10000(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range b.N {
		d := newDesk(b, Options{})
		d.chats.Transcript.Begin = func(func()) {}
		empty := heap()
		d.chats.Chats[0].Chat = longChat(10_000)
		open, _ := measured(d.chats.Refresh)
		b.ReportMetric(float64(open)/1e6, "ms-open")
		t := d.chats.Transcript
		toTop(t)
		each := func(name string, n int, f func()) {
			var sum time.Duration
			var took, cpu []time.Duration
			for range n {
				wall, own := measured(f)
				sum += wall
				took, cpu = append(took, wall), append(cpu, own)
			}
			b.ReportMetric(float64(sum)/float64(n)/1e6, "ms/"+name)
			b.ReportMetric(worst(took), "ms-worst-"+name)
			b.ReportMetric(worst(cpu), "ms-cpu-worst-"+name)
		}
		each("step", 3000, func() {
			t.View.Scroll.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -40)})
		})
		random := rand.New(rand.NewPCG(4, 4))
		each("jump", 300, func() { t.View.GoTo(random.Float32() * t.View.Tall()) })
		b.ReportMetric(heap()-empty, "MB-over-empty")
		runtime.KeepAlive(d)
	}
}

// The window opens on a conversation of 10,000 messages that is on the disk: the
// time until its end is there, and how long the UI goroutine was held at most.
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
		d := newDesk(b, Options{History: s})
		d.Show()
		var held time.Duration
		began := time.Now()
		for len(d.chats.Transcript.View.Rows) < 10_000 {
			took, _ := measured(<-d.queue)
			held = max(held, took)
		}
		b.ReportMetric(float64(time.Since(began))/1e6, "ms-open")
		b.ReportMetric(float64(held)/1e6, "ms-held")
		d.Close()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// longDocument is a long chat as it is exported.
func longDocument(n int) io.Reader {
	quote := func(text string) string {
		data, _ := json.Marshal(text)
		return string(data)
	}
	var turns []string
	items, parent := longChat(n).Items(), ""
	for i := 0; i+1 < len(items); i += 2 {
		id := uuid.NewString()
		ask, answer := quote(items[i].(view.User).Text), quote(items[i+1].(view.Answer).Text)
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
