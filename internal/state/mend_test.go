package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// spoil makes a file that was saved twice, and damages it.
func spoil(t *testing.T) (f File, damage string) {
	t.Helper()
	f, damage = File{filepath.Join(t.TempDir(), "a [file] of ?.json")}, `{"name": oops`
	if err := errors.Join(f.Save(things{Name: "first"}), f.Save(things{Name: "second"})); err != nil {
		t.Fatal(err)
	}
	put(t, f.Path, damage)
	return f, damage
}

func asides(t *testing.T, f File) (found []string) {
	t.Helper()
	all, err := os.ReadDir(filepath.Dir(f.Path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if strings.Contains(e.Name(), ".corrupt-") {
			found = append(found, filepath.Join(filepath.Dir(f.Path), e.Name()))
		}
	}
	return found
}

// What can't be restored now, as on a full disk, stays where it is, is said to,
// and is restored at a later start.
func TestWhatCannotBeRestoredStays(t *testing.T) {
	f, damage := spoil(t)
	if err := os.Mkdir(f.Path+Part, 0o700); err != nil { // so that nothing can be written
		t.Fatal(err)
	}
	for range 2 {
		var got things
		warning, err := f.Load(&got)
		if err != nil || warning == nil || got.Name != "first" || !strings.Contains(warning.Error(), "could not be set aside") {
			t.Errorf("loaded %+v, %v, %v", got, warning, err)
		}
		if data, err := os.ReadFile(f.Path); err != nil || string(data) != damage {
			t.Errorf("the file holds %q, %v", data, err)
		}
		if found := asides(t, f); len(found) != 0 {
			t.Errorf("left beside it: %v", found)
		}
	}
	if err := os.Remove(f.Path + Part); err != nil {
		t.Fatal(err)
	}
	var got things
	warning, err := f.Load(&got)
	found := asides(t, f)
	if err != nil || len(found) != 1 || warning == nil || !strings.Contains(warning.Error(), "kept as "+found[0]) || got.Name != "first" {
		t.Fatalf("loaded %+v, %v, %v; aside %v", got, warning, err, found)
	}
	if data, err := os.ReadFile(found[0]); err != nil || string(data) != damage {
		t.Errorf("kept is %q, %v", data, err)
	}
}

// A goated that was killed between setting aside and restoring has lost nothing:
// the next start restores, and tells.
func TestARestoringThatWasCutOffIsDone(t *testing.T) {
	f, _ := spoil(t)
	aside := f.aside(time.Now())
	if err := os.Rename(f.Path, aside); err != nil {
		t.Fatal(err)
	}
	var got things
	warning, err := f.Load(&got)
	if err != nil || warning == nil || got.Name != "first" || !strings.Contains(warning.Error(), aside) {
		t.Fatalf("loaded %+v, %v, %v", got, warning, err)
	}
	if err := errors.Join(f.Save(things{Name: "third"}), f.Save(things{Name: "fourth"})); err != nil {
		t.Fatal(err)
	}
	got = things{}
	if warning, err := f.Load(&got); warning != nil || err != nil || got.Name != "fourth" {
		t.Errorf("then %+v, %v, %v", got, warning, err)
	}
}

// Who removes a file that was restored wants the defaults.
func TestARestoredFileThatIsRemovedStaysAway(t *testing.T) {
	f, _ := spoil(t)
	var got things
	if warning, err := f.Load(&got); warning == nil || err != nil || got.Name != "first" {
		t.Fatalf("%+v, %v, %v", got, warning, err)
	}
	if err := os.Remove(f.Path); err != nil {
		t.Fatal(err)
	}
	got = things{}
	if warning, err := f.Load(&got); warning != nil || err != nil || got.Name != "" {
		t.Errorf("without the file %+v, %v, %v", got, warning, err)
	}
}

// On a file system without links the damaged file is kept as a copy.
func TestKeptWithoutLinks(t *testing.T) {
	f, damage := spoil(t)
	aside := f.aside(time.Now())
	none := func(string, string) error { return errors.ErrUnsupported }
	if err := f.replace(aside, []byte(damage), []byte("{}"), none); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(aside)
	now, failed := os.ReadFile(f.Path)
	if string(kept) != damage || string(now) != "{}" {
		t.Errorf("kept is %q, %v; there is %q, %v", kept, err, now, failed)
	}
}
