package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"
)

// sample returns a log with a successful call, a failed call, a notification, noise, and a request
// from a server.
func sample() *Log {
	l := new(Log)
	for _, f := range []Frame{
		frame("dice", true, 0, request("0", "tools/list", "")),
		frame("dice", false, 3, `{"id":0,"result":{"tools":[{"name":"roll", "inputSchema":{"type":"object"}},{"name":"other"}]}}`),
		frame("dice", true, 10, request("1", "tools/call", "roll")),
		frame("dice", false, 14, `{"id":1,"result":{"content":[{"type":"text","text":"Six"}]}}`),
		frame("dice", true, 20, request("2", "tools/call", "roll")),
		frame("dice", false, 28, `{"id":2,"result":{"isError":true}}`),
		frame("mail", true, 30, request("1", "tools/call", "search")),
		frame("mail", false, 31, `{"method":"notifications/message","params":{}}`),
		frame("mail", false, 32, `{"id":1,"method":"roots/list"}`),
		frame("mail", true, 33, `{"id":1,"error":{"code":-32601,"message":"no"}}`),
	} {
		l.Add(f)
	}
	noise := frame("mail", false, 34, "ready")
	noise.Noise = true
	l.Add(noise)
	l.Add(Frame{Server: "Gemini", Sent: true, Time: start.Add(40*time.Millisecond + 7), Data: []byte(`{"contents":[]}`), Size: 15, Call: &Call{Method: "m:generateContent", ID: "1"}})
	l.Add(Frame{Server: "Gemini", Time: start.Add(45 * time.Millisecond), Data: []byte("quota"), Size: 5, Call: &Call{ID: "1", Code: 429}})
	return l
}

func TestFilters(t *testing.T) {
	for _, tt := range []struct {
		f    Filter
		want int
	}{
		{Filter{}, 8}, {Filter{Server: "dice"}, 3}, {Filter{Method: "tools/call"}, 3}, {Filter{Tool: "roll"}, 2}, {Filter{Errors: true}, 3},
		{Filter{Text: "SIX"}, 1}, {Filter{Text: "nowhere"}, 0}, {Filter{Server: "mail", Errors: true}, 1}, {Filter{Server: "Gemini", Method: "m:generateContent", Errors: true}, 1},
	} {
		if got := sample().Entries(tt.f); len(got) != tt.want {
			t.Errorf("%+v selects %d entries, want %d", tt.f, len(got), tt.want)
		}
	}
}

func TestFigures(t *testing.T) {
	got := sample().Figures(Filter{})
	want := []Figures{
		{Server: "dice", Tool: "roll", Calls: 2, Answered: 2, Errors: 1, Mean: 6 * time.Millisecond, P50: 4 * time.Millisecond, P99: 8 * time.Millisecond, Success: 0.5,
			Tokens: (len(`{"name":"roll","inputSchema":{"type":"object"}}`) + 3) / 4, Last: start.Add(20 * time.Millisecond)},
		{Server: "mail", Tool: "search", Calls: 1, Last: start.Add(30 * time.Millisecond)},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if got := sample().Figures(Filter{Tool: "search"}); len(got) != 1 || got[0].Server != "mail" {
		t.Errorf("%+v", got)
	}
	var l Log
	for i := range 3000 { // the percentiles use the newest 1,000
		l.Add(frame("s", true, 10_000*i, request(fmt.Sprint(i), "tools/call", "x")))
		l.Add(frame("s", false, 10_000*i+i, fmt.Sprintf(`{"id":%d,"result":{}}`, i)))
	}
	if f := l.Figures(Filter{})[0]; f.Calls != 3000 || f.P50 != 2499*time.Millisecond || f.P99 != 2989*time.Millisecond || f.Mean != 1499500*time.Microsecond {
		t.Errorf("%+v", f)
	}
}

// An export can be imported without loss: frames, times to the nanosecond, pairs, statistics.
func TestExportIsImported(t *testing.T) {
	from, to := sample(), new(Log)
	var file bytes.Buffer
	if err := from.Export(&file, Filter{}); err != nil {
		t.Fatal(err)
	}
	frames, err := Import(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		to.Add(f)
	}
	var again bytes.Buffer
	if err := to.Export(&again, Filter{}); err != nil || len(frames) != 13 {
		t.Fatalf("%d frames, %v", len(frames), err)
	}
	normal := func(b bytes.Buffer) string { return strings.ReplaceAll(b.String(), start.UTC().Format("Z07:00"), "") }
	a, b := normal(file), normal(again)
	if i := strings.Index(a, `"metrics"`); a[:i] != b[:strings.Index(b, `"metrics"`)] {
		t.Errorf("%s\nbecomes\n%s", a, b)
	}
	if len(to.Figures(Filter{})) != 2 || to.Figures(Filter{})[0].Mean != 6*time.Millisecond {
		t.Errorf("%+v", to.Figures(Filter{}))
	}
	for _, part := range []string{`"messageCount": 13`, `"timestamp": 1700000000040.000007`, `"direction": "incoming"`, `"start": 1700000000000,`} {
		if !strings.Contains(a, part) {
			t.Errorf("the export lacks %s\n%s", part, a)
		}
	}
}

// Import reads a file of seed 004's own inspector. For a damaged file, the error names the place.
func TestImport(t *testing.T) {
	frames, err := Import(strings.NewReader(`{"session":{"start":1700000000000,"end":1700000000000,"messageCount":1},
		"messages":[{"timestamp":1700000000000,"direction":"outgoing","message":{"id":1,"method":"tools/call","params":{"name":"planner"}},"size":66}]}`))
	if err != nil || len(frames) != 1 || !frames[0].Time.Equal(start) || read(frames[0]).tool != "planner" {
		t.Errorf("%+v, %v", frames, err)
	}
	for file, says := range map[string]string{
		"":              "empty",
		"hello":         "not JSON: byte 1",
		`{"messages":[`: "ends in the middle",
		`{"x":1}`:       `no "messages"`,
		`[]`:            "not an export",
		`{"messages":[{"direction":"incoming"}]}`:                                                "message 1",
		`{"messages":[{"timestamp":1,"direction":"incoming"},{"timestamp":2,"direction":"up"}]}`: `message 2: its direction is "up"`,
		`{"messages":[{"timestamp":1e999999999,"direction":"incoming"}]}`:                        "message 1",
		`{"messages":[{"timestamp":99999999999999999999,"direction":"incoming"}]}`:               "too large",
	} {
		if _, err := Import(strings.NewReader(file)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", file, err, says)
		}
	}
}

// A copied command passes exactly the arguments of the call through the shell to goated.
func TestCommand(t *testing.T) {
	call := func(data string) (string, error) {
		var l Log
		e, _ := l.Add(frame("s", true, 0, data))
		return e.Command("--server", "./my dice.py")
	}
	got, err := call(`{"id":1,"method":"tools/call","params":{"name":"roll","arguments":{"t": "it's $HOME \"x\"\n","n":12345678901234567890}}}`)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", `goated() { printf '%s\n' "$@"; }; `+got).Output()
	want := "call\nroll\n--args\n" + `{"t":"it's $HOME \"x\"\n","n":12345678901234567890}` + "\n--server\n./my dice.py\n"
	if err != nil || string(out) != want {
		t.Errorf("%s\ngives %q, %v", got, out, err)
	}
	for _, data := range []string{`{"id":1,"method":"ping"}`, `{"id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":"cut`} {
		if got, err := call(data); err == nil {
			t.Errorf("%s becomes %s", data, got)
		}
	}
	if got, err := call(`{"id":1,"method":"tools/call","params":{"name":"-rf;x"}}`); err != nil || got != `goated call --args '{}' --server './my dice.py' -- '-rf;x'` {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := call("{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\u202ey\"}}"); err != nil || got != `goated call $'x\xe2\x80\xaey' --server './my dice.py'` {
		t.Errorf("a name with a hidden character: %q, %v", got, err)
	}
}

// A request to a model and its streamed response form a pair. No frame contains the key.
func TestModelRequestsAreReported(t *testing.T) {
	long := strings.Repeat("é", maxModel)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/v1/models/m:fail" {
			http.Error(w, "quota of s3cret", http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, long)
	}))
	defer s.Close()
	var l Log
	hide := func(s string) string { return strings.ReplaceAll(s, "s3cret", "[secret]") }
	c := &http.Client{Transport: &Model{Name: "Gemini", Next: http.DefaultTransport, Redact: hide, Report: func(f Frame) { l.Add(f) }}}
	for _, method := range []string{"m:ok", "m:fail"} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/models/"+method, strings.NewReader(`{"key":"s3cret"}`))
		req.Header.Set("x-goog-api-key", "s3cret")
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(resp.Body); err != nil || method == "m:ok" && string(body) != long {
			t.Errorf("%d bytes, %v", len(body), err)
		}
		_ = resp.Body.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/m:gone", strings.NewReader("{}"))
	if _, err := c.Do(req); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	got := l.Entries(Filter{})
	if len(got) != 3 || got[0].Method != "m:ok" || got[0].Outcome != OK || got[0].Answer.Size != len(long) || len(got[0].Answer.Data) > maxModel || string(got[0].Request.Data) != `{"key":"[secret]"}` {
		t.Fatalf("%d entries, %.300v", len(got), got)
	}
	if got[1].Code != 429 || string(got[1].Answer.Data) != "quota of [secret]\n" || got[2].Outcome != Failed {
		t.Errorf("%+v", got[1:])
	}
}

// Calls whose result goated could not use counted as successes: calls whose response is not a
// result, and calls beyond the time limit.
func TestCallsWithoutAUsableAnswerAreErrors(t *testing.T) {
	l := new(Log)
	for i, answer := range []string{
		`{"id":0,"result":{"content":[{"type":"text","text":"ok"}]}}`,
		`{"id":1,"result":{"content":[{"type":"text","text":42}]}}`,
		`{"id":2,"result":{"content":"ok"}}`,
		`{"id":3,"result":{"isError":"true"}}`,
		`{"id":4,"result":{"content":[]}`,
		``,
		``,
	} {
		l.Add(frame("dice", true, 10*i, request(fmt.Sprint(i), "tools/call", "roll")))
		if answer != "" {
			l.Add(frame("dice", false, 10*i+4, answer))
		}
	}
	l.Add(frame("dice", true, 70, `{"method":"notifications/cancelled","params":{"requestId":5,"reason":"Tool execution timeout after 60 seconds"}}`))
	l.Add(frame("dice", true, 71, `{"method":"notifications/cancelled","params":{"requestId":6,"reason":"context canceled"}}`))
	var got []Outcome
	for _, e := range l.Entries(Filter{Method: "tools/call"}) {
		got = append(got, e.Outcome)
	}
	if want := []Outcome{OK, Malformed, Malformed, Malformed, Malformed, TimedOut, Cancelled}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := len(l.Entries(Filter{Errors: true})); n != 5 {
		t.Errorf("%d entries are errors", n)
	}
	if f := l.Figures(Filter{}); len(f) != 1 || f[0].Calls != 7 || f[0].Answered != 5 || f[0].Errors != 5 || f[0].Success != 1.0/6 {
		t.Errorf("%+v", f)
	}
}
