package geminitest_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
	"goated/internal/waittest"
)

func TestFailures(t *testing.T) {
	for _, test := range []struct {
		name   string
		reply  geminitest.Reply
		chunks int
		code   int
		status string
	}{
		{"rate limit", geminitest.RateLimited(geminitest.RetryInfo(1500 * time.Millisecond)), 0, 429, "RESOURCE_EXHAUSTED"},
		{"bad key", geminitest.BadKey(), 0, 400, "INVALID_ARGUMENT"},
		{"own", geminitest.Fail(500, "INTERNAL", "An internal error has occurred."), 0, 500, "INTERNAL"},
		{"mid-stream", geminitest.Turn(geminitest.Text("hel"), geminitest.Overloaded(), geminitest.Text("lo")), 1, 503, "UNAVAILABLE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := geminitest.New(t)
			s.Script(test.reply)
			chunks, err := converse(t, s).send(t.Context(), say("hi"))
			var ae genai.APIError
			if !errors.As(err, &ae) || ae.Code != test.code || ae.Status != test.status {
				t.Errorf("error = %v", err)
			}
			if len(chunks) != test.chunks {
				t.Errorf("%d chunks", len(chunks))
			}
			if test.code == 429 && ae.Details[0]["retryDelay"] != "1.5s" {
				t.Errorf("details = %v", ae.Details)
			}
			if len(s.Refusals()) > 0 {
				t.Errorf("a scripted failure counts as a refusal: %q", s.Refusals())
			}
		})
	}
}

func TestRetriedRateLimit(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.RateLimited(), geminitest.Text("now"))
	c := converse(t, s)
	delay := 0.001
	c.config.HTTPOptions = &genai.HTTPOptions{RetryOptions: &genai.HTTPRetryOptions{InitialDelay: &delay, Jitter: &delay}}
	chunks, err := c.send(t.Context(), say("hi"))
	if err != nil || chunks[0].Text() != "now" {
		t.Errorf("chunks %v, error %v", chunks, err)
	}
	s.Done()
}

func TestDrop(t *testing.T) {
	for name, reply := range map[string]geminitest.Reply{
		"at once":    geminitest.Drop(),
		"mid-stream": geminitest.Turn(geminitest.Text("hel"), geminitest.Drop()),
	} {
		t.Run(name, func(t *testing.T) {
			s := geminitest.New(t)
			s.Script(reply)
			_, err := converse(t, s).send(t.Context(), say("hi"))
			var ae genai.APIError
			if err == nil || errors.As(err, &ae) {
				t.Errorf("error = %v, want one of the connection", err)
			}
		})
	}
}

func TestMalformed(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Turn(geminitest.Text("hel"), geminitest.Malformed()))
	chunks, err := converse(t, s).send(t.Context(), say("hi"))
	if err == nil || len(chunks) != 1 {
		t.Errorf("%d chunks, error %v", len(chunks), err)
	}
}

func TestUnaryFailures(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Turn(geminitest.Text("hel"), geminitest.Overloaded()),
		geminitest.Malformed(),
		geminitest.Blocked(genai.BlockedReasonOther),
	)
	if res := post(t, s, generatePath, good); res.status != 503 || strings.Contains(res.body, "hel") {
		t.Errorf("answered %d %s", res.status, res.body)
	}
	if res := post(t, s, generatePath, good); res.status != 200 || json.Valid([]byte(res.body)) {
		t.Errorf("answered %d %s", res.status, res.body)
	}
	if res := post(t, s, generatePath, good); !strings.Contains(res.body, `"blockReason":"OTHER"`) {
		t.Errorf("answered %d %s", res.status, res.body)
	}
}

func TestHangEndsWithTheClient(t *testing.T) {
	for name, reply := range map[string]geminitest.Reply{
		"at once":    geminitest.Hang(),
		"mid-stream": geminitest.Turn(geminitest.Text("hel"), geminitest.Hang()),
		"delay":      geminitest.Delay(time.Hour),
	} {
		t.Run(name, func(t *testing.T) {
			s := geminitest.New(t)
			s.Script(reply)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := converse(t, s).send(ctx, say("hi")); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error = %v", err)
			}
		})
	}
}

func TestHangEndsWithTheServer(t *testing.T) {
	s, err := geminitest.Start("k")
	if err != nil {
		t.Fatal(err)
	}
	arrived := make(chan struct{})
	s.Handle(func(geminitest.Request) geminitest.Reply {
		close(arrived)
		return geminitest.Hang()
	})
	client := newClient(t, s, "k")
	ended := make(chan error, 1)
	go func() {
		_, err := client.Models.GenerateContent(context.Background(), modelID, genai.Text("hi"), nil)
		ended <- err
	}()
	waittest.Receive(t, "the request arrives", arrived)
	s.Close()
	s.Close()
	if err := waittest.Receive(t, "the request ends", ended); err == nil {
		t.Error("a cut connection is no answer")
	}
}

func TestKeys(t *testing.T) {
	for _, test := range []struct {
		name, key string
		want      int
		reason    any
	}{
		{"right", "right", 200, nil},
		{"wrong", "wrong", 400, "API_KEY_INVALID"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := geminitest.New(t, geminitest.Key("right"))
			_, err := newClient(t, s, test.key).Models.List(t.Context(), nil)
			if test.want == 200 {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var ae genai.APIError
			if !errors.As(err, &ae) || ae.Code != test.want || ae.Details[0]["reason"] != test.reason {
				t.Errorf("error = %v", err)
			}
			if len(s.Requests()) != 1 || len(s.Refusals()) != 0 {
				t.Errorf("requests %v, refusals %q", s.Requests(), s.Refusals())
			}
		})
	}

	s := geminitest.New(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/v1beta/models", nil)
	if err != nil {
		t.Fatal(err)
	}
	if res := do(t, req); res.status != http.StatusForbidden {
		t.Errorf("without a key: %d %s", res.status, res.body)
	}
}
