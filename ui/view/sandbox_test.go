package view

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/sandbox"
)

func TestShields(t *testing.T) {
	whole := sandbox.Status{Landlock: 7, Files: true, Calls: true, Signals: true, Limits: true}
	part := whole
	part.Signals = false
	wrapped, fails := whole, part
	wrapped.Wrap, fails.Wrap = sandbox.Wrapped, sandbox.WrapFails
	for name, tt := range map[string]struct {
		s    client.Server
		want Shield
		note string
	}{
		"whole":           {client.Server{Status: client.Connected, Confinement: client.Confinement{Sandbox: whole}}, ShieldWhole, "It can do only what is listed"},
		"in part":         {client.Server{Status: client.Connected, Confinement: client.Confinement{Sandbox: part}}, ShieldPart, "it can stop your other programs"},
		"in a bubble":     {client.Server{Status: client.Connected, Confinement: client.Confinement{Sandbox: wrapped}}, ShieldWhole, "listed here. It sees only its own processes."},
		"no bubble":       {client.Server{Status: client.Connected, Confinement: client.Confinement{Sandbox: fails}}, ShieldPart, "programs. bubblewrap is installed but does not work here"},
		"chosen":          {client.Server{Status: client.Connected, Confinement: client.Confinement{Sandbox: whole, NoSandbox: true}}, ShieldNone, "You turned its sandbox off"},
		"no such system":  {client.Server{Status: client.Connected}, ShieldNone, "can't sandbox it"},
		"not running yet": {client.Server{Status: client.Connecting}, ShieldUnknown, "It is starting in its sandbox"},
		"failed to start": {client.Server{Status: client.Failed}, ShieldUnknown, "It is not running. It starts in its sandbox"},
	} {
		if got := ShieldOf(tt.s); got != tt.want || !strings.Contains(ShieldNote(tt.s), tt.note) {
			t.Errorf("%s: %s, %q", name, got, ShieldNote(tt.s))
		}
	}
}

func TestReachesSayWhatIsAllowed(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	s := client.Server{Confinement: client.Confinement{Policy: sandbox.Policy{Read: []string{filepath.Join(home, "tools"), filepath.Join(home, "tools", ".venv")}, State: "/data"}}}
	if got, want := AccessLine(s), "Reads ~/tools · writes its own data folder · no network"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	g := sandbox.Grant{Write: []string{"/srv/notes"}, Network: sandbox.AnyNetwork}
	s.Policy = s.Policy.With(g)
	if got, want := AccessLine(s), "Reads ~/tools · writes /srv/notes and its own data folder · the whole network"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	some := s
	some.Policy = sandbox.Policy{}.With(sandbox.Grant{Hosts: []string{"API.example.org", "localhost:5432"}})
	for held, want := range map[bool]string{true: "reaches api.example.org, localhost:5432", false: "no network"} {
		some.Sandbox.Hosts = held
		if got := AccessLine(some); !strings.HasSuffix(got, want) {
			t.Errorf("%q, not %q", got, want)
		}
	}
	some.Sandbox.Hosts = false
	if got := AccessRows(some, sandbox.Grant{})[2].Value; got != "none: this system can't limit it to api.example.org, localhost:5432" {
		t.Errorf("%q", got)
	}
	wide := ""
	for _, r := range AccessRows(s, g) {
		if r.Wide {
			wide += r.Name + " "
		}
	}
	if wide != "Writes Network " {
		t.Errorf("more than usual are %s", wide)
	}
}

// A permission that opens goated's own folder has a warning as long as it is given.
func TestWhatOpensGoatedsFolderIsSaid(t *testing.T) {
	home := t.TempDir()
	private := filepath.Join(home, "share", "goated")
	s := client.Server{Confinement: client.Confinement{Policy: sandbox.Policy{State: filepath.Join(private, "servers", "mine", "files"), Private: []string{private}}}}
	for path, want := range map[string]bool{home: true, private: true, filepath.Join(private, "servers"): true, filepath.Join(private, "servers", "mine"): false, filepath.Join(home, "notes"): false} {
		p := sandbox.Permission{Kind: sandbox.ToRead, Path: path}
		given := s
		given.Policy = s.Policy.With(sandbox.Permissions{p}.Grant())
		said := false
		for _, r := range AccessRows(given, sandbox.Grant{}) {
			said = said || strings.Contains(r.Value, "all conversations") && r.Wide
		}
		if said != want {
			t.Errorf("while it reads %s: said is %t", path, said)
		}
	}
}

func TestHomeIsATilde(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	for path, want := range map[string]string{"/home/ada": "~", "/home/ada/x y": "~/x y", "/home/adam": "/home/adam", "--flag": "--flag", "/": "/"} {
		if got := Tilde(path); got != want {
			t.Errorf("%s is %s", path, got)
		}
	}
	if _, err := os.UserHomeDir(); err != nil {
		t.Fatal(err)
	}
	if got := ServerCommand(client.Server{Path: "/home/ada/a.py", Args: []string{"/home/ada/b c"}}); got != `~/a.py "~/b c"` {
		t.Errorf("the command is %s", got)
	}
	if got := ServerCommand(client.Server{Path: "/usr/bin/goated", Bundled: true}); got != "comes with goated" {
		t.Errorf("its own is %s", got)
	}
	e := &client.Error{Report: &client.FailureReport{Command: []string{"/usr/bin/python3", "/home/ada/a.py", "/home/ada/b c"}, Dir: "/home/ada/d", Exit: "exit status 3", Lasted: 1200 * time.Millisecond}}
	if got := CommandLine(e); got != `cd ~/d && /usr/bin/python3 ~/a.py '/home/ada/b c'` || ExitNote(e) != "exit status 3 after 1.2 s" {
		t.Errorf("it ran as %s; %s", got, ExitNote(e))
	}
}

func TestRetryNote(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	s := client.Server{Status: client.Failed}
	for wait, want := range map[time.Duration]string{3100 * time.Millisecond: "Restarting in 4 s", 0: "Restarting…", -time.Second: "Restarting…"} {
		s.RetryAt = now.Add(wait)
		if got := RetryNote(s, now); got != want {
			t.Errorf("%v: %q", wait, got)
		}
	}
	s.RetryAt = time.Time{}
	if got := RetryNote(s, now); got != "" {
		t.Errorf("one that stays away: %q", got)
	}
}

// Each kind of permission has all its texts, and the texts for a host name the host.
func TestEachPermissionIsSaid(t *testing.T) {
	for _, k := range []sandbox.Kind{sandbox.ToRead, sandbox.ToWrite, sandbox.ToHost, sandbox.ToNetwork, sandbox.ToDesktop, "telepathy"} {
		p := sandbox.Permission{Kind: k, Path: "/a", Host: "api.example.org"}
		if AllowQuestion("x", p) == "" || PermissionName(p) == "" || AllowLabel(p) == "" || PermissionIcon(p) == "" || k != "telepathy" && ConsequenceText(p) == "" {
			t.Errorf("%s is not said", k)
		}
	}
	p := sandbox.Permission{Kind: sandbox.ToHost, Host: "api.example.org"}
	if AllowQuestion("weather", p) != "weather wants to reach api.example.org" || AllowFlag(p) != "--allow-host api.example.org" {
		t.Errorf("%s; %s", AllowQuestion("weather", p), AllowFlag(p))
	}
	p.Host = "*.example.org:8443"
	if AllowFlag(p) != "--allow-host '*.example.org:8443'" {
		t.Errorf("a shell would take %s for files", AllowFlag(p))
	}
	p.Host = "10.0.0.1"
	if !strings.Contains(ConsequenceText(p), "not the Internet") {
		t.Error(ConsequenceText(p))
	}
}

// A text that is not a host is rejected with advice.
func TestHostsThatPeopleType(t *testing.T) {
	for text, want := range map[string]string{
		"": "enter a host", "https://example.org": "only the host", "a.org:0": "a port must", "*.org": "two or more parts", "a b": "not a host name",
	} {
		if host, err := HostOf(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %q: %v", text, host, err)
		}
	}
	if host, err := HostOf(" API.example.ORG "); err != nil || host != "api.example.org" {
		t.Errorf("%q: %v", host, err)
	}
}

// Safety 5 and 7: the card names two gaps of the sandbox. A server can change each file in a
// writable folder, and shared memory is not limited.
func TestReachesSayWhatIsNotEnforced(t *testing.T) {
	dir := t.TempDir()
	var enforced sandbox.Status
	values := func(p sandbox.Policy, g sandbox.Grant) (all string) {
		for _, r := range AccessRows(client.Server{Confinement: client.Confinement{Policy: p, Sandbox: enforced}}, g) {
			all += r.Name + ": " + r.Value + "\n"
		}
		return all
	}
	limited := sandbox.Policy{Limits: sandbox.DefaultLimits}
	if got := values(limited, sandbox.Grant{}); strings.Contains(got, ".envrc") || !strings.Contains(got, "Memory: 4 GiB for each process. Memory that processes share has no limit\n") {
		t.Errorf("without a writable folder the card says\n%s", got)
	}
	enforced.Sums = true // a control group counts the memory that processes share
	if got := values(limited, sandbox.Grant{}); !strings.Contains(got, "Memory: 4 GiB for all its processes together, with the memory that they share\n") {
		t.Errorf("with a control group the card says\n%s", got)
	}
	enforced.Sums = false
	limited.Shm = true
	if got := values(limited, sandbox.Grant{Write: []string{dir}}); !strings.Contains(got, ".envrc or .git/hooks. This system can't") || !strings.Contains(got, "has no limit, except /dev/shm\n") {
		t.Errorf("with a writable folder the card says\n%s", got)
	}
	enforced.Guards = true
	if got := values(limited, sandbox.Grant{Write: []string{dir}}); !strings.Contains(got, "Starts: none of the files in there that your programs run by themselves, such as .git/hooks") {
		t.Errorf("where the sandbox protects files, the card says\n%s", got)
	}
	if got := values(sandbox.Policy{}, sandbox.Grant{Write: []string{dir + "/one.txt"}}); strings.Contains(got, ".envrc") || !strings.Contains(got, "Memory: no limit\n") {
		t.Errorf("with a writable file the card says\n%s", got)
	}
}
