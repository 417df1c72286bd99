//go:build linux

// Command reach connects popular servers in the sandbox, each with the command in its README, and
// makes one useful call of each against local stand-ins. It prints a table with the connection, the
// tools, the call, the questions that goated asked, and the permissions that answered them.
//
// It owns the table of servers. It installs nothing itself: npx and uvx install packages in the
// sandbox, as for users.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/launch"
	"goated/internal/proc"
	"goated/internal/sandbox"
	"goated/internal/wording"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "keep" {
		proc.Keep()
	}
	only := flag.String("only", "", "run only the servers whose names contain this")
	data := flag.String("data", "", "keep the packages of the servers in this folder; empty: in a temporary one")
	verbose := flag.Bool("v", false, "print errors and results")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *only, *data, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "reach:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only, data string, verbose bool) error {
	place := ""
	if data != "" { // always at the same path, because some servers have it in their arguments
		place, data = filepath.Join(data, "world"), filepath.Join(data, "servers")
		if err := os.RemoveAll(place); err != nil {
			return err
		}
	}
	w, err := newWorld(place)
	if err != nil {
		return err
	}
	defer w.close()
	if data == "" {
		data = filepath.Join(w.dir, "servers")
	}
	// Servers must not write into the user's home folder.
	if err := os.Setenv("HOME", w.fill("{home}")); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "server\tconnected\ttools\tdeclared\tcall\tquestions\tpermissions\tseconds")
	for _, list := range [][]server{servers, further} {
		var sum totals
		for _, s := range list {
			if !strings.Contains(s.name, only) || ctx.Err() != nil {
				continue
			}
			r := w.try(ctx, client.Options{Data: data, Process: client.ProcessOptions{Keeper: []string{self, "keep"}}}, s, s.line, true)
			sum.add(r)
			fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%d\t%s\t%.1f\n", s.name, mark(r.connected), r.tools, mark(r.connected && r.undeclared == nil), r.call(), r.questions, strings.Join(r.allowed, ", "), r.took.Seconds())
			if verbose {
				_ = table.Flush()
				if r.undeclared != nil {
					fmt.Println("    " + r.undeclared.Error())
				}
				for _, line := range r.log {
					fmt.Println("    " + line)
				}
			}
		}
		_ = table.Flush()
		if sum.all > 0 {
			fmt.Println(sum)
		}
	}
	return nil
}

// A result is one row of the table.
type result struct {
	server
	connected bool
	tools     int
	// undeclared is the reason why a model cannot get one of the tools.
	undeclared error
	called     bool
	questions  int
	allowed    []string
	took       time.Duration
	log        []string
}

func (r result) call() string {
	if r.called {
		return r.tool
	}
	return "failed: " + r.tool
}

func mark(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}

type totals struct{ all, connected, declared, called, easy int }

func (t *totals) add(r result) {
	t.all++
	if r.connected {
		t.connected++
		if r.undeclared == nil {
			t.declared++
		}
	}
	if r.called {
		t.called++
		if r.questions <= 1 {
			t.easy++
		}
	}
}

func (t totals) String() string {
	return fmt.Sprintf("%d servers: %d connect, the tools of %d are declared to the model, %d do the call, %d of them with at most one question.", t.all, t.connected, t.declared, t.called, t.easy)
}

// maxQuestions bounds the questions for one server.
const maxQuestions = 6

// try connects a server by a command line and makes its call. Each time it fails and goated knows a
// missing permission, try grants that permission and tries again, like a user who answers yes. With
// agreed, the server may install its package from the start, as after "Add and start" on the sheet.
func (w *world) try(ctx context.Context, o client.Options, s server, line string, agreed bool) (r result) {
	r.server = s
	began := time.Now()
	defer func() { r.took = time.Since(began) }()
	h := client.New(o)
	defer h.Close()
	c, bad := w.configOf(s, line, agreed)
	if bad != nil {
		r.log = append(r.log, bad.Error())
		return r
	}
	c.Dir, c.Name = w.fill(s.dir), s.name
	if c.Dir == "" { // not the project, because servers leave files in their working directory
		c.Dir = filepath.Join(w.dir, "scratch", s.name)
		if err := os.MkdirAll(c.Dir, 0o755); err != nil {
			r.log = append(r.log, err.Error())
			return r
		}
	}
	if s.proxied {
		for _, e := range []string{"HTTPS_PROXY={url}", "NODE_EXTRA_CA_CERTS={ca}", "SSL_CERT_FILE={ca}", "REQUESTS_CA_BUNDLE={ca}"} {
			c.Env = append(c.Env, w.fill(e))
		}
	}
	var allowed sandbox.Permissions
	if agreed && (launch.Server{Command: c.Command, Origin: c.Origin()}).Registry() != "" {
		c.Grant.Install = true
		c.Grant.Hosts = launch.Hosts(c.Command, c.Args, c.Env)
		allowed = c.Grant.Permissions()
	}
	_, err := h.Connect(ctx, c)
	restarted := false
	for {
		v, ok := first(h)
		failed := err
		if err == nil {
			r.connected, r.tools, r.undeclared = true, len(v.Tools), declare(ctx, h)
			failed = w.call(ctx, h, v.ID, s, &r)
			if failed == nil {
				r.called = true
				return r
			}
			v, ok = needs(ctx, h)
		}
		r.log = append(r.log, strings.Split(failed.Error(), "\n")...)
		var e *client.Error
		if errors.As(failed, &e) {
			r.log = append(r.log, wording.ReasonText(e))
			if len(e.Stderr) > 12 {
				e.Stderr = e.Stderr[len(e.Stderr)-12:]
			}
			r.log = append(r.log, e.Stderr...)
		}
		asked := 0
		for _, p := range v.Needs {
			p = p.Resolved()
			if !allowed.Has(p) {
				allowed = allowed.With(p)
				r.allowed = append(r.allowed, p.String())
				asked++
			}
		}
		r.questions += asked
		if e != nil && e.Report != nil && e.Report.Cause == diagnose.InstallIncomplete && !restarted { // as its sentence advises
			restarted = true
			err = h.Restart(ctx, v.ID)
			continue
		}
		if !ok || asked == 0 || r.questions > maxQuestions || ctx.Err() != nil {
			return r
		}
		err = h.Allow(ctx, v.ID, allowed.Grant())
	}
}

// needs returns a host's only server after a failed call. The sandbox may report a refusal slightly
// after the result.
func needs(ctx context.Context, h *client.Host) (v client.Server, ok bool) {
	for until := time.Now().Add(2 * time.Second); ctx.Err() == nil && time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if v, ok = first(h); !ok || len(v.Needs) > 0 {
			break
		}
	}
	return v, ok
}

// first returns the only server of a host.
func first(h *client.Host) (client.Server, bool) {
	all := h.Snapshot().Servers
	if len(all) == 0 {
		return client.Server{}, false
	}
	return all[0], true
}

func (w *world) call(ctx context.Context, h *client.Host, id string, s server, r *result) error {
	written, err := json.Marshal(s.args)
	if err != nil {
		return err
	}
	args := make(map[string]any)
	if s.args != nil { // at any depth
		err = json.Unmarshal([]byte(w.fill(string(written))), &args)
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	var names []string
	for e := range h.Tools() {
		names = append(names, e.Tool.Name)
		if e.Server == id && e.Tool.Name == s.tool {
			got, err := h.Call(ctx, e.Name, args, nil)
			if err != nil {
				return err
			}
			text := resultText(got)
			r.log = append(r.log, strings.Split(text[:min(len(text), 400)], "\n")...)
			if want := w.fill(s.want); !strings.Contains(text, want) {
				return fmt.Errorf("the result of %s lacks %q: %.200s", s.tool, want, text)
			}
			return nil
		}
	}
	return fmt.Errorf("there is no tool %s among %s", s.tool, strings.Join(names, ", "))
}
