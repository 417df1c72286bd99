package inspect

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var start = time.Unix(1_700_000_000, 0)

// frame returns a message, the given number of milliseconds after the start.
func frame(server string, sent bool, ms int, data string) Frame {
	return Frame{Server: server, Sent: sent, Time: start.Add(time.Duration(ms) * time.Millisecond), Data: []byte(data), Size: len(data)}
}

func request(id, method, name string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{"arguments":{"n":1},"name":%q}}`, id, method, name)
}

func TestAFrameIsRead(t *testing.T) {
	for _, tt := range []struct {
		data string
		want Entry
	}{
		{request("41", "tools/call", "roll"), Entry{Kind: Request, Method: "tools/call", Tool: "roll", ID: "41"}},
		{`{"id":"41","jsonrpc":"2.0","method":"ping"}`, Entry{Kind: Request, Method: "ping", ID: `"41"`}},
		{`{"method":"resources/read","id":1,"params":{"uri":"file:\/\/x"}}`, Entry{Kind: Request, Method: "resources/read", Tool: "file://x", ID: "1"}},
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning"}}`, Entry{Kind: Note, Method: "notifications/message"}},
		{`{"result":{"content":[{"text":"\"isError\":true"}],"isError":false},"jsonrpc":"2.0","id":1}`, Entry{Kind: Answer, ID: "1", Outcome: OK}},
		{`{"result":{"content":[],"isError":true},"id":1}`, Entry{Kind: Answer, ID: "1", Outcome: ToolError}},
		{`{"id":1,"error":{"code":-32603,"message":"no"}}`, Entry{Kind: Answer, ID: "1", Outcome: Failed, Code: -32603}},
		{`{"id":null,"error":{"code":-32700,"message":"no"}}`, Entry{Kind: Answer, Outcome: Failed, Code: -32700}},
		{`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"cut he`, Entry{Kind: Answer, ID: "7", Outcome: OK}},
		{`Listening on port 3000`, Entry{Kind: Noise}},
		{``, Entry{Kind: Noise}},
		{`{`, Entry{Kind: Noise}},
		{`{"a"`, Entry{Kind: Noise}},
		{`{"a\`, Entry{Kind: Noise}},
		{`{"a":}`, Entry{Kind: Noise}},
	} {
		var l Log
		got, _ := l.Add(frame("s", false, 0, tt.data))
		if got.Kind != tt.want.Kind || got.Method != tt.want.Method || got.Tool != tt.want.Tool || got.ID != tt.want.ID || got.Outcome != tt.want.Outcome || got.Code != tt.want.Code {
			t.Errorf("%s becomes %+v", tt.data, got)
		}
	}
}

// In whatever order the frames of many servers are reported, each response is paired with its
// request. The same id of another server, direction or type is never confused with it.
func TestEachAnswerFindsItsRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type asked struct {
			server   string
			ours     bool
			id       string
			at, took int
			answered bool
		}
		var calls []asked
		var frames []Frame
		used := make(map[string]bool)
		for range rapid.IntRange(1, 30).Draw(t, "calls") {
			c := asked{
				server: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "server"), ours: rapid.Bool().Draw(t, "ours"),
				id: rapid.SampledFrom([]string{"1", `"1"`, "2", `"2"`, "3", "40"}).Draw(t, "id"),
				at: rapid.IntRange(0, 1000).Draw(t, "at"), took: rapid.IntRange(0, 1000).Draw(t, "took"), answered: rapid.Bool().Draw(t, "answered"),
			}
			if at := fmt.Sprint(c.server, c.ours, c.id); used[at] {
				continue
			} else {
				used[at] = true
			}
			calls = append(calls, c)
			frames = append(frames, frame(c.server, c.ours, c.at, request(c.id, "tools/call", fmt.Sprint("t", len(calls)))))
			if c.answered {
				frames = append(frames, frame(c.server, !c.ours, c.at+c.took, fmt.Sprintf(`{"id":%s,"result":{}}`, c.id)))
			}
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		random.Shuffle(len(frames), func(i, j int) { frames[i], frames[j] = frames[j], frames[i] })
		var l Log
		for _, f := range frames {
			l.Add(f)
		}
		entries := l.Entries(Filter{})
		if len(entries) != len(calls) {
			t.Fatalf("%d entries of %d calls", len(entries), len(calls))
		}
		for _, e := range entries {
			var n int
			fmt.Sscanf(e.Tool, "t%d", &n)
			c := calls[n-1]
			took, done := e.Latency()
			if e.Kind != Request || e.Server != c.server || e.Ours != c.ours || e.ID != c.id || done != c.answered || done && took != time.Duration(c.took)*time.Millisecond {
				t.Fatalf("%+v becomes %+v", c, e)
			}
		}
		if l.Total().Frames != len(frames) {
			t.Fatalf("%d of %d frames", l.Total().Frames, len(frames))
		}
	})
}

// A server that restarts reuses its ids. Each response stays with the request before it.
func TestIDsAreUsedAgain(t *testing.T) {
	var l Log
	l.Add(frame("s", true, 0, request("1", "tools/call", "lost")))
	for i := range 3 {
		l.Add(frame("s", true, 10+10*i, request("1", "tools/call", "roll")))
		l.Add(frame("s", false, 11+11*i, `{"id":1,"result":{}}`))
	}
	got := l.Entries(Filter{})
	if len(got) != 4 || got[0].Outcome != Waiting {
		t.Fatalf("%+v", got)
	}
	for i, e := range got[1:] {
		if took, _ := e.Latency(); took != time.Duration(1+i)*time.Millisecond {
			t.Errorf("call %d took %v", i, took)
		}
	}
	stray, _ := l.Add(frame("s", false, 50, `{"id":9,"result":{}}`))
	if e, _ := l.Add(frame("s", true, 60, request("9", "ping", ""))); e.Seq == stray.Seq {
		t.Error("an answer from before a request is its answer")
	}
}

// The TypeScript SDK writes the id of a response last, so it is lost if the response is cut.
func TestACutAnswerIsOfTheOnlyRequest(t *testing.T) {
	cut := frame("s", false, 5, `{"result":{"content":[{"type":"text","text":"long`)
	cut.Size = 1 << 20
	var l Log
	l.Add(frame("s", true, 0, request("1", "tools/call", "one")))
	if e, _ := l.Add(cut); e.Tool != "one" || e.Outcome != OK || !e.Answer.Cut() {
		t.Errorf("%+v", e)
	}
	l.Add(frame("s", true, 0, request("2", "tools/call", "two")))
	l.Add(frame("s", true, 0, request("3", "tools/call", "three")))
	if e, _ := l.Add(cut); e.Kind != Answer {
		t.Errorf("one of two requests is guessed: %+v", e)
	}
}

func TestACallIsCancelled(t *testing.T) {
	var l Log
	l.Add(frame("s", true, 0, request("1", "tools/call", "slow")))
	l.Add(frame("s", true, 5, `{"method":"notifications/cancelled","params":{"requestId":1}}`))
	if e, _ := l.Add(frame("s", false, 9, `{"id":1,"error":{"code":0,"message":"cancelled"}}`)); e.Outcome != Cancelled {
		t.Errorf("%+v", e)
	}
	if f := l.Figures(Filter{})[0]; f.Calls != 1 || f.Errors != 0 || f.Answered != 0 {
		t.Errorf("%+v", f)
	}
}

// 100,000 frames of ordinary size stay within 64 MB, and so does a flood of long ones.
func TestALogIsBounded(t *testing.T) {
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for name, tt := range map[string]struct{ frames, size, min int }{
		"ordinary": {103_000, 150, MaxFrames - 1}, "long": {2_400, 60 << 10, 900}, "without answers": {103_000, 0, 90_000},
	} {
		if testing.Short() && tt.frames > 10_000 {
			continue // the race detector makes a hundred thousand frames on one goroutine ten times slower
		}
		before := heap()
		l := new(Log)
		for i := range tt.frames {
			if i%2 == 0 || tt.size == 0 {
				l.Add(frame("server", true, i, request(fmt.Sprint(i/2*2+i%2), "tools/call", "search")))
			} else {
				l.Add(frame("server", false, i, fmt.Sprintf(`{"id":%d,"result":{"text":"%s"}}`, i/2*2, strings.Repeat("x", tt.size))))
			}
		}
		total, used := l.Total(), heap()-before
		if total.Frames > MaxFrames || total.Frames < tt.min || total.Bytes > MaxBytes || used > MaxBytes {
			t.Errorf("%s: %+v, %d bytes on the heap", name, total, used)
		}
		if total.Frames+total.Dropped != tt.frames {
			t.Errorf("%s: %+v of %d frames", name, total, tt.frames)
		}
		if f := l.Figures(Filter{})[0]; f.Calls < tt.frames/2 {
			t.Errorf("%s: the figures forget calls: %+v", name, f)
		}
	}
}

func FuzzAdd(f *testing.F) {
	f.Add([]byte(request("1", "tools/call", "x")))
	f.Add([]byte(`{"id":1,"result":{"tools":[{"name":"x"},{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var l Log
		l.Add(Frame{Server: "s", Sent: true, Time: start, Data: []byte(request("1", "tools/list", "")), Size: 1})
		l.Add(Frame{Server: "s", Time: start, Data: data, Size: len(data)})
		for _, e := range l.Entries(Filter{Text: "x"}) {
			_, _ = e.Command("--server", "s")
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	asks, answers := []byte(request("1", "tools/call", "search")), []byte(`{"id":1,"result":{"text":"`+strings.Repeat("x", 2000)+`"}}`)
	var l Log
	b.ReportAllocs()
	for b.Loop() {
		l.Add(Frame{Server: "s", Sent: true, Time: start, Data: asks, Size: len(asks)})
		l.Add(Frame{Server: "s", Time: start, Data: answers, Size: len(answers)})
	}
}
