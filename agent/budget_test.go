package agent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent/contents"
	"goated/internal/geminitest"
	"goated/internal/results"
)

func resultStore(t *testing.T) *results.Store {
	return &results.Store{Dir: filepath.Join(t.TempDir(), "results")}
}

// Twenty turns with results or failures of 5 MB make requests of at most 1 MB, with or without a store. The
// beginning of the requests rarely changes.
func TestLargeResultsKeepRequestsSmall(t *testing.T) {
	size := 5 << 20
	if testing.Short() { // the race detector slows the reading of each byte
		size = 1 << 20
	}
	text := strings.Repeat("0123456789abcde\n", size/16)
	for _, tt := range []struct {
		name   string
		keeper ResultStore
		failed error
	}{
		{"store", resultStore(t), nil}, {"none", nil, nil}, {"failures, store", resultStore(t), errors.New(text)}, {"failures, none", nil, errors.New(text)},
	} {
		keeper := tt.keeper
		t.Run(tt.name, func(t *testing.T) {
			s := geminitest.New(t)
			s.Handle(func(r geminitest.Request) geminitest.Reply {
				if contents.IsResponse(r.Contents[len(r.Contents)-1]) {
					return geminitest.Text("Done.")
				}
				return geminitest.Call("box__x", nil)
			})
			box := tools(func(context.Context, string, map[string]any) (string, error) { return text, tt.failed }, "x")
			session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), Results: keeper}
			trims := 0
			for range 20 {
				events, err := collect(t.Context(), session, "again")
				if err != nil {
					t.Fatal(err)
				}
				trims += len(only[ContextTrimmed](events))
			}
			for i, r := range s.Requests() {
				if len(r.Body) > 1<<20 {
					t.Fatalf("request %d has %d bytes", i, len(r.Body))
				}
			}
			if keeper == nil && (trims == 0 || trims > 15) || keeper != nil && trims > 0 {
				t.Errorf("it trimmed %d times", trims)
			}
			if n := len(session.History()); n != 80 {
				t.Errorf("the history has %d contents", n)
			}
		})
	}
}

// The model reads a large result page by page, searches it, and passes the whole result to another
// tool.
func TestModelUsesALargeResult(t *testing.T) {
	var long strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&long, "line %d of the log ✓\n", i)
	}
	s := geminitest.New(t)
	id := ""
	step := 0
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		last := r.Contents[len(r.Contents)-1].Parts[0]
		said := ""
		if last.FunctionResponse != nil {
			said, _ = last.FunctionResponse.Response["output"].(string)
		}
		step++
		switch step {
		case 1:
			return geminitest.Call("box__log", nil)
		case 2:
			id = regexp.MustCompile(`Its id is ([0-9a-f]{12})`).FindStringSubmatch(said)[1]
			if len(said) > 16<<10 || !strings.HasPrefix(said, "line 0 of") {
				t.Errorf("the model gets %d bytes at first", len(said))
			}
			return geminitest.Call("search_result", map[string]any{"id": id, "query": "LINE 1999\\d "})
		case 3:
			if !strings.Contains(said, "line 19991, offset ") || !strings.Contains(said, "[10 of 20000 lines match.]") {
				t.Errorf("the search returns %q", said)
			}
			return geminitest.Call("read_result", map[string]any{"id": id, "offset": 100000})
		case 4:
			if !strings.Contains(said, "[Bytes 100000 to ") && !strings.Contains(said, "[Bytes 9999") {
				t.Errorf("the page ends with %q", said[len(said)-80:])
			}
			return geminitest.Call("read_result", map[string]any{"id": "ffffffffffff"})
		case 5:
			if failed, _ := last.FunctionResponse.Response["error"].(string); !strings.Contains(failed, "no result with this id") {
				t.Errorf("an unknown id gives %v", last.FunctionResponse.Response)
			}
			return geminitest.Call("box__save", map[string]any{"to": []any{map[string]any{"text": "result://" + id}}})
		}
		return geminitest.Text("Saved.")
	})
	saved := ""
	box := tools(func(_ context.Context, tool string, args map[string]any) (string, error) {
		if tool == "save" {
			saved, _ = args["to"].([]any)[0].(map[string]any)["text"].(string)
			return "ok", nil
		}
		return long.String(), nil
	}, "log", "save")
	asked := map[string]int{}
	session := &Session{Model: gemini(t, s), Tools: box, Results: resultStore(t), Approve: each(func(_ context.Context, c ToolCalled) (Decision, error) {
		asked[c.Name]++
		return AllowOnce, nil
	})}
	events, err := collect(t.Context(), session, "save the log")
	if err != nil {
		t.Fatal(err)
	}
	if saved != long.String() {
		t.Errorf("the tool got %d bytes", len(saved))
	}
	if len(asked) != 2 {
		t.Errorf("the user was asked about %v", asked)
	}
	for _, c := range only[ToolCalled](events) {
		if c.Tool == "save" && len(fmt.Sprint(c.Args)) > 100 {
			t.Error("the user was shown the whole result instead of the reference")
		}
	}
	restored := &Session{Model: session.Model, Tools: box, Results: session.Results}
	restored.Restore(session.History())
	if !restored.hasStored {
		t.Error("a restored session can't read the result")
	}
}

// Requests leave out images of a wrong type, and do not grow beyond the limit if there are many
// images.
func TestImagesAreBounded(t *testing.T) {
	picture := func(side int) []byte {
		var out bytes.Buffer
		noise := image.NewGray(image.Rect(0, 0, side, side))
		random := rand.New(rand.NewPCG(1, 2))
		for i := range noise.Pix {
			noise.Pix[i] = byte(random.Uint32())
		}
		_ = (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&out, noise) // noise does not compress
		return out.Bytes()
	}
	for name, content := range map[string]*mcp.ImageContent{
		"bitmap":  {Data: []byte("BM not for models"), MIMEType: "image/png"},
		"broken":  {Data: picture(10)[:20], MIMEType: "image/png"},
		"archive": {Data: []byte("PK\x03\x04"), MIMEType: "image/jpeg"},
	} {
		r := responseTo(t, &mcp.CallToolResult{Content: []mcp.Content{content}})
		if said, _ := r.Response["output"].(string); len(r.Parts) > 0 || !strings.Contains(said, "can't be passed on") {
			t.Errorf("%s: the model gets %v and %d images", name, r.Response, len(r.Parts))
		}
	}
	if r := responseTo(t, &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: picture(10), MIMEType: "image/jpg"}}}); len(r.Parts) != 1 || r.Parts[0].InlineData.MIMEType != "image/png" {
		t.Errorf("an image with a wrong type is %+v", r)
	}

	s := geminitest.New(t)
	s.Handle(func(r geminitest.Request) geminitest.Reply { return geminitest.Text("I see.") })
	session := &Session{Model: gemini(t, s), Tools: tools(echo)}
	large := picture(2600) // two are too many
	trimmed := 0
	const turns = 2
	for range turns {
		for e, err := range session.Send(t.Context(), genai.NewPartFromText("look"), genai.NewPartFromBytes(large, "image/png")) {
			if err != nil {
				t.Fatal(err)
			}
			if c, ok := e.(ContextTrimmed); ok && c.Media > 0 {
				trimmed++
			}
		}
	}
	if trimmed == 0 || len(large)*turns < maxMedia {
		t.Errorf("%d images of %d bytes were trimmed %d times", turns, len(large), trimmed)
	}
}

// Only a limited number of calls of one server run at a time. Other servers do not wait for them.
func TestParallelCallsOfAServer(t *testing.T) {
	s := geminitest.New(t)
	var calls []geminitest.Reply
	for i := range 40 {
		calls = append(calls, geminitest.Call("box__x", map[string]any{"n": i}))
	}
	s.Script(geminitest.Calls(calls...), geminitest.Text("Done."))
	var mu sync.Mutex
	var once sync.Once
	running, most := 0, 0
	full := make(chan struct{}) // closed once the maximum number of calls run
	box := tools(func(ctx context.Context, _ string, args map[string]any) (string, error) {
		mu.Lock()
		running++
		if most = max(most, running); running == 4 {
			once.Do(func() { close(full) })
		}
		mu.Unlock()
		select {
		case <-full:
		case <-time.After(10 * time.Second):
		case <-ctx.Done():
		}
		time.Sleep(5 * time.Millisecond) // time in which one call too many would start
		mu.Lock()
		running--
		mu.Unlock()
		return fmt.Sprint(args["n"]), nil
	}, "x")
	session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), Parallel: 4}
	if _, err := collect(t.Context(), session, "go"); err != nil {
		t.Fatal(err)
	}
	if most != 4 || len(box.Calls) != 40 {
		t.Errorf("%d calls ran at a time, %d in all", most, len(box.Calls))
	}
	for i, p := range session.History()[2].Parts {
		if p.FunctionResponse.Response["output"] != fmt.Sprint(i) {
			t.Errorf("response %d is %v", i, p.FunctionResponse.Response)
		}
	}
}

// The model can read all pages of a result that is not UTF-8, including its bytes.
func TestPagesOfBytes(t *testing.T) {
	keeper := resultStore(t)
	text := bytes.Repeat([]byte{0x80}, 3*resultPageSize)
	id, err := keeper.Put(text)
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{Results: keeper}
	for _, offset := range []int{0, 1, resultPageSize, 3*resultPageSize - 1} {
		said, err := s.readResult(map[string]any{"id": id, "offset": float64(offset)})
		if end := min(offset+resultPageSize, len(text)); err != nil || !strings.Contains(said, fmt.Sprintf("ytes %d to %d of %d", offset, end, len(text))) {
			t.Errorf("at %d: %q, %v", offset, said[max(0, len(said)-100):], err)
		}
	}
}

// An old result keeps the note about its stored text, even if the note about a removed image
// follows. A result that only quotes the beginning of such a note is stored and shortened like any
// other.
func TestTrimmedResultsAreShort(t *testing.T) {
	keeper := resultStore(t)
	turn := &turn{Session: &Session{Results: keeper}}
	whole := strings.Repeat("é", largeResultSize)
	shown := turn.shorten(whole, false)
	id := strings.Fields(shown[strings.LastIndex(shown, "Its id is "):])[3]
	id = strings.TrimSuffix(id, ".")
	other := strings.Repeat("a", 1000) + continuesNote + " and on, " + strings.Repeat("b", 5000)
	for name, tt := range map[string]struct{ said, whole string }{
		"stored":                    {shown, whole},
		"stored, without its image": {shown + "\n[removed to save space: image/png]", whole},
		"a note in the text":        {other, other},
		"a quoted note":             {"The log has:" + shown[strings.LastIndex(shown, continuesNote):] + "\n" + strings.Repeat("c", 5000), ""},
	} {
		short := turn.storedNote(tt.said)
		if len(short) >= stubSize {
			t.Errorf("%s: %d bytes stay of %d", name, len(short), len(tt.said))
		}
		if again := turn.storedNote(short); len(again) >= stubSize {
			t.Errorf("%s: %d bytes stay the second time", name, len(again))
		}
		at := strings.LastIndex(short, "Its id is ")
		if at < 0 {
			t.Errorf("%s: %q has no id", name, short)
			continue
		}
		kept := strings.TrimSuffix(strings.Fields(short[at:])[3], ".")
		text, err := keeper.Get(kept)
		if want := cmp.Or(tt.whole, tt.said); err != nil || string(text) != want {
			t.Errorf("%s: the id %s has %d bytes, want %d: %v", name, kept, len(text), len(want), err)
		}
		if name == "stored" && kept != id {
			t.Errorf("%s: the id is %s, want %s", name, kept, id)
		}
	}
}
