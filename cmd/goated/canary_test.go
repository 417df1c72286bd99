//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/client"
	"goated/internal/geminitest"
	"goated/internal/servertest"
	"goated/internal/store"
)

// canary is a key that does not look like one, so that only code that knows it can hide it.
const canary = "canary-7f3a9c5e1b2d4680"

// wires returns URLs to which goated sends the key. They answer in different ways.
func wires(t *testing.T) map[string]string {
	t.Helper()
	script := func(replies ...geminitest.Reply) string {
		s := geminitest.New(t, geminitest.Key(canary))
		s.ExpectRefusals()
		s.Script(replies...)
		return s.URL
	}
	says := "the API key " + canary + " is no good"
	serve := func(f http.HandlerFunc) string {
		s := httptest.NewServer(f)
		t.Cleanup(s.Close)
		return s.URL
	}
	elsewhere := serve(func(w http.ResponseWriter, r *http.Request) {
		var got bytes.Buffer
		_ = r.Header.Write(&got)
		if strings.Contains(got.String()+r.URL.String(), canary) {
			t.Error("the key went to where the server redirected it")
		}
		w.WriteHeader(http.StatusNotFound)
	})
	return map[string]string{
		"success":   script(geminitest.Turn(geminitest.Calls(geminitest.Call("slow__wait", map[string]any{}))), geminitest.Text("Done.")),
		"400":       script(geminitest.Fail(400, "INVALID_ARGUMENT", says), geminitest.Text("the tools are fine")),
		"403":       script(geminitest.Fail(403, "PERMISSION_DENIED", says)),
		"429":       script(geminitest.Fail(429, "RESOURCE_EXHAUSTED", says, geminitest.RetryInfo(10*time.Millisecond)), geminitest.Fail(429, "RESOURCE_EXHAUSTED", says, geminitest.RetryInfo(10*time.Millisecond)), geminitest.Fail(429, "RESOURCE_EXHAUSTED", says, geminitest.RetryInfo(10*time.Millisecond))),
		"500":       script(geminitest.Fail(500, "INTERNAL", says), geminitest.Fail(500, "INTERNAL", says), geminitest.Fail(500, "INTERNAL", says)),
		"cut":       script(geminitest.Turn(geminitest.Text("Half an"), geminitest.Drop())),
		"malformed": script(geminitest.Turn(geminitest.Text("Half an"), geminitest.Malformed())),
		"in stream": script(geminitest.Turn(geminitest.Text("Half an"), geminitest.Fail(503, "UNAVAILABLE", says))),
		"nobody":    "http://127.0.0.1:1",
		"no host":   "http://no-such-host.invalid",
		"no URL":    "http://%zz",
		"no scheme": "::not a url",
		"echo": serve(func(w http.ResponseWriter, r *http.Request) { // like debugging proxies
			w.WriteHeader(http.StatusBadRequest)
			_ = r.Header.Write(w)
		}),
		"garbage": serve(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"candidates\": "+r.Header.Get("X-Goog-Api-Key")+"}\n\n")
		}),
		"redirect": serve(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, strings.Replace(elsewhere, "127.0.0.1", "localhost", 1), http.StatusTemporaryRedirect)
		}),
	}
}

// Not a byte of the key leaves goated, except to Gemini: not in its output, not in its files, and
// not to a server that it starts.
func TestTheKeyStaysInside(t *testing.T) {
	base := newPlace(t)
	slow := base.write("slow.py", servertest.Small(t)+`
import time

server = MCPServer("slow")

@server.tool()
def wait() -> str:
    """Wait."""
    time.sleep(1)
    return "waited"

server.run()
`)
	var all sync.WaitGroup // they mostly wait
	defer all.Wait()
	for _, flags := range [][]string{{"--json", "--verbose"}, {}} {
		for name, url := range wires(t) {
			if len(flags) == 0 && name != "success" && name != "403" && name != "echo" {
				continue // these show the same with the flags
			}
			p := &place{t: t, home: t.TempDir(), project: t.TempDir(), env: slices.Clone(base.env)}
			p.env = append(p.env, "HOME="+p.home, "GEMINI_API_KEY="+canary, "GOOGLE_API_KEY="+canary, "GOOGLE_GEMINI_BASE_URL="+url)
			args := append([]string{"--data", filepath.Join(p.home, "D"), "chat", "-p", "wait", "--yes"}, flags...)
			if name == "success" {
				args = append(args, "--server", slow)
			} else {
				args = append(args, "--no-bundled")
			}
			all.Go(func() { p.chatWatched(name, args) })
		}
	}
}

// chatWatched runs goated and checks its whole output.
func (p *place) chatWatched(name string, args []string) {
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		p.t.Error(err)
		return
	}
	var watch sync.WaitGroup
	watch.Go(func() { p.children(ctx, cmd.Process.Pid, name) })
	_ = cmd.Wait()
	cancel()
	watch.Wait()
	if out.Len() == 0 {
		p.t.Errorf("%s: it said nothing", name)
	}
	p.clean(name+": what it printed", out.Bytes())
	for _, dir := range []string{p.home, p.project} {
		p.cleanFolder(dir)
	}
}

// clean fails the test if a text contains the key, or a useful part of it.
func (p *place) clean(what string, text []byte) {
	p.t.Helper()
	for i := 0; i+10 <= len(canary); i++ {
		if at := bytes.Index(text, []byte(canary[i:i+10])); at >= 0 {
			p.t.Errorf("the key is in %s: …%q…", what, text[max(0, at-100):min(len(text), at+100)])
			return
		}
	}
}

func (p *place) cleanFolder(dir string) {
	p.t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		p.clean(path, data)
		return err
	})
	if err != nil {
		p.t.Error(err)
	}
}

// children checks the environment and the arguments of all child processes until the parent exits.
func (p *place) children(ctx context.Context, parent int, name string) {
	seen := make(map[int]bool)
	for ctx.Err() == nil {
		own, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", parent))
		p.clean("goated's own arguments", own)
		for _, pid := range descendants(parent) {
			args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			if err != nil || len(args) == 0 || bytes.Equal(args, own) {
				continue // it has not started another program yet
			}
			environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
			if err == nil && len(environ) > 0 {
				p.clean("a child's arguments", args)
				p.clean("a child's environment", environ)
				seen[pid] = true
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	if name == "success" && len(seen) < 2 {
		p.t.Errorf("only %d children were looked at", len(seen))
	}
}

func descendants(of int) (all []int) {
	data, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", of))
	for _, path := range data {
		text, _ := os.ReadFile(path)
		for _, field := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				all = append(append(all, pid), descendants(pid)...)
			}
		}
	}
	return all
}

// The key is neither in the history, however the turn ended, nor in the log.
func TestTheKeyIsNotKept(t *testing.T) {
	var all sync.WaitGroup
	defer all.Wait()
	for name, url := range wires(t) {
		p := &place{t: t, home: t.TempDir()}
		all.Go(func() {
			if err := p.keepTurn(url); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			p.cleanFolder(p.home)
		})
	}
}

// keepTurn runs a turn with a model, and saves it and its log in p's home.
func (p *place) keepTurn(url string) error {
	ctx := p.t.Context()
	log, warning := openLog(filepath.Join(p.home, "goated.log"), false, canary)
	if warning != nil {
		return warning
	}
	defer func() { _ = log.file.Close() }()
	model, err := agent.NewGemini(ctx, agent.GeminiOptions{Key: canary, BaseURL: url})
	if err != nil {
		p.clean("the error", []byte(err.Error()))
		return nil
	}
	history, err := store.Open(ctx, filepath.Join(p.home, "history.db"))
	if err != nil {
		return err
	}
	c, err := history.Create(ctx)
	if err != nil {
		return err
	}
	parts := []*genai.Part{genai.NewPartFromText("hello")}
	kept, err := history.Begin(ctx, c.ID, "", parts)
	if err != nil {
		return err
	}
	host := client.New(client.Options{Logger: log.Logger})
	defer host.Close()
	session := &agent.Session{Model: model, Tools: host, Logger: log.Logger}
	var failed error
	for event, err := range session.Send(ctx, parts...) {
		if err == nil {
			if err := kept.Record(ctx, event); err != nil {
				return err
			}
			continue
		}
		failed = err
		p.clean("the error", fmt.Appendf(nil, "%v %+v %#v", err, err, errors.Unwrap(err)))
		log.Error(canary, "error", err, "all", []string{canary}, "at", map[string]any{canary: err})
	}
	if _, err := model.Models(ctx); err != nil {
		p.clean("the error of the models", fmt.Appendf(nil, "%v %+v %#v", err, err, err))
	}
	return errors.Join(kept.Contents(ctx, session.History()), kept.End(ctx, failed), history.Close())
}
