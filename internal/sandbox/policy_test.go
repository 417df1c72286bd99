package sandbox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/internal/proctest"
)

// makeHome creates a home folder with files and sets HOME.
func makeHome(t *testing.T, files ...string) string {
	t.Helper()
	home := filepath.Join(resolveLinks(t.TempDir()), "ada")
	t.Setenv("HOME", home)
	for _, name := range files {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := proctest.WriteProgram(path, nil); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestForReadsTheFolderOfItsScriptAndNoMore(t *testing.T) {
	home := makeHome(t, "srv/x/server.js", "srv/node_modules/sdk/index.js", "srv/package.json", ".ssh/id", ".nvm/versions/node/v20/bin/node")
	p := For(filepath.Join(home, ".nvm/versions/node/v20/bin/node"), filepath.Join(home, "srv/x/server.js"), filepath.Join(home, "data"), nil)
	for path, want := range map[string]bool{
		"srv/x/lib/more.js": true, "srv/node_modules/sdk/index.js": true, "srv/package.json": true, ".nvm/versions/node/v20/lib/x": true,
		"data/files/db": true, "data/tmp/x": true,
		".ssh/id": false, "srv/other.js": false, ".bashrc": false, "data/bin/x": false, "": false,
	} {
		if got := p.reads(filepath.Join(home, path)); got != want {
			t.Errorf("reads %q: %v", path, got)
		}
	}
	if p.writes(filepath.Join(home, "srv/x/server.js")) || !p.writes(filepath.Join(home, "data/files/db")) || !p.Offline() || p.Desktop {
		t.Errorf("%+v", p)
	}
}

// A script in a common folder does not open that folder.
func TestForReadsOnlyTheScriptInSharedFolders(t *testing.T) {
	for _, folder := range []string{"", "Downloads/", "Desktop/"} {
		home := makeHome(t, folder+"server.py", folder+"diary.txt", folder+"node_modules/x.js", folder+".venv/pyvenv.cfg")
		p := For("/usr/bin/python3", filepath.Join(home, folder+"server.py"), filepath.Join(home, "data"), nil)
		for path, want := range map[string]bool{"server.py": true, "node_modules/x.js": true, ".venv/lib/x": true, "diary.txt": false} {
			if got := p.reads(filepath.Join(home, folder, path)); got != want {
				t.Errorf("%q: reads %q: %v", folder, path, got)
			}
		}
	}
}

// A script above or in goated's private folders does not open them. Neither do links, variables and
// interpreters that lead there.
func TestForOpensNoPrivateFolder(t *testing.T) {
	const own, private = "share/goated/servers/mine", "share/goated"
	files := []string{
		"share/goated/history.db", own + "/files/mine.db", own + "/files/server.py", "share/goated/servers/other/files/token", "share/goated/bin/python3",
		"share/goated/pyvenv.cfg", "share/server.py", "share/goated/server.py", "proj/server.py", "proj/lib.py", "share/other/x.py",
	}
	for name, tt := range map[string]struct {
		script, command string
		links           map[string]string
		env             []string
		reads           []string
	}{
		"above":          {script: "share/server.py", reads: []string{"share/server.py"}},
		"inside":         {script: "share/goated/server.py", reads: []string{"share/goated/server.py"}},
		"above, by link": {script: "l/server.py", links: map[string]string{"l": "share"}, reads: []string{"share/server.py"}},
		"environment":    {script: "proj/server.py", env: []string{"NODE_PATH=~/share", "PYTHONPATH=~/share/goated:~/proj", "VIRTUAL_ENV=~/l"}, links: map[string]string{"l": "share/goated"}, reads: []string{"proj/lib.py"}},
		"modules":        {script: "proj/server.py", links: map[string]string{"proj/node_modules": "share/goated", "proj/.venv": "share/goated"}, reads: []string{"proj/lib.py"}},
		"interpreter":    {script: "proj/server.py", command: "share/goated/bin/python3", reads: []string{"proj/lib.py"}},
		"its own":        {script: own + "/files/server.py", reads: []string{own + "/files/mine.db"}},
	} {
		t.Run(name, func(t *testing.T) {
			home := makeHome(t, files...)
			for link, to := range tt.links {
				if err := os.Symlink(filepath.Join(home, to), filepath.Join(home, link)); err != nil {
					t.Skip(err)
				}
			}
			command := "/usr/bin/python3"
			if tt.command != "" {
				command = filepath.Join(home, tt.command)
			}
			for i := range tt.env {
				tt.env[i] = strings.ReplaceAll(tt.env[i], "~", home)
			}
			p := For(command, filepath.Join(home, tt.script), filepath.Join(home, own), tt.env, filepath.Join(home, private))
			p.Read, p.System = resolved(p.Read), resolved(p.System) // as the kernel resolves them
			for _, path := range []string{"share/goated/history.db", "share/goated/servers/other/files/token", "share/other/x.py"} {
				if p.reads(filepath.Join(home, path)) {
					t.Errorf("the server reads %s: %q, %q", path, p.Read, p.System)
				}
			}
			for _, path := range tt.reads {
				if !p.reads(filepath.Join(home, path)) {
					t.Errorf("the server does not read %s: %q", path, p.Read)
				}
			}
			if p.Exposes() {
				t.Errorf("Exposes reports a private folder: %q", p.Read)
			}
		})
	}
}

func resolved(paths []string) (out []string) {
	for _, path := range paths {
		out = append(out, resolveLinks(path))
	}
	return out
}

// Links and settings that come with a script cannot open other folders by posing as modules or
// virtual environments.
func TestForIgnoresMisleadingLinks(t *testing.T) {
	home := makeHome(t, "srv/server.py", "srv/.venv/bin/python3", ".ssh/id", "work/bin/tool", "work/secret", "Downloads/s.py", "real/node_modules/x.js")
	cfg := "home = " + filepath.Join(home, ".ssh", "bin") + "\n"
	if err := os.WriteFile(filepath.Join(home, "srv/.venv/pyvenv.cfg"), []byte(cfg), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"srv/package.json": ".ssh/id", "srv/.nvmrc": ".ssh", "Downloads/.venv": ".ssh", "Downloads/node_modules": "", "srv/node_modules": "real/node_modules", "srv/.venv/bin/tool": "work/bin/tool",
	} {
		if err := os.Symlink(filepath.Join(home, to), filepath.Join(home, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, program := range []string{"srv/.venv/bin/python3", "srv/.venv/bin/tool"} {
		for _, script := range []string{"srv/server.py", "Downloads/s.py"} {
			p := For(filepath.Join(home, program), filepath.Join(home, script), filepath.Join(home, "data"), nil)
			p.Read, p.System = resolved(p.Read), resolved(p.System)
			for _, path := range []string{".ssh/id", "work/secret", "diary"} {
				if p.reads(filepath.Join(home, path)) {
					t.Errorf("%s by %s reads %s: %q, %q", script, program, path, p.Read, p.System)
				}
			}
			if script == "srv/server.py" && !p.reads(filepath.Join(home, "real/node_modules/x.js")) {
				t.Errorf("%s can't read its modules: %q", script, p.System)
			}
		}
	}
}

// WithoutPrivate opens no private folders. A grant by the user does, and the sentences mention it.
func TestGrantsAndPrivateFolders(t *testing.T) {
	home := makeHome(t, "share/goated/servers/mine/files/x", "share/goated/servers/other/files/x", "notes/x")
	at := func(names ...string) (out []string) {
		for _, n := range names {
			out = append(out, filepath.Join(home, n))
		}
		return out
	}
	p := For("/usr/bin/python3", at("notes/s.py")[0], at("share/goated/servers/mine")[0], nil, at("share/goated")...)
	by := p.WithoutPrivate(Grant{Write: at("", "share", "share/goated", "share/goated/servers/other", "share/goated/servers/mine/files", "notes"), Read: at("share/goated/history.db")})
	if want := at("share/goated/servers/mine/files", "notes"); !slices.Equal(by.Write, want) || by.Exposes() || by.reads(at("share/goated/history.db")[0]) {
		t.Errorf("Spared allowed %q and %q", by.Write, by.Read)
	}
	granted := p.With(Grant{Read: at("share")})
	if !granted.Exposes() || p.Exposes() {
		t.Errorf("a private folder is exposed: %t with the grant, %t without", granted.Exposes(), p.Exposes())
	}
}

func TestForFollowsLinksShimsAndEnvironments(t *testing.T) {
	home := makeHome(t, "real/server.py", "proj/x", ".local/share/uv/python/cpython-3.12/bin/python3.12", ".local/secret")
	link := func(old, name string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(home, old), filepath.Join(home, name)); err != nil {
			t.Skip(err)
		}
	}
	link("real/server.py", "proj/server.py")
	link(".local/share/uv/python/cpython-3.12/bin/python3.12", ".local/bin/python3")
	link(".local/bin/python3", "proj/.venv/bin/python3")
	p := For(filepath.Join(home, "proj/.venv/bin/python3"), filepath.Join(home, "proj/server.py"), filepath.Join(home, "data"), []string{"NODE_PATH=" + filepath.Join(home, "proj") + ":" + home})
	for path, want := range map[string]bool{
		"real/other.py": true, "proj/x": true, ".local/share/uv/python/cpython-3.12/lib/os.py": true, ".local/bin/python3": true,
		".local/secret": false, ".bashrc": false,
	} {
		if got := p.reads(filepath.Join(home, path)); got != want {
			t.Errorf("reads %q: %v", path, got)
		}
	}
}

func TestWithAddsAGrant(t *testing.T) {
	home := makeHome(t)
	p := Policy{Read: []string{filepath.Join(home, "srv")}, State: filepath.Join(home, "data", "files")}
	if !p.Offline() || p.ConnectsLocally() || p.Desktop || p.Exposes() {
		t.Errorf("without a grant it may: %+v", p)
	}
	wide := p.With(Grant{Read: []string{home, "relative"}, Write: []string{"/mnt/a", "/mnt/b"}, Network: AnyNetwork, Desktop: true})
	if !slices.Equal(wide.Read, []string{p.Read[0], home}) || !slices.Equal(wide.Write, []string{"/mnt/a", "/mnt/b"}) || wide.State != p.State || wide.Network != AnyNetwork || wide.Offline() || !wide.Desktop {
		t.Errorf("with a grant it may: %+v", wide)
	}
	if len(p.Read) != 1 || p.Network != "" {
		t.Errorf("With changed the policy itself: %+v", p)
	}
	for path, want := range map[string]string{p.Read[0]: "~/srv", home: "your home folder", "/mnt/a": "/mnt/a"} {
		if got := displayPath(path); got != want {
			t.Errorf("%s is shown as %q", path, got)
		}
	}
}

// Permissions survive an encoding as JSON and can be revoked one by one.
func TestPermissionsAreStoredAndRevoked(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var ps Permissions
	for _, p := range []Permission{
		{Kind: ToRead, Path: "/a", At: at}, {Kind: ToWrite, Path: "/b", At: at}, {Kind: ToNetwork, At: at}, {Kind: ToHost, Host: "a.org", At: at},
		{Kind: ToHost, Host: "A.org:8080", At: at}, {Kind: ToRead, Path: "/a", At: at.Add(time.Hour)},
	} {
		ps = ps.With(p)
	}
	data, err := json.Marshal(ps)
	if err != nil {
		t.Fatal(err)
	}
	var back Permissions
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(ps, back) || len(back) != 5 {
		t.Fatalf("%s: %v", data, err)
	}
	want := Grant{Read: []string{"/a"}, Write: []string{"/b"}, Network: AnyNetwork, Hosts: []string{"a.org", "a.org:8080"}}
	if got := back.Grant(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := back.Without(Permission{Kind: ToNetwork}).Without(Permission{Kind: ToRead, Path: "/a"}).Without(Permission{Kind: ToHost, Host: "a.org"}).Grant(); len(got.Hosts) != 1 || got.Network != "" || len(got.Read) != 0 || len(got.Write) != 1 {
		t.Errorf("after revoking: %+v", got)
	}
	if g := (Permissions{{Kind: "telepathy"}}).Grant(); !g.Empty() {
		t.Errorf("an unknown kind allows %+v", g)
	}
}

func TestNeeds(t *testing.T) {
	p := Policy{Read: []string{"/srv"}, State: "/data/files"}
	for line, want := range map[string]string{
		"PermissionError: [Errno 13] Permission denied: '/home/ada/notes.txt'":                           "read /home/ada/notes.txt",
		"Error: EACCES: permission denied, open '/home/ada/notes.txt'":                                   "read /home/ada/notes.txt",
		"Error: EACCES: permission denied, mkdir '/home/ada/.cache/x'":                                   "read and write /home/ada/.cache/x",
		"open /home/ada/x: permission denied":                                                            "read /home/ada/x",
		"PermissionError: [Errno 13] Permission denied: '/srv/cache.db'":                                 "read and write the file /srv/cache.db",
		"socket.gaierror: [Errno -3] Temporary failure in name resolution":                               "use the network",
		"dial tcp: lookup example.com: socket: permission denied":                                        "use the network",
		"PermissionError: [Errno 13] Permission denied: '/data/files/x'":                                 "",
		"EACCES: permission denied, open 'relative'":                                                     "",
		"Error: listen EACCES: permission denied 127.0.0.1:8080":                                         "use the network",
		"  File \"a.py\", line 2\n    socket.socket()\nPermissionError: [Errno 13] Permission denied":    "",
		"PermissionError: [Errno 13] Permission denied":                                                  "", // it names neither a file nor a host
		"  File \"a.py\", line 2\n    os.kill(1, 9)\nPermissionError: [Errno 1] Operation not permitted": "",
		"all is well": "",
	} {
		var got []string
		for _, n := range Needs(p, Evidence{Text: strings.Split(line+"\n"+line, "\n")}) {
			got = append(got, n.String())
		}
		if s := strings.Join(got, ";"); s != want {
			t.Errorf("%s: %q, want %q", line, s, want)
		}
	}
}

func TestStatusSaysWhatIsMissing(t *testing.T) {
	full := Status{Landlock: 7, Files: true, Calls: true, Signals: true, Limits: true}
	if len(full.Missing()) != 0 || !full.Confined() || !strings.HasPrefix(full.String(), "Sandboxed (") {
		t.Errorf("%s", full)
	}
	root := full
	if root.Root = true; !root.Confined() || len(root.Missing()) != 1 || !strings.Contains(root.String(), "as root") {
		t.Errorf("%s", root)
	}
	if root.Sums = true; len(root.Missing()) != 0 { // a control group counts root's processes too
		t.Errorf("%s", root)
	}
	old := Status{Landlock: 2, Files: true, Calls: true, Limits: true}
	if !old.Confined() || len(old.Missing()) != 1 || !strings.HasPrefix(old.String(), "Partly sandboxed") {
		t.Errorf("%s", old)
	}
	if none := (Status{}); none.Confined() || !strings.HasPrefix(none.String(), "Not sandboxed") {
		t.Errorf("%s", none)
	}
}
