package state

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"goated/internal/waittest"
)

type things struct {
	Name  string   `json:"name,omitempty"`
	Count int      `json:"count,omitempty"`
	List  []string `json:"list,omitempty"`
}

func put(t *testing.T, path, data string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSaveAndLoad(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "none", "yet", "x.json")}
	var got things
	if warning, err := f.Load(&got); warning != nil || err != nil {
		t.Fatalf("no file: %v, %v", warning, err)
	}
	for _, s := range []things{{Name: "a", Count: 1}, {Count: 2}, {}} {
		if err := f.Save(s); err != nil {
			t.Fatal(err)
		}
		got = things{}
		if warning, err := f.Load(&got); warning != nil || err != nil || got.Name != s.Name || got.Count != s.Count {
			t.Fatalf("saved %+v, loaded %+v, %v, %v", s, got, warning, err)
		}
	}
	if info, err := os.Stat(f.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
}

func TestUnknownMembersStay(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "x.json")}
	put(t, f.Path, `{"name":"old","count":3,"future":{"a":[1,2]}}`)
	if err := f.Save(things{Count: 4}); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(f.Path)
	if got := string(data); !strings.Contains(got, `"future"`) || !strings.Contains(got, `"count": 4`) || strings.Contains(got, "name") {
		t.Errorf("the file holds %s", got)
	}
	if before, _ := os.ReadFile(f.Path + ".bak"); !strings.Contains(string(before), `"old"`) {
		t.Errorf("the backup holds %s", before)
	}
}

func TestDamagedFileIsQuarantinedAndRestored(t *testing.T) {
	for _, damage := range []string{"", "{", `{"name": oops`, "\x00\x00\x00\x00", `[1]`, `{"count":"seven"}`} {
		f := File{filepath.Join(t.TempDir(), "x.json")}
		for _, name := range []string{"first", "second"} {
			if err := f.Save(things{Name: name}); err != nil {
				t.Fatal(err)
			}
		}
		put(t, f.Path, damage)
		if err := f.Save(things{Name: "third"}); err == nil {
			t.Errorf("%q was overwritten", damage)
		}
		var got things
		warning, err := f.Load(&got)
		if err != nil || warning == nil || got.Name != "first" {
			t.Errorf("%q: loaded %+v, %v, %v", damage, got, warning, err)
		}
		kept, _ := filepath.Glob(f.Path + ".corrupt-*")
		if len(kept) != 1 {
			t.Fatalf("%q: quarantined: %v", damage, kept)
		}
		if data, _ := os.ReadFile(kept[0]); string(data) != damage {
			t.Errorf("%q was kept as %q", damage, data)
		}
		if !strings.Contains(warning.Error(), kept[0]) {
			t.Errorf("the warning does not name the file: %v", warning)
		}
		got = things{}
		if warning, err := f.Load(&got); warning != nil || err != nil || got.Name != "first" {
			t.Errorf("%q: the second time: %+v, %v, %v", damage, got, warning, err)
		}
		if err := f.Save(things{Name: "third"}); err != nil {
			t.Errorf("%q: saving after it: %v", damage, err)
		}
	}
}

// One member with a wrong type, written by a person or another version, reset all other members.
func TestOneWrongMemberLosesNoOther(t *testing.T) {
	for _, backup := range []bool{false, true} {
		f := File{filepath.Join(t.TempDir(), "x.json")}
		if backup {
			for _, name := range []string{"first", "second"} {
				if err := f.Save(things{Name: name}); err != nil {
					t.Fatal(err)
				}
			}
		}
		put(t, f.Path, `{"name":"mine","count":"seven","newer":true}`)
		var got things
		warning, err := f.Load(&got)
		if err != nil || got.Name != "mine" || warning == nil || !strings.Contains(warning.Error(), "all of it but count") {
			t.Fatalf("loaded %+v, %v, %v", got, warning, err)
		}
		if kept, _ := filepath.Glob(f.Path + ".corrupt-*"); len(kept) != 1 {
			t.Errorf("the file was not kept: %v", kept)
		}
		if warning, err := f.Load(&got); warning != nil || err != nil || got.Name != "mine" {
			t.Errorf("the second time: %+v, %v, %v", got, warning, err)
		}
		if data, _ := os.ReadFile(f.Path); !strings.Contains(string(data), `"newer"`) {
			t.Errorf("a member of another version is lost: %s", data)
		}
	}
}

func TestTwoDamagedFilesGiveTheDefaults(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "x.json")}
	put(t, f.Path, "{")
	put(t, f.Path+".bak", "{")
	got := things{Name: "default"}
	if warning, err := f.Load(&got); err != nil || warning == nil || got.Name != "default" {
		t.Errorf("loaded %+v, %v, %v", got, warning, err)
	}
	if err := f.Save(got); err != nil {
		t.Error(err)
	}
}

// Readers never see half of a save, and writers of different fields do not overwrite each other's
// values.
func TestConcurrentWriters(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "x.json")}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 20 {
				if err := f.Save(things{Count: i + 1}); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for i := range 20 {
				if err := f.Save(struct{ Other int }{i + 1}); err != nil {
					t.Error(err)
				}
				var got things
				if warning, err := f.Load(&got); warning != nil || err != nil {
					t.Error(warning, err)
				}
			}
		})
	}
	waittest.Return(t, "all writers end", all.Wait)
	data, _ := os.ReadFile(f.Path)
	if !strings.Contains(string(data), `"Other": 20`) || !strings.Contains(string(data), `"count": 20`) {
		t.Errorf("the file holds %s", data)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(f.Path), "*")); len(left) > 3 {
		t.Errorf("left behind: %v", left)
	}
}

// TestMain also runs the process that TestKilledSaversLoseNothing kills.
func TestMain(m *testing.M) {
	if path := os.Getenv("STATE_TEST_SAVE"); path != "" {
		for i := 1; ; i++ {
			if err := (File{path}).Save(things{Name: strings.Repeat("x", 10_000), Count: i}); err != nil {
				panic(err)
			}
			if _, err := os.Stdout.WriteString(strconv.Itoa(i) + "\n"); err != nil {
				panic(err)
			}
		}
	}
	os.Exit(m.Run())
}

// If a saver is killed, no acknowledged save is lost.
func TestKilledSaversLoseNothing(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "x.json")}
	for round := range 20 {
		saver := exec.Command(os.Args[0])
		saver.Env = append(os.Environ(), "STATE_TEST_SAVE="+f.Path)
		out, err := saver.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := saver.Start(); err != nil {
			t.Fatal(err)
		}
		output := make([]byte, 4096)
		n := 0
		for wanted := 5 + 3*round; n < wanted; {
			more, err := out.Read(output[n:])
			if err != nil {
				t.Fatal(err)
			}
			n += more
		}
		if err := saver.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		rest, _ := out.Read(output[n:])
		_ = saver.Wait()
		lines := strings.Fields(string(output[:n+max(rest, 0)]))
		acknowledged, _ := strconv.Atoi(lines[len(lines)-2]) // the last line may be incomplete
		var got things
		if warning, err := f.Load(&got); warning != nil || err != nil || got.Count < acknowledged {
			t.Fatalf("round %d: acknowledged %d, loaded %d, %v, %v", round, acknowledged, got.Count, warning, err)
		}
	}
}
