package ghost

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"goated/internal/waittest"
)

func drop(key string) args { return args{"key": key} }

// A fact can be forgotten. Afterwards neither the file nor its backup contains it. All other facts
// are unchanged.
func TestForgottenFactIsGone(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	write(t, b.memory.path, `{"coffee":"flat white","pin":"4711","n":12345678901234567890}`)
	if got := c.succeed("forget_fact", drop("pin")); got != "Memory removed: pin = 4711" {
		t.Errorf("forget: %q", got)
	}
	want := "{\n  \"coffee\": \"flat white\",\n  \"n\": 12345678901234567890\n}\n"
	if got := content(t, b.memory.path); got != want {
		t.Errorf("file %s, want %s", got, want)
	}
	for _, name := range readNames(t, filepath.Dir(b.memory.path)) {
		if strings.Contains(content(t, filepath.Join(filepath.Dir(b.memory.path), name)), "4711") {
			t.Errorf("%s still holds the fact", name)
		}
	}
	if got := c.succeed("manage_memory", recall("pin")); !strings.HasPrefix(got, "No memory found for key: pin") {
		t.Errorf("read: %q", got)
	}
	// The fact does not come back if the file is damaged.
	write(t, b.memory.path, "")
	c.fail("now has the content of its backup", "manage_memory", recall("pin"))
	if got := content(t, b.memory.path); got != want {
		t.Errorf("the backup was %s, want %s", got, want)
	}
	if log := b.log.String(); strings.Count(log, "Tool invoked: forget_fact") != 1 || strings.Contains(log, "4711") {
		t.Errorf("log\n%s", log)
	}
}

// A save that failed after it had made the backup leaves the memory and the backup as one file. Then a fact
// is forgotten all the same. It used to stay in the backup, also after further calls.
func TestForgottenFactIsGoneAfterAFailedSave(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	c.succeed("manage_memory", remember("pin", "4711"))
	c.succeed("manage_memory", remember("coffee", "flat white"))
	backup := b.memory.path + ".bak"
	os.Remove(backup)
	if err := os.Link(b.memory.path, backup); err != nil {
		t.Skip(err) // the file system has no hard links
	}
	c.succeed("forget_fact", drop("pin"))
	dir := filepath.Dir(b.memory.path)
	for _, name := range readNames(t, dir) {
		if strings.HasSuffix(name, ".tmp") || strings.Contains(content(t, filepath.Join(dir, name)), "4711") {
			t.Errorf("%s is left, or still holds the fact", name)
		}
	}
}

// A name without a fact removes nothing, and the answer lists the closest names. No name can look
// like several names.
func TestForgetNamesTheClosestFacts(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	const missing = `Nothing is stored under the name "dentist", so nothing was removed.`
	for _, tt := range []struct{ facts, want string }{
		{`{}`, missing + " The memory is empty."},
		{`{"dentist appointment":"Monday","Dentist's phone":"12","boss":"Ada"}`, missing + "\nSimilar names:\n- Dentist's phone\n- dentist appointment"},
		{`{"boss":"Ada"}`, missing + "\nStored names:\n- boss"},
		{`{"dentist a\n- boss":"x","dentist b":"y"}`, missing + "\nSimilar names:\n- dentist b\n- dentist a - boss"},
	} {
		write(t, b.memory.path, tt.facts)
		if got := c.succeed("forget_fact", drop("dentist")); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.facts, got, tt.want)
		}
		if got := content(t, b.memory.path); got != tt.facts {
			t.Errorf("%s became %s", tt.facts, got)
		}
	}
	// A key can be forgotten as the list shows it, even if it has several lines or is long.
	long := strings.Repeat("dentist ", 50)
	write(t, b.memory.path, fmt.Sprintf(`{"dentist a\n- boss":"x","dentist b":"y",%q:"z"}`, long))
	for _, line := range strings.Split(c.succeed("forget_fact", drop("dentist")), "\n- ")[1:] {
		if got := c.succeed("forget_fact", drop(line)); !strings.HasPrefix(got, "Memory removed: dentist ") {
			t.Errorf("%s: %q", line, got)
		}
	}
	if got := content(t, b.memory.path); got != "{}\n" {
		t.Errorf("left: %s", got)
	}
}

// If several servers forget facts at the same time, none restores a fact that another one removed.
func TestForgetIsLocked(t *testing.T) {
	b := newBench(t)
	const n = 16
	var facts []string
	for i := range n {
		facts = append(facts, fmt.Sprintf(`"k%d":"v"`, i))
	}
	write(t, b.memory.path, "{"+strings.Join(facts, ",")+"}")
	var wg sync.WaitGroup
	for i := range n {
		other := newBench(t)
		other.memory.path = b.memory.path
		c := other.connect(t, nil)
		wg.Go(func() {
			if text, isError := c.call("forget_fact", drop(fmt.Sprintf("k%d", i))); isError || text != fmt.Sprintf("Memory removed: k%d = v", i) {
				t.Errorf("k%d: %q", i, text)
			}
		})
	}
	waittest.Return(t, "all calls end", wg.Wait)
	if got := content(t, b.memory.path); got != "{}\n" {
		t.Errorf("left: %s", got)
	}
}

// If the memory cannot be written, the fact stays, and the error says so.
func TestForgetFails(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root writes everywhere")
	}
	b := newBench(t)
	c := b.connect(t, nil)
	write(t, b.memory.path, `{"k":"v"}`)
	write(t, b.memory.path+".lock", "")
	if err := os.Chmod(filepath.Dir(b.memory.path), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Dir(b.memory.path), 0o700)
	c.fail("clippy_memory.json", "forget_fact", drop("k"))
	if got := content(t, b.memory.path); got != `{"k":"v"}` {
		t.Errorf("the memory became %s", got)
	}
}
