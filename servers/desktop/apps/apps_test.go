package apps_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goated/internal/waittest"
	"goated/servers/desktop/apps"
)

func TestParse(t *testing.T) {
	for exec, want := range map[string][]string{
		`mousepad %F`:                      {"mousepad"},
		`env A=b "two words" %u --x=%%`:    {"env", "A=b", "two words", "--x=%"},
		`"quoted \"name\"" --title %c`:     {`quoted "name"`, "--title", "The Name"},
		`/opt/a\\sb --flag= %i`:            {`/opt/a\sb`, "--flag="},
		`sh -c "echo \$HOME; echo \\\\ok"`: {"sh", "-c", `echo $HOME; echo \ok`},
	} {
		e, err := apps.Parse("x", "[Desktop Entry]\nType=Application\nName=The Name\nExec="+exec+"\n[Desktop Action a]\nExec=wrong\n")
		if err != nil || !slices.Equal(e.Args, want) {
			t.Errorf("%s: %q, %v; want %q", exec, e.Args, err, want)
		}
	}
	for _, bad := range []string{"", "[Desktop Entry]\nType=Link\nExec=x\n", "[Desktop Entry]\nType=Application\nHidden=true\nExec=x\n",
		"[Desktop Entry]\nType=Application\nName=x\n", "[Desktop Entry]\nType=Application\nExec=\"open\n", "[Desktop Entry]\nType=Application\nExec=%f\n"} {
		if e, err := apps.Parse("x", bad); err == nil {
			t.Errorf("%q is %+v", bad, e)
		}
	}
}

func TestInstalledAndFound(t *testing.T) {
	user, system := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		path := filepath.Join(dir, "applications", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("[Desktop Entry]\nType=Application\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(system, "org.gnome.Calculator.desktop", "Name=Calculator\nExec=gnome-calculator\n")
	write(system, "editor.desktop", "Name=Editor\nExec=/usr/bin/ed %f\nStartupWMClass=Ed\n")
	write(user, "editor.desktop", "Name=My Editor\nExec=my-ed\nStartupWMClass=Ed\n")
	write(system, "kde/okular.desktop", "Name=Okular\nExec=okular\n")
	write(system, "gone.desktop", "Name=Gone\nExec=gone\n")
	write(user, "gone.desktop", "Hidden=true\nExec=gone\n")
	list := apps.Installed(func(name string) string {
		return map[string]string{"XDG_DATA_HOME": user, "XDG_DATA_DIRS": system + ":relative"}[name]
	})
	if len(list) != 3 {
		t.Errorf("%+v", list)
	}
	for name, id := range map[string]string{"Calculator": "org.gnome.Calculator", "calculator": "org.gnome.Calculator", "gnome-calculator": "org.gnome.Calculator",
		"org.gnome.Calculator.desktop": "org.gnome.Calculator", "ED": "editor", "my editor": "editor", "kde-okular": "kde-okular", "gone": "", "": ""} {
		if e, ok := apps.Find(list, name); e.ID != id || ok != (id != "") {
			t.Errorf("%q is %q", name, e.ID)
		}
	}
}

// Close leaves no process running: neither child processes of a program that has ended, nor
// processes that ignore SIGTERM, nor a program that starts too late.
func TestProgramsEnd(t *testing.T) {
	var l apps.Programs
	pids := filepath.Join(t.TempDir(), "pids")
	for _, script := range []string{
		`sleep 1000 & echo $! >>"$0"`, // its child keeps running
		`trap "" TERM; echo $$ >>"$0"; while :; do sleep 1000; done`,
		`trap 'echo saved >"$0.saved"; exit' TERM; echo $$ >>"$0"; sleep 1000 & wait`,
	} {
		if _, err := l.Start([]string{"sh", "-c", script, pids}, os.Environ(), t.TempDir()); err != nil {
			t.Fatal(err)
		}
	}
	var started []string
	waittest.Until(t, "three programs run", func() bool {
		b, _ := os.ReadFile(pids)
		started = strings.Fields(string(b))
		return len(started) == 3
	})
	l.Close()
	for _, pid := range started {
		if n, err := strconv.Atoi(pid); err != nil || apps.Running(n) {
			t.Errorf("process %s goes on", pid)
		}
	}
	if _, err := os.Stat(pids + ".saved"); err != nil {
		t.Error("a program could not save its state:", err)
	}
	late, err := l.Start([]string{"sleep", "1000"}, os.Environ(), t.TempDir())
	if err != nil || apps.Running(late.PID) {
		t.Errorf("a late program goes on: %v", err)
	}
}

func TestProcesses(t *testing.T) {
	p, err := apps.Start([]string{"sh", "-c", "echo broken >&2; exit 3"}, os.Environ(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	waittest.Receive(t, "the program ends", p.Done)
	if got := p.End(); got != "exit status 3: broken" {
		t.Error(got)
	}
	if apps.Running(p.PID) || !apps.Running(os.Getpid()) {
		t.Error("the wrong process runs")
	}
	if !apps.IsDescendant(os.Getpid(), os.Getppid()) || apps.IsDescendant(os.Getppid(), os.Getpid()) {
		t.Error("the wrong process is the parent")
	}
	if _, err := apps.Start([]string{"no-such-program"}, nil, ""); err == nil {
		t.Error("a program that does not exist started")
	}
	if got := apps.DesktopArgs([]string{"/usr/bin/chromium", "x"}); !slices.Equal(got, []string{"/usr/bin/chromium", "--force-renderer-accessibility", "x"}) {
		t.Error(got)
	}
}
