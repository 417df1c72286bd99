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
)

// place makes files below a home folder of its own.
func place(t *testing.T, files ...string) string {
	t.Helper()
	home := filepath.Join(real(t.TempDir()), "ada")
	t.Setenv("HOME", home)
	for _, name := range files {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestForReadsTheFolderOfItsScriptAndNoMore(t *testing.T) {
	home := place(t, "srv/x/server.js", "srv/node_modules/sdk/index.js", "srv/package.json", ".ssh/id", ".nvm/versions/node/v20/bin/node")
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
	if p.writes(filepath.Join(home, "srv/x/server.js")) || !p.writes(filepath.Join(home, "data/files/db")) || p.Network != NoNetwork || p.Desktop {
		t.Errorf("%+v", p)
	}
}

// A script that lies where everything lies does not open everything.
func TestForReadsOnlyTheScriptInSharedFolders(t *testing.T) {
	for _, folder := range []string{"", "Downloads/", "Desktop/"} {
		home := place(t, folder+"server.py", folder+"diary.txt", folder+"node_modules/x.js", folder+".venv/pyvenv.cfg")
		p := For("/usr/bin/python3", filepath.Join(home, folder+"server.py"), filepath.Join(home, "data"), nil)
		for path, want := range map[string]bool{"server.py": true, "node_modules/x.js": true, ".venv/lib/x": true, "diary.txt": false} {
			if got := p.reads(filepath.Join(home, folder, path)); got != want {
				t.Errorf("%q: reads %q: %v", folder, path, got)
			}
		}
	}
}

func TestForFollowsLinksShimsAndEnvironments(t *testing.T) {
	home := place(t, "real/server.py", "proj/x", ".local/share/uv/python/cpython-3.12/bin/python3.12", ".local/secret")
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

func TestSentences(t *testing.T) {
	home := place(t)
	p := Policy{Read: []string{filepath.Join(home, "srv")}, State: filepath.Join(home, "data", "files")}
	want := []string{
		"It reads ~/srv, and the programs and libraries of this computer.",
		"It writes only its own folder ~/data/files.",
		"It has no network.",
		"It cannot reach your other programs.",
	}
	if got := p.Sentences(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	wide := p.With(Grant{Read: []string{home, "relative"}, Write: []string{"/mnt/a", "/mnt/b"}, Network: AnyNetwork, Desktop: true})
	want = []string{
		"It reads ~/srv and your home folder, and the programs and libraries of this computer.",
		"It reads and writes /mnt/a and /mnt/b, and its own folder ~/data/files.",
		"It may use the whole network.",
		"It may talk to your other programs.",
	}
	if got := wide.Sentences(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if len(p.Read) != 1 || p.Network != "" {
		t.Errorf("widening changed the policy itself: %+v", p)
	}
}

// What was allowed survives as JSON, and can be taken back one by one.
func TestPermissionsAreKeptAndRevoked(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var ps Permissions
	for _, p := range []Permission{{ToRead, "/a", at}, {ToWrite, "/b", at}, {ToNetwork, "", at}, {ToRead, "/a", at.Add(time.Hour)}} {
		ps = ps.With(p)
	}
	data, err := json.Marshal(ps)
	if err != nil {
		t.Fatal(err)
	}
	var back Permissions
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(ps, back) || len(back) != 3 {
		t.Fatalf("%s: %v", data, err)
	}
	want := Grant{Read: []string{"/a"}, Write: []string{"/b"}, Network: AnyNetwork}
	if got := back.Grant(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := back.Without(Permission{Kind: ToNetwork}).Without(Permission{Kind: ToRead, Path: "/a"}).Grant(); got.Network != "" || len(got.Read) != 0 || len(got.Write) != 1 {
		t.Errorf("after revoking: %+v", got)
	}
	if g := (Permissions{{Kind: "telepathy"}}).Grant(); !g.Empty() {
		t.Errorf("what is not known allows %+v", g)
	}
}

func TestNeeds(t *testing.T) {
	p := Policy{Read: []string{"/srv"}, State: "/data/files"}
	for line, want := range map[string]string{
		"PermissionError: [Errno 13] Permission denied: '/home/ada/notes.txt'":                           "read /home/ada/notes.txt",
		"Error: EACCES: permission denied, open '/home/ada/notes.txt'":                                   "read /home/ada/notes.txt",
		"Error: EACCES: permission denied, mkdir '/home/ada/.cache/x'":                                   "read and write /home/ada/.cache/x",
		"open /home/ada/x: permission denied":                                                            "read /home/ada/x",
		"PermissionError: [Errno 13] Permission denied: '/srv/cache.db'":                                 "read and write /srv/cache.db",
		"socket.gaierror: [Errno -3] Temporary failure in name resolution":                               "use the network",
		"dial tcp: lookup example.com: socket: permission denied":                                        "use the network",
		"PermissionError: [Errno 13] Permission denied: '/data/files/x'":                                 "",
		"EACCES: permission denied, open 'relative'":                                                     "",
		"Error: listen EACCES: permission denied 127.0.0.1:8080":                                         "use the network",
		"  File \"a.py\", line 2\n    socket.socket()\nPermissionError: [Errno 13] Permission denied":    "use the network",
		"  File \"a.py\", line 2\n    os.kill(1, 9)\nPermissionError: [Errno 1] Operation not permitted": "",
		"all is well": "",
	} {
		var got []string
		for _, n := range Needs(p, strings.Split(line+"\n"+line, "\n")) {
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
	old := Status{Landlock: 2, Files: true, Calls: true, Limits: true}
	if !old.Confined() || len(old.Missing()) != 2 || !strings.HasPrefix(old.String(), "Sandboxed in part") {
		t.Errorf("%s", old)
	}
	if none := (Status{}); none.Confined() || !strings.HasPrefix(none.String(), "Not sandboxed") {
		t.Errorf("%s", none)
	}
}
