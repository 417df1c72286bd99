package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// damagedFile saves a file twice and then damages it.
func damagedFile(t *testing.T) (f File, damage string) {
	t.Helper()
	f, damage = File{filepath.Join(t.TempDir(), "a [file] of ?.json")}, `{"name": oops`
	if err := errors.Join(f.Save(things{Name: "first"}), f.Save(things{Name: "second"})); err != nil {
		t.Fatal(err)
	}
	put(t, f.Path, damage)
	return f, damage
}

// quarantinedFiles lists the quarantined copies of a file.
func quarantinedFiles(t *testing.T, f File) (found []string) {
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

// If a file cannot be restored, for example on a full disk, it stays, and Load returns a warning. A
// later start restores it.
func TestFailedRecoveryIsRepeated(t *testing.T) {
	f, damage := damagedFile(t)
	if err := os.Mkdir(f.Path+Part, 0o700); err != nil { // so that nothing can be written
		t.Fatal(err)
	}
	for range 2 {
		var got things
		warning, err := f.Load(&got)
		if err != nil || warning == nil || got.Name != "first" || !strings.Contains(warning.Error(), "could not be renamed") {
			t.Errorf("loaded %+v, %v, %v", got, warning, err)
		}
		if data, err := os.ReadFile(f.Path); err != nil || string(data) != damage {
			t.Errorf("the file holds %q, %v", data, err)
		}
		if found := quarantinedFiles(t, f); len(found) != 0 {
			t.Errorf("files beside it: %v", found)
		}
	}
	if err := os.Remove(f.Path + Part); err != nil {
		t.Fatal(err)
	}
	var got things
	warning, err := f.Load(&got)
	found := quarantinedFiles(t, f)
	if err != nil || len(found) != 1 || warning == nil || !strings.Contains(warning.Error(), "kept as "+found[0]) || got.Name != "first" {
		t.Fatalf("loaded %+v, %v, %v; quarantined %v", got, warning, err, found)
	}
	if data, err := os.ReadFile(found[0]); err != nil || string(data) != damage {
		t.Errorf("the copy holds %q, %v", data, err)
	}
}

// If a process was killed after it quarantined a file, the next start restores the backup
// and warns.
func TestInterruptedRecoveryIsCompleted(t *testing.T) {
	f, _ := damagedFile(t)
	kept := f.quarantineName(time.Now())
	if err := os.Rename(f.Path, kept); err != nil {
		t.Fatal(err)
	}
	var got things
	warning, err := f.Load(&got)
	if err != nil || warning == nil || got.Name != "first" || !strings.Contains(warning.Error(), kept) {
		t.Fatalf("loaded %+v, %v, %v", got, warning, err)
	}
	if data, err := os.ReadFile(f.Path); err != nil || !strings.Contains(string(data), "first") || strings.Contains(warning.Error(), "could not be restored") {
		t.Errorf("the file holds %q, %v, and the warning is %v", data, err, warning)
	}
	if err := errors.Join(f.Save(things{Name: "third"}), f.Save(things{Name: "fourth"})); err != nil {
		t.Fatal(err)
	}
	got = things{}
	if warning, err := f.Load(&got); warning != nil || err != nil || got.Name != "fourth" {
		t.Errorf("then %+v, %v, %v", got, warning, err)
	}
}

// If the user removes a restored file, they get the defaults.
func TestRemovedFileIsNotRestoredAgain(t *testing.T) {
	f, _ := damagedFile(t)
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

// On a file system without hard links, Load keeps a copy of the damaged file.
func TestQuarantineWithoutLinks(t *testing.T) {
	f, damage := damagedFile(t)
	kept := f.quarantineName(time.Now())
	none := func(string, string) error { return errors.ErrUnsupported }
	if err := f.replace(kept, []byte(damage), []byte("{}"), none); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(kept)
	now, failed := os.ReadFile(f.Path)
	if string(copied) != damage || string(now) != "{}" {
		t.Errorf("the copy holds %q, %v; the file holds %q, %v", copied, err, now, failed)
	}
}
