package geminitest_test

import (
	"fmt"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// recorder is a testing.TB that records failures.
type recorder struct {
	testing.TB
	errors   []string
	cleanups []func()
}

func (r *recorder) Helper()          {}
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// finish runs the cleanups and returns the failures.
func (r *recorder) finish() string {
	for _, f := range r.cleanups {
		f()
	}
	return strings.Join(r.errors, "\n")
}

const (
	good = `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`
	bad  = `{"contents":[]}`
)

func TestReport(t *testing.T) {
	for _, test := range []struct {
		name string
		use  func(*geminitest.Server)
		want string // empty if the test passes
	}{
		{"refusal", func(s *geminitest.Server) { post(t, s, generatePath, bad) }, "contents is not specified"},
		{"expected refusal", func(s *geminitest.Server) { s.ExpectRefusals(); post(t, s, generatePath, bad) }, ""},
		{"no reply", func(s *geminitest.Server) { post(t, s, generatePath, good) }, "no reply was scripted"},
		{"no reply, refusals expected", func(s *geminitest.Server) { s.ExpectRefusals(); post(t, s, generatePath, good) }, "no reply was scripted"},
		{"unknown path", func(s *geminitest.Server) { post(t, s, "/v1/models", good) }, "is not a method"},
		{"reply left over", func(s *geminitest.Server) { s.Script(geminitest.Text("a")); s.Done() }, "1 scripted replies"},
		{"reply left over, not asked", func(s *geminitest.Server) { s.Script(geminitest.Text("a")) }, ""},
		{"all well", func(s *geminitest.Server) {
			s.Script(geminitest.Text("a"))
			post(t, s, generatePath, good)
			s.Done()
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &recorder{TB: t}
			test.use(geminitest.New(r))
			got := r.finish()
			if (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
				t.Errorf("failures %q, want %q", got, test.want)
			}
		})
	}
}

func TestRefusedRequestTakesNoReply(t *testing.T) {
	s := geminitest.New(t)
	s.ExpectRefusals()
	s.Script(geminitest.Text("a"))
	post(t, s, generatePath, bad)
	if s.Pending() != 1 {
		t.Errorf("%d replies pending", s.Pending())
	}
	if r := s.Requests(); len(r) != 1 || !strings.Contains(r[0].Refusal, "contents is not specified") {
		t.Errorf("requests = %+v", r)
	}
}

const generatePath = "/v1beta/models/" + modelID + ":generateContent"
