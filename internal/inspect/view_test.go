package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// After any changes of a log, a view of it contains what a new search would find.
func TestAViewFollowsItsLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Log
		f := rapid.SampledFrom([]Filter{{}, {Errors: true}, {Server: "a"}, {Text: "TWO"}, {Tool: "one", Errors: true}}).Draw(t, "filter")
		v := l.View(f)
		defer v.End()
		ids := 0
		for i := range rapid.IntRange(1, 60).Draw(t, "steps") {
			server := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "server")
			switch rapid.SampledFrom([]string{"ask", "ask", "answer", "answer", "early", "cancel", "clear", "update"}).Draw(t, "step") {
			case "ask":
				ids++
				l.Add(frame(server, true, i, request(fmt.Sprint(ids), "tools/call", rapid.SampledFrom([]string{"one", "two"}).Draw(t, "tool"))))
			case "answer":
				l.Add(frame(server, false, i, fmt.Sprintf(`{"id":%d,"result":{"isError":%v}}`, rapid.IntRange(0, ids).Draw(t, "id"), rapid.Bool().Draw(t, "fails"))))
			case "early":
				l.Add(frame(server, false, i+1, fmt.Sprintf(`{"id":%d,"error":{"code":-1}}`, ids+1)))
			case "cancel":
				l.Add(frame(server, true, i, fmt.Sprintf(`{"method":"notifications/cancelled","params":{"requestId":%d}}`, ids)))
			case "clear":
				l.Clear()
			case "update":
				v.Update()
			}
		}
		v.Update()
		if added, changed := v.Update(); added != 0 || changed {
			t.Fatalf("nothing happened, and the view changes: %d, %v", added, changed)
		}
		want := l.Entries(f)
		slices.Reverse(want)
		if v.Len() != len(want) {
			t.Fatalf("the view has %d entries, a search finds %d", v.Len(), len(want))
		}
		for i, e := range want {
			if got, ok := v.At(i); !ok || got.Seq != e.Seq || v.Index(e.Seq) != i || !f.Match(got) {
				t.Fatalf("entry %d is %+v, want %+v", i, got, e)
			}
		}
	})
}

// A view removes the entries that the log drops because of its limits.
func TestAViewForgetsDroppedEntries(t *testing.T) {
	var l Log
	v := l.View(Filter{})
	long := strings.Repeat("x", 1<<20)
	for i := range 100 {
		l.Add(frame("s", false, i, `{"method":"notifications/message","params":{"x":"`+long+`"}}`))
		if i%7 == 0 {
			v.Update()
		}
	}
	v.Update()
	if n := len(l.Entries(Filter{})); v.Len() != n || n == 100 {
		t.Errorf("the view has %d entries, the log %d", v.Len(), n)
	}
	if _, ok := v.At(v.Len() - 1); !ok {
		t.Error("the oldest entry is missing")
	}
}

func TestARecorderIsOffAtFirst(t *testing.T) {
	var none *Recorder
	if none.On() {
		t.Error("no recorder records")
	}
	var r Recorder
	told := 0
	r.Notify(func() { told++ })
	f := frame("s", true, 0, request("1", "tools/call", "roll"))
	r.Add(f)
	r.Record(true)
	r.Add(f)
	r.Record(false)
	r.Add(f)
	if n := r.Log().Total().Frames; n != 1 || told != 1 {
		t.Errorf("%d frames, told %d times", n, told)
	}
}

// A tool's tokens are known even if the log began after its definition was listed.
func TestDefinitionsComeFromOutside(t *testing.T) {
	var l Log
	l.Define("s", "roll", []byte(`{"name": "roll", "description": "Rolls dice"}`))
	l.Add(frame("s", true, 0, request("1", "tools/call", "roll")))
	l.Clear()
	l.Add(frame("s", true, 1, request("2", "tools/call", "roll")))
	if f := l.Figures(Filter{}); len(f) != 1 || f[0].Calls != 1 || f[0].Tokens == 0 {
		t.Errorf("%+v", f)
	}
}

// BenchmarkView measures one update of a view of 100,000 frames after another pair of frames.
func BenchmarkView(b *testing.B) {
	var l Log
	for i := range MaxFrames {
		l.Add(frame("server", i%2 == 0, i, []string{request(fmt.Sprint(i), "tools/call", "search"), fmt.Sprintf(`{"id":%d,"result":{}}`, i-1)}[i%2]))
	}
	began := time.Now()
	v := l.View(Filter{Text: "nowhere"})
	searched := time.Since(began)
	v.End()
	v = l.View(Filter{})
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		l.Add(frame("server", true, i, request(fmt.Sprint(i), "tools/call", "search")))
		l.Add(frame("server", false, i, fmt.Sprintf(`{"id":%d,"result":{}}`, i)))
		v.Update()
	}
	b.ReportMetric(float64(searched.Milliseconds()), "search-ms")
}
