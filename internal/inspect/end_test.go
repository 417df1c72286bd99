package inspect

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// ended returns the end of a connection, the given number of milliseconds after the start.
func ended(server string, end End, ms int, how string) Frame {
	f := frame(server, false, ms, how)
	f.End = end
	return f
}

// outcomes returns the outcomes of all requests, in order.
func outcomes(l *Log) (all []Outcome) {
	for _, e := range l.Entries(Filter{}) {
		if e.Kind == Request {
			all = append(all, e.Outcome)
		}
	}
	return all
}

// The call during which a server exited had no outcome, and did not count as an error.
func TestTheEndOfAServerFailsItsOpenRequests(t *testing.T) {
	l := new(Log)
	v := l.View(Filter{Errors: true})
	l.Add(frame("dice", true, 0, request("1", "tools/call", "roll")))
	l.Add(frame("dice", false, 1, `{"id":1,"result":{"content":[]}}`))
	l.Add(frame("dice", true, 2, request("2", "tools/call", "roll")))
	l.Add(frame("dice", true, 2, request("3", "subscriptions/listen", "")))
	l.Add(frame("dice", false, 3, request("9", "roots/list", "")))
	l.Add(frame("mail", true, 4, request("2", "tools/call", "search")))
	l.Add(frame("dice", true, 9, request("1", "initialize", ""))) // belongs to the next process
	v.Update()
	end, _ := l.Add(ended("dice", Lost, 5, "exit status 7"))
	if end.Kind != Ended || !end.Failed() || end.How != "exit status 7" || !reflect.DeepEqual(end.Lost, []uint64{1}) {
		t.Errorf("the end is %+v", end)
	}
	if got, want := outcomes(l), []Outcome{OK, ServerEnded, NoAnswer, NoAnswer, Waiting, Waiting}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if e, _ := l.Get(1); e.How != "exit status 7" || !e.Failed() {
		t.Errorf("%+v", e)
	}
	if v.Update(); v.Len() != 2 {
		t.Errorf("%d entries are errors, want the call and the end", v.Len())
	}
	if f := l.Figures(Filter{Tool: "roll"})[0]; f.Calls != 2 || f.Answered != 1 || f.Errors != 1 || f.Success != 0.5 {
		t.Errorf("%+v", f)
	}
	if e, _ := l.Add(frame("dice", false, 11, `{"id":1,"result":{}}`)); e.Method != "initialize" || e.Outcome != OK {
		t.Errorf("the next process: %+v", e)
	}
}

// If goated closes a server because the user asked for it, that is not an error.
func TestAClosedConnectionIsNoError(t *testing.T) {
	l := new(Log)
	l.Add(frame("dice", true, 0, request("1", "subscriptions/listen", "")))
	l.Add(frame("dice", true, 0, request("2", "tools/call", "roll")))
	l.Add(frame("dice", true, 1, `{"method":"notifications/cancelled","params":{"requestId":2}}`))
	end, _ := l.Add(ended("dice", Closed, 5, ""))
	if got, want := outcomes(l), []Outcome{NoAnswer, Cancelled}; !reflect.DeepEqual(got, want) || end.Failed() || len(l.Entries(Filter{Errors: true})) != 0 {
		t.Errorf("%v, want %v; the end is %+v", got, want, end)
	}
}

// gone returns the end of a request without a response.
func gone(id string, byGoated bool, ms int, why string) Frame {
	f := frame("web", byGoated, ms, why)
	f.Unanswered = id
	return f
}

// If only one call got no response, for example because of HTTP 500, it stayed open forever.
func TestARequestEndsWithoutAnAnswer(t *testing.T) {
	l := new(Log)
	v := l.View(Filter{Errors: true})
	for i, id := range []string{"1", "2", "3", `"a"`} {
		l.Add(frame("web", true, i, request(id, "tools/call", "roll")))
	}
	l.Add(frame("web", false, 4, `{"id":3,"result":{"content":[]}}`))
	v.Update()
	if e, _ := l.Add(gone("1", false, 10, "HTTP 500: out of memory")); e.Seq != 0 || e.Outcome != Unanswered || !e.Failed() || e.How != "HTTP 500: out of memory" {
		t.Errorf("%+v", e)
	}
	l.Add(gone("2", true, 11, "execution timeout"))
	l.Add(frame("web", true, 11, `{"method":"notifications/cancelled","params":{"requestId":2,"reason":"context canceled"}}`))
	if e, ok := l.Add(gone("3", false, 12, "too late: it is answered")); ok {
		t.Errorf("an answered request ends again: %+v", e)
	}
	l.Add(gone(`"a"`, true, 13, "context canceled"))
	l.Add(gone("9", false, 14, "unknown"))
	if got, want := outcomes(l), []Outcome{Unanswered, TimedOut, OK, Cancelled}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if v.Update(); v.Len() != 2 {
		t.Errorf("%d entries are errors", v.Len())
	}
	if f := l.Figures(Filter{Tool: "roll"})[0]; f.Calls != 4 || f.Answered != 1 || f.Errors != 2 {
		t.Errorf("%+v", f)
	}
	var file bytes.Buffer
	if err := l.Export(&file, Filter{}); err != nil {
		t.Fatal(err)
	}
	frames, err := Import(&file)
	if err != nil {
		t.Fatal(err)
	}
	again := new(Log)
	for _, f := range frames {
		again.Add(f)
	}
	if got, want := again.Entries(Filter{}), l.Entries(Filter{}); len(got) != len(want) || !reflect.DeepEqual(outcomes(again), outcomes(l)) || got[0].How != want[0].How {
		t.Errorf("the file says %+v", got)
	}
}

// A declined probe of goated's own counted as an error of the server.
func TestADeclinedProbeIsNoError(t *testing.T) {
	for _, tt := range []struct {
		method string
		code   int
		ours   bool
		want   Outcome
	}{
		{"server/discover", -32601, true, Declined},
		{"server/discover", -32602, true, Declined},
		{"server/discover", -32022, true, Declined},
		{"server/discover", -32603, true, Failed},
		{"subscriptions/listen", -32601, true, Declined},
		{"subscriptions/listen", -32000, true, Declined},
		{"subscriptions/listen", -32004, true, Declined},
		{"subscriptions/listen", -32603, true, Failed},
		{"tools/call", -32601, true, Failed},
		{"server/discover", -32601, false, Failed},
	} {
		asks := frame("dice", tt.ours, 0, request("1", tt.method, ""))
		answers := frame("dice", !tt.ours, 1, fmt.Sprintf(`{"id":1,"error":{"code":%d,"message":"no"}}`, tt.code))
		for _, order := range [][]Frame{{asks, answers}, {answers, asks}} {
			var l Log
			l.Add(order[0])
			if e, _ := l.Add(order[1]); e.Outcome != tt.want || e.Code != tt.code || e.Failed() != (tt.want == Failed) {
				t.Errorf("%s with %d, ours %v: %+v", tt.method, tt.code, tt.ours, e)
			}
		}
	}
}

// An export contains how connections ended.
func TestAnEndIsImported(t *testing.T) {
	from, to := new(Log), new(Log)
	from.Add(frame("dice", true, 0, request("1", "tools/call", "roll")))
	from.Add(ended("dice", Lost, 5, "7"))
	from.Add(frame("dice", true, 6, request("1", "tools/call", "roll")))
	from.Add(ended("dice", Closed, 8, ""))
	var file bytes.Buffer
	if err := from.Export(&file, Filter{}); err != nil {
		t.Fatal(err)
	}
	frames, err := Import(&file)
	if err != nil || len(frames) != 4 {
		t.Fatalf("%d frames, %v", len(frames), err)
	}
	for _, f := range frames {
		to.Add(f)
	}
	if got, want := outcomes(to), outcomes(from); !reflect.DeepEqual(got, want) || to.Entries(Filter{Errors: true})[1].How != "7" {
		t.Errorf("%v, want %v", got, want)
	}
	if took := to.Entries(Filter{})[1].Began().Sub(start); took != 5*time.Millisecond {
		t.Errorf("the end is after %v", took)
	}
	if _, err := Import(bytes.NewReader([]byte(`{"messages":[{"timestamp":1,"direction":"incoming","end":"up"}]}`))); err == nil {
		t.Error("an unknown end is read")
	}
}
