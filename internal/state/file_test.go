package state

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
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

func TestWhatIsSavedIsLoaded(t *testing.T) {
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

func TestADamagedFileIsSetAsideAndRestored(t *testing.T) {
	for _, damage := range []string{"", "{", `{"name": oops`, "\x00\x00\x00\x00", `[1]`, `{"count":"seven"}`} {
		f := File{filepath.Join(t.TempDir(), "x.json")}
		for _, name := range []string{"first", "second"} {
			if err := f.Save(things{Name: name}); err != nil {
				t.Fatal(err)
			}
		}
		put(t, f.Path, damage)
		if err := f.Save(things{Name: "third"}); err == nil {
			t.Errorf("%q was written over", damage)
		}
		var got things
		warning, err := f.Load(&got)
		if err != nil || warning == nil || got.Name != "first" {
			t.Errorf("%q: loaded %+v, %v, %v", damage, got, warning, err)
		}
		aside, _ := filepath.Glob(f.Path + ".corrupt-*")
		if len(aside) != 1 {
			t.Fatalf("%q: set aside: %v", damage, aside)
		}
		if data, _ := os.ReadFile(aside[0]); string(data) != damage {
			t.Errorf("%q was kept as %q", damage, data)
		}
		if !strings.Contains(warning.Error(), aside[0]) {
			t.Errorf("the warning does not say where it is: %v", warning)
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

// Halves of a save are not seen by anyone, and none is lost: each of many
// writers adds what it has to what is there.
func TestWritersDoNotLoseEachOthersMembers(t *testing.T) {
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
	all.Wait()
	data, _ := os.ReadFile(f.Path)
	if !strings.Contains(string(data), `"Other": 20`) || !strings.Contains(string(data), `"count": 20`) {
		t.Errorf("the file holds %s", data)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(f.Path), "*")); len(left) > 3 {
		t.Errorf("left behind: %v", left)
	}
}

// TestMain lets the test be the process that is killed while it saves.
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

// What was acknowledged before a kill is there after it.
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
		said := make([]byte, 4096)
		n := 0
		for wanted := 5 + 3*round; n < wanted; {
			more, err := out.Read(said[n:])
			if err != nil {
				t.Fatal(err)
			}
			n += more
		}
		if err := saver.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		rest, _ := out.Read(said[n:])
		_ = saver.Wait()
		lines := strings.Fields(string(said[:n+max(rest, 0)]))
		acknowledged, _ := strconv.Atoi(lines[len(lines)-2]) // the last may be cut
		var got things
		if warning, err := f.Load(&got); warning != nil || err != nil || got.Count < acknowledged {
			t.Fatalf("round %d: %d was acknowledged, and there is %d, %v, %v", round, acknowledged, got.Count, warning, err)
		}
	}
}
