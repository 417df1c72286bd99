package geminitest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"goated/internal/geminitest"
)

const streamPath = "/v1beta/models/" + modelID + ":streamGenerateContent?alt=sse"

// Each documented error arrives with its status, and none of them counts as a refusal.
func TestDocumentedFailures(t *testing.T) {
	for _, f := range geminitest.Failures() {
		s := geminitest.New(t)
		s.Script(f.Reply, f.Reply)
		var code int
		if _, err := fmt.Sscan(f.Name, &code); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{generatePath, streamPath} {
			if res := post(t, s, path, good); res.status != code || res.body == "" {
				t.Errorf("%s: answered %d %s", f.Name, res.status, res.body)
			}
		}
		if len(s.Refusals()) > 0 {
			t.Errorf("%s counts as a refusal", f.Name)
		}
		s.Done()
	}
}

// A stream that is cut after n bytes has exactly n bytes. A stream that ends early ends normally.
func TestCutAtEachByte(t *testing.T) {
	s := geminitest.New(t)
	whole := func(first geminitest.Reply) geminitest.Reply {
		return geminitest.Turn(first, geminitest.Text("hel", "lo"))
	}
	s.Script(whole(geminitest.Reply{}))
	all := post(t, s, streamPath, good).body
	for n := 0; n < len(all); n += 7 {
		s.Script(whole(geminitest.CutAfter(n)), whole(geminitest.EndAfter(n)))
		for _, quiet := range []bool{false, true} {
			request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+streamPath, strings.NewReader(good))
			request.Header.Set("X-Goog-Api-Key", geminitest.DefaultKey)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				if quiet || n > 0 {
					t.Errorf("after %d bytes: %v", n, err)
				}
				continue
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if len(body) != n || (err == nil) != quiet {
				t.Errorf("%d bytes of %d, %v", len(body), n, err)
			}
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestSlowAndRepeated(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Turn(geminitest.Slow(5*time.Millisecond), geminitest.Repeated(), geminitest.Text("a", "b")))
	start := time.Now()
	body := post(t, s, streamPath, good).body
	if strings.Count(body, `"text":"a"`) != 2 || strings.Count(body, `"STOP"`) != 2 {
		t.Errorf("not repeated: %s", body)
	}
	if time.Since(start) < 15*time.Millisecond {
		t.Error("not slow")
	}
}

func TestUnfinishedHasNoFinishReason(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Turn(geminitest.Text("a"), geminitest.Unfinished()))
	if body := post(t, s, streamPath, good).body; strings.Contains(body, "finishReason") || !strings.Contains(body, `"a"`) {
		t.Errorf("answered %s", body)
	}
}
