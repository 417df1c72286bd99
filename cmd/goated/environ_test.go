package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"goated/client"
	"goated/internal/config"
	"goated/internal/servertest"
)

// A server of --server gets the variables of --env. With a wrong --env, nothing starts.
func TestServersAreGivenTheEnvironment(t *testing.T) {
	p := newPlace(t)
	p.write("shade.js", "if (process.env.SHADE !== 'light green') { console.error('no shade'); process.exit(3) }\nrequire('./dice.js')\n")
	dice, err := os.ReadFile(servertest.Dice())
	if err != nil {
		t.Fatal(err)
	}
	p.write("dice.js", string(dice)) // a server may read its own folder
	script := filepath.Join(p.project, "shade.js")
	out, aside, code := p.run("tools", "--no-bundled", "--no-sandbox", "--server", script, "--env", "SHADE=light green")
	if code != 0 || !strings.Contains(out, "roll") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if _, aside, code := p.run("tools", "--no-bundled", "--no-sandbox", "--server", script); code == 0 || !strings.Contains(aside, "no shade") {
		t.Errorf("without it: status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("tools", "--server", script, "--env", "NOT_THERE_AT_ALL"); code == 0 || !strings.Contains(aside, "--env NOT_THERE_AT_ALL=value") {
		t.Errorf("status %d\n%s", code, aside)
	}
}

func TestSecretsComeFromTheKeyring(t *testing.T) {
	keyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	if err := keyring.Set(keyService, "server-1", "s3cret"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "goated.log")
	log, err := openLog(path, false)
	if err != nil {
		t.Fatal(err)
	}
	a := &app{log: log}
	c := a.withSecrets(client.Config{Command: "node"}, config.Launch{
		Env:     []config.Variable{{Name: "TOKEN", Ref: "server-1"}, {Name: "SHADE", Value: "green"}, {Name: "KEY", Ref: "server-2"}},
		Headers: []config.Variable{{Name: "X-Shade", Value: "red"}},
	})
	if !slices.Equal(c.Env, []string{"TOKEN=s3cret", "SHADE=green", "KEY="}) || !slices.Equal(c.Headers, []string{"X-Shade=red"}) {
		t.Errorf("%q, %q", c.Env, c.Headers)
	}
	if err := c.Check(); err == nil || !strings.Contains(err.Error(), "the value of KEY can't be read: the keyring does not have it") {
		t.Errorf("the server starts without KEY: %v", err)
	}
	c, lost := withoutMissing(c)
	if err := c.Check(); !slices.Equal(c.Env, []string{"TOKEN=s3cret", "SHADE=green"}) || errors.As(err, new(*client.MissingValues)) {
		t.Errorf("in a terminal, it starts with %q: %v", c.Env, err)
	}
	if want := "the value of KEY can't be read: the keyring does not have it. Start the server in the window to enter it"; lost == nil || lost.Error() != want {
		t.Errorf("a terminal says: %v", lost)
	}
	log.keepAll([]string{"PASSWORD=two\nlines", "SHADE=light green"})
	log.Info("a server said", "stderr", "TOKEN is s3cret, PASSWORD is two\nlines, SHADE is light green")
	log.close()
	got, err := os.ReadFile(path)
	if s := string(got); err != nil || !strings.Contains(s, "TOKEN is [secret], PASSWORD is [secret], SHADE is light green") {
		t.Errorf("logged is %s, %v", s, err)
	}
}

// If a keyring accepts the connection but never answers, goated waits only once. It reports the
// missing values for each server that needs them. The disk contains nothing of a secret except the
// name by which the keyring knows it.
func TestSilentKeyring(t *testing.T) {
	p := newPlace(t)
	socket := filepath.Join(t.TempDir(), "bus")
	bus, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	dice, err := os.ReadFile(servertest.Dice())
	if err != nil {
		t.Fatal(err)
	}
	script := p.write("dice.js", string(dice))
	var env []config.Variable
	for _, name := range []string{"A_TOKEN", "B_TOKEN", "C_TOKEN", "D_TOKEN"} {
		env = append(env, config.Variable{Name: name, Ref: "server-" + name})
	}
	data := filepath.Join(p.home, "data")
	o := &options{data: data}
	if err := o.settingsStore().Save(config.Settings{Launch: []config.Launch{{Path: script, Env: env}}}); err != nil {
		t.Fatal(err)
	}
	p.env = append(p.env, "GEMINI_API_KEY=", "DBUS_SESSION_BUS_ADDRESS=unix:path="+socket)
	began := time.Now()
	out, aside, code := p.run("tools", "--no-bundled", "--no-sandbox", "--data", data)
	// goated waits once for Gemini's key, and once for everything that the server needs. Separate
	// waits would be five.
	if took := time.Since(began); code != 0 || !strings.Contains(out, "roll") || took > 2*keyringWait+8*time.Second {
		t.Errorf("status %d after %v\n%s%s", code, took, out, aside)
	}
	if !strings.Contains(aside, "alues of A_TOKEN, B_TOKEN, C_TOKEN and D_TOKEN can't be read: the keyring does not answer") || !strings.Contains(aside, "Start the server in the window to enter them.") {
		t.Errorf("the values that it lacks are not told:\n%s", aside)
	}
}
