package mcpb

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/inputs"
)

const manifest = `{"manifest_version":"0.3","name":"My Files","display_name":"My files","version":"1.0.0","description":"d","author":{"name":"a"},
"server":{"type":"node","entry_point":"server/index.js","mcp_config":{"command":"node","args":["${__dirname}/server/index.js","--root","${user_config.dirs}","--mode=${user_config.mode}"],
"env":{"KEY":"${user_config.key}","PLAIN":"${HOME}${/}x","EMPTY":"${user_config.none}"},
"platform_overrides":{"win32":{"command":"node.exe","env":{"ONLY":"windows"}},"darwin":{"args":["mac"]}}}},
"compatibility":{"platforms":["linux","win32"]},
"user_config":{"dirs":{"type":"directory","title":"Folders","description":"","multiple":true,"required":true,"default":["${HOME}/Desktop"]},
"key":{"type":"string","title":"Key","description":"","sensitive":true,"required":true},"mode":{"type":"string","title":"Mode","description":"","default":"fast"},
"size":{"type":"number","title":"Size","description":"","default":10,"min":1,"max":100},"none":{"type":"string","title":"None","description":""}}}`

// An entry is a file in a ZIP file.
type entry struct {
	name, text string
	mode       fs.FileMode
}

func packed(t testing.TB, entries ...entry) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.mode == 0 {
			e.mode = 0o644
		}
		h.SetMode(e.mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write([]byte(e.text))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.mcpb")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var linux = System{OS: "linux", Home: "/home/ada", Desktop: "/home/ada/Desktop"}

// A bundle can be installed, updated as a whole, listed and removed.
func TestInstallUpdateRemove(t *testing.T) {
	folder := Folder{filepath.Join(t.TempDir(), "bundles")}
	install := func(text string) Installed {
		b, err := Open(packed(t, entry{"manifest.json", manifest, 0}, entry{"server/index.js", text, 0}, entry{"server/run.sh", "", 0o755}), "")
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		i, err := folder.Install(t.Context(), b, "/x.mcpb")
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	first := install("one")
	second := install("two")
	if first.Dir != second.Dir || first.SHA256 == second.SHA256 {
		t.Errorf("%+v, %+v", first, second)
	}
	if text, err := os.ReadFile(filepath.Join(second.Dir, "server/index.js")); string(text) != "two" {
		t.Errorf("%s, %v", text, err)
	}
	if info, err := os.Stat(filepath.Join(second.Dir, "server/run.sh")); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("%v, %v", info, err)
	}
	list, err := folder.List()
	if err != nil || len(list) != 1 || !strings.HasPrefix(list[0].ID, "my-files-x") || list[0].Manifest.Title() != "My files" {
		t.Errorf("%+v, %v", list, err)
	}
	for _, bad := range []string{"../bundles", "", ".lock", "other"} {
		if err := folder.Remove(t.Context(), bad); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := folder.Remove(t.Context(), first.ID); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder.Path); len(left) != 1 { // .lock
		t.Errorf("left are %v", left)
	}
}

// goated rejects a bundle that would write elsewhere, hide a file or fill the disk, before it
// writes anything.
func TestUnsafeBundles(t *testing.T) {
	m := entry{"manifest.json", manifest, 0}
	for want, entries := range map[string][]entry{
		"outside":              {m, {"../evil", "x", 0}},
		"outside ":             {m, {"/etc/evil", "x", 0}},
		"outside  ":            {m, {"a/../../evil", "x", 0}},
		"outside   ":           {m, {`..\evil`, "x", 0}},
		"outside    ":          {m, {`C:evil`, "x", 0}},
		"a link":               {m, {"server/index.js", "/etc/passwd", fs.ModeSymlink | 0o777}},
		"a link ":              {m, {"pipe", "", fs.ModeNamedPipe | 0o644}},
		"twice":                {m, {"a", "x", 0}, {"a", "y", 0}},
		"twice ":               {m, {"manifest.JSON", "x", 0}},
		"below another file":   {m, {"a", "x", 0}, {"A/b", "y", 0}},
		"twice, or":            {m, {"a/b", "y", 0}, {"A", "x", 0}},
		"packed so tightly":    {m, {"zeros", strings.Repeat("\x00", 11<<20), 0}},
		"control character":    {m, {"a\x1b[2Jb", "x", 0}},
		"Windows cannot have":  {m, {"a/nul.txt", "x", 0}},
		"Windows cannot have ": {m, {"a./b", "x", 0}},
		"no manifest.json":     {{"a", "x", 0}},
		"is not in the bundle": {{"manifest.json", strings.Replace(manifest, `"server/index.js"`, `"../../bin/sh"`, 1), 0}},
		"too deep":             {m, {strings.Repeat("a/", 50) + "b", "x", 0}},
	} {
		_, err := Open(packed(t, entries...), "")
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", want, err)
		}
	}
	folder := Folder{t.TempDir()}
	b, err := Open(packed(t, m), "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := folder.Install(t.Context(), b, ""); err == nil || !strings.Contains(err.Error(), "lacks its entry point") {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder.Path); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
}

// If a file is longer than its header claims, goated does not write the excess.
func TestLyingSizes(t *testing.T) {
	path := packed(t, entry{"manifest.json", manifest, 0}, entry{"server/index.js", strings.Repeat("abc", 1000), 0})
	data, _ := os.ReadFile(path)
	at := bytes.LastIndex(data, []byte("server/index.js")) - 46 // its entry in the ZIP directory
	copy(data[at+24:], []byte{10, 0, 0, 0})
	_ = os.WriteFile(path, data, 0o600)
	b, err := Open(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if i, err := (Folder{t.TempDir()}).Install(t.Context(), b, ""); err == nil {
		t.Errorf("installed %+v", i)
	}
}

// Open rejects a bundle with another hash than the expected one.
func TestHash(t *testing.T) {
	path := packed(t, entry{"manifest.json", manifest, 0})
	if _, err := Open(path, strings.Repeat("0", 64)); err == nil || !strings.Contains(err.Error(), "damaged or was replaced") {
		t.Error(err)
	}
	b, err := Open(path, "")
	if err != nil {
		t.Fatal(err)
	}
	_ = b.Close()
	if b, err := Open(path, strings.ToUpper(b.SHA256)); err != nil {
		t.Error(err)
	} else {
		_ = b.Close()
	}
	signed, _ := os.ReadFile(path)
	_ = os.WriteFile(path, append(signed, "MCPB_SIG_V1....signature....MCPB_SIG_END"...), 0o600)
	if b, err := Open(path, ""); err != nil {
		t.Errorf("a signed bundle: %v", err)
	} else {
		_ = b.Close()
	}
}

// The command depends on the platform and on the user's values. Those are not searched for
// variables.
func TestCommand(t *testing.T) {
	m, err := Parse([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	in := m.Inputs(linux)
	if len(in) != 5 || in[0].ID != "dirs" || in[0].Default[0] != "/home/ada/Desktop" || !in[1].Secret || !m.Runs("windows") || m.Runs("darwin") {
		t.Errorf("%+v", in)
	}
	values, err := inputs.Fill(in, inputs.Values{"dirs": {"/a b", "/c"}, "key": {"${HOME}"}})
	if err != nil {
		t.Fatal(err)
	}
	c := m.Command("/i", values, linux)
	if want := []string{"/i/server/index.js", "--root", "/a b", "/c", "--mode=fast"}; c.Program != "node" || !slices.Equal(c.Args, want) {
		t.Errorf("%+v", c)
	}
	if got := fmt.Sprint(c.Env, c.Reads); got != "[{KEY ${HOME} true} {PLAIN /home/ada/x false}] [/a b /c]" {
		t.Errorf("%s", got)
	}
	w := m.Command(`C:\i`, values, System{OS: "windows", Home: `C:\ada`})
	if w.Program != "node.exe" || !slices.Contains(w.Env, Variable{Name: "ONLY", Value: "windows"}) || !slices.Contains(w.Env, Variable{Name: "PLAIN", Value: `C:\ada\x`}) {
		t.Errorf("%+v", w)
	}
	uv, err := Parse([]byte(`{"manifest_version":"0.4","name":"u","version":"1","server":{"type":"uv","entry_point":"src/server.py"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if c := uv.Command("/i", nil, linux); c.Program != "uv" || strings.Join(c.Args, " ") != "run --directory /i src/server.py" {
		t.Errorf("%+v", c)
	}
	bin, err := Parse([]byte(`{"dxt_version":"0.1","name":"b","version":"1","server":{"type":"binary","entry_point":"bin/x","mcp_config":{"command":"bin/x"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if c := bin.Command("/i", nil, linux); c.Program != "/i/bin/x" {
		t.Errorf("%+v", c)
	}
}

// The error about a manifest that goated cannot use gives the reason.
func TestBadManifests(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "not valid", `{}`: "no version that goated knows", `{"manifest_version":"0.9"}`: "Update goated", `{"manifest_version":"0.3"}`: "no name",
		`{"manifest_version":"0.3","name":"a","version":"1","server":{"type":"php"}}`:                                           `type "php"`,
		`{"manifest_version":"0.3","name":"a","version":"1","server":{"type":"node","entry_point":"a"}}`:                        "how the server runs",
		`{"manifest_version":"0.3","name":"a","version":"1","server":{"type":"uv"}}`:                                            "no entry point",
		`{"manifest_version":"0.3","name":"a","version":"1","user_config":{"a b":{}},"server":{"type":"uv","entry_point":"a"}}`: `the name "a b"`,
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte("PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	good, _ := os.ReadFile(packed(f, entry{"manifest.json", manifest, 0}, entry{"server/index.js", "x", 0}))
	f.Add(good)
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "x.mcpb")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := Open(path, "")
		if err != nil {
			return
		}
		defer b.Close()
		folder := Folder{filepath.Join(dir, "bundles")}
		if i, err := folder.Install(t.Context(), b, ""); err == nil {
			i.Manifest.Command(i.Dir, inputs.Values{}, linux)
		}
		entries, _ := os.ReadDir(dir)
		if len(entries) != 2 {
			t.Fatalf("it wrote outside its folder: %v", entries)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(manifest))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if m, err := Parse(data); err == nil {
			values, _ := inputs.Fill(m.Inputs(linux), nil)
			m.Command("/i", values, linux)
		}
	})
}
