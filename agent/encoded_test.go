package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// A request has its contents and tools in the place of the marks, however a message
// looks.
func TestPayloadFillsTheRequest(t *testing.T) {
	e := &encoder{}
	history := []*genai.Content{genai.NewContentFromText(`say "goated:contents" and "goated:tools"`, genai.RoleUser), genai.NewContentFromText("é", genai.RoleModel)}
	tools := []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{Name: "f", Description: `"goated:contents"`}}}}
	for range 2 { // the second time from memory
		p, err := e.encode(history, tools)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(&piecesReader{fill([]byte(`{"contents":"goated:contents","tools":"goated:tools","x":1}`), p)})
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Contents []*genai.Content
			Tools    []*genai.Tool
			X        int
		}
		if err := json.Unmarshal(body, &got); err != nil || !reflect.DeepEqual(got.Contents, history) || !reflect.DeepEqual(got.Tools, tools) || got.X != 1 {
			t.Errorf("%s, %v", body, err)
		}
	}
}

// The encoder forgets a content that nothing else uses.
func TestEncoderForgets(t *testing.T) {
	e := &encoder{}
	for i := range 100 {
		if _, err := e.encode([]*genai.Content{genai.NewContentFromText(fmt.Sprint(i), genai.RoleUser)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(5 * time.Second); ; {
		runtime.GC()
		e.contents.mu.Lock()
		left := len(e.contents.bodies)
		e.contents.mu.Unlock()
		if left <= 1 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d contents are still known", left)
		}
		runtime.Gosched()
	}
}

// stepsServer answers n steps with a call each, then with text.
func stepsServer(b *testing.B, n int) *geminitest.Server {
	s, err := geminitest.Start(geminitest.DefaultKey)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Close)
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		if len(r.Contents) > 2*n {
			return geminitest.Text("Done.")
		}
		return geminitest.Call("box__t", map[string]any{"n": len(r.Contents)})
	})
	return s
}

// The work of goated itself for one request of a conversation with n steps behind it:
// its contents and its tools, without the network.
func BenchmarkRequest(b *testing.B) {
	for _, n := range []int{50, 200} {
		b.Run(fmt.Sprintf("history=%d", n), func(b *testing.B) {
			session := &Session{Tools: tools(echo, names(100)...)}
			for i := range n {
				session.history = append(session.history,
					&genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{{FunctionCall: &genai.FunctionCall{ID: fmt.Sprint(i), Name: "box__t000", Args: map[string]any{"n": i}}}}},
					&genai.Content{Role: genai.RoleUser, Parts: []*genai.Part{{FunctionResponse: &genai.FunctionResponse{ID: fmt.Sprint(i), Name: "box__t000", Response: map[string]any{"output": strings.Repeat("x", 200)}}}}})
			}
			t := &turn{Session: session, yield: func(Event, error) bool { return true }}
			e := &encoder{}
			b.ReportAllocs()
			for b.Loop() {
				t.fit()
				config := t.config("")
				p, err := e.encode(t.contents(), config.Tools)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, &piecesReader{fill([]byte(`{"contents":"goated:contents","tools":"goated:tools"}`), p)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// One step of a turn with 50 or 200 steps against the local service, which also reads
// and checks each request.
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{50, 200} {
		b.Run(fmt.Sprintf("steps=%d", n), func(b *testing.B) {
			s := stepsServer(b, n)
			g, err := NewGemini(b.Context(), GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL})
			if err != nil {
				b.Fatal(err)
			}
			box := tools(echo, "t")
			began, steps := time.Now(), 0
			for b.Loop() {
				session := &Session{Model: g, Tools: box, Policy: &Policy{AllowAll: true}, MaxSteps: 2 * n}
				for _, err := range session.Send(b.Context(), genai.NewPartFromText("go")) {
					if err != nil {
						b.Fatal(err)
					}
				}
				steps += n
			}
			b.ReportMetric(float64(time.Since(began).Microseconds())/float64(steps), "µs/step")
		})
	}
}

// Pieces of any size come out as they went in.
func TestPieces(t *testing.T) {
	var want bytes.Buffer
	var pieces [][]byte
	for i := range 40 {
		piece := bytes.Repeat([]byte{byte(i)}, i%7)
		want.Write(piece)
		pieces = append(pieces, piece)
	}
	got, err := io.ReadAll(io.LimitReader(&piecesReader{pieces}, 1000))
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes of %d, %v", len(got), want.Len(), err)
	}
}
