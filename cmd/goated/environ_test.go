package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"goated/internal/servertest"
	"goated/ui/view"
)

func TestEnvironOfTheCommandLine(t *testing.T) {
	t.Setenv("SHADE", "green")
	o := options{env: []string{"A=1", "SHADE", "B=x=y", "C="}}
	if got, err := o.environ(); err != nil || !slices.Equal(got, []string{"A=1", "SHADE=green", "B=x=y", "C="}) {
		t.Errorf("%q, %v", got, err)
	}
	for _, word := range []string{"NOT_THERE_AT_ALL", "1A=2", "=x", "A B=c"} {
		if got, err := (&options{env: []string{word}}).environ(); err == nil {
			t.Errorf("%q is taken as %q", word, got)
		}
	}
}

// A server of --server sees what --env gives it, and a wrong --env starts nothing.
func TestServersAreGivenTheEnvironment(t *testing.T) {
	p := newPlace(t)
	p.write("shade.js", "if (process.env.SHADE !== 'light green') { console.error('no shade'); process.exit(3) }\nrequire('./dice.js')\n")
	dice, err := os.ReadFile(servertest.Script("dice.js"))
	if err != nil {
		t.Fatal(err)
	}
	p.write("dice.js", string(dice)) // a server reads its own folder
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
	env, err := a.launchEnv(view.Launch{Env: []view.Variable{{Name: "TOKEN", Ref: "server-1"}, {Name: "SHADE", Value: "green"}, {Name: "KEY", Ref: "server-2"}}})
	if !slices.Equal(env, []string{"TOKEN=s3cret", "SHADE=green"}) || err == nil || !strings.Contains(err.Error(), "the value of KEY") {
		t.Errorf("%q, %v", env, err)
	}
	log.keepAll([]string{"PASSWORD=two\nlines", "SHADE=light green"})
	log.Info("a server said", "stderr", "TOKEN is s3cret, PASSWORD is two\nlines, SHADE is light green")
	log.close()
	got, err := os.ReadFile(path)
	if s := string(got); err != nil || !strings.Contains(s, "TOKEN is [secret], PASSWORD is [secret], SHADE is light green") {
		t.Errorf("logged is %s, %v", s, err)
	}
}
