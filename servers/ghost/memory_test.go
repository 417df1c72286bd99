package ghost

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/waittest"
)

func recall(key string) args          { return args{"action": "read", "key": key} }
func remember(key, value string) args { return args{"action": "write", "key": key, "value": value} }

func TestMemory(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	path := b.memory.path

	if got := c.succeed("manage_memory", recall("angerLevel")); got != "No memory found for key: angerLevel" {
		t.Errorf("unknown key: %q", got)
	}
	if got := content(t, path); got != "{}\n" {
		t.Errorf("a first read leaves %q, want an empty object", got)
	}
	if got := c.succeed("manage_memory", remember("name", "Ada <ada@x> & co")); got != "Memory updated: name = Ada <ada@x> & co" {
		t.Errorf("write: %q", got)
	}
	if got := c.succeed("manage_memory", recall("name")); got != "Memory value for name: Ada <ada@x> & co" {
		t.Errorf("read: %q", got)
	}
	c.succeed("manage_memory", remember("angerLevel", "3"))
	c.succeed("manage_memory", remember("empty", ""))
	if got := c.succeed("manage_memory", recall("empty")); got != "Memory value for empty: " {
		t.Errorf("an empty string: %q", got)
	}
	c.succeed("manage_memory", remember("angerLevel", "4"))
	if got, want := content(t, path), `{
  "angerLevel": "4",
  "empty": "",
  "name": "Ada <ada@x> & co"
}
`; got != want {
		t.Errorf("file\n%swant\n%s", got, want)
	}
	if info, _ := os.Stat(path); info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, want private", info.Mode())
	}
	if names := readNames(t, filepath.Dir(path)); len(names) != 3 { // the memory, its backup, and the lock
		t.Errorf("litter: %q", names)
	}
	c.fail("Value is required for write action", "manage_memory", args{"action": "write", "key": "k"})
}

// A password is stored in a plain text file, and the answer says so. The first text of the answer
// is the one in seed 000.
func TestRememberedPasswordsAreNoted(t *testing.T) {
	c := newBench(t).connect(t, nil)
	for key, noted := range map[string]bool{"wifi password": true, "API key": true, "coffee": false, "keyboard": false} {
		res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "manage_memory", Arguments: remember(key, "x")})
		if err != nil || res.IsError {
			t.Fatal(res, err)
		}
		if got := res.Content[0].(*mcp.TextContent).Text; got != "Memory updated: "+key+" = x" {
			t.Errorf("%s: %q", key, got)
		}
		if got := len(res.Content) == 2 && strings.Contains(res.Content[1].(*mcp.TextContent).Text, "plain text file"); got != noted {
			t.Errorf("%s: noted %v, want %v", key, got, noted)
		}
	}
}

func TestMemoryHandEdits(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	write(t, b.memory.path, "\ufeff"+`{"z":"last","n":12345678901234567890,"o":{"b": [1, 2],
		"a":"<&>"},"nil":null,"t":true,"u":"\u00e9"}`)
	os.Chmod(b.memory.path, 0o640)
	for key, want := range map[string]string{
		"n": "12345678901234567890", "o": `{"b":[1,2],"a":"<&>"}`, "nil": "null", "t": "true", "u": "é", "z": "last",
	} {
		if got := c.succeed("manage_memory", recall(key)); got != "Memory value for "+key+": "+want {
			t.Errorf("%s: %q", key, got)
		}
	}
	c.succeed("manage_memory", remember("a", "new"))
	if got, want := content(t, b.memory.path), `{
  "a": "new",
  "n": 12345678901234567890,
  "nil": null,
  "o": {
    "b": [
      1,
      2
    ],
    "a": "<&>"
  },
  "t": true,
  "u": "\u00e9",
  "z": "last"
}
`; got != want {
		t.Errorf("file\n%s\nwant\n%s", got, want)
	}
	if info, _ := os.Stat(b.memory.path); info.Mode() != 0o640 {
		t.Errorf("mode %v was 0640", info.Mode())
	}

	os.WriteFile(b.memory.path, nil, 0o600)
	os.Remove(b.memory.path + ".bak")
	c.succeed("manage_memory", recall("a")) // an empty file is an empty memory
}

func TestMemoryDamaged(t *testing.T) {
	for name, damage := range map[string]string{
		"cut":      `{"name": "Ad`,
		"array":    `["name"]`,
		"string":   `"name"`,
		"null":     `null`,
		"trailing": `{"a":"b"} x`,
		"binary":   "\x00\x01",
	} {
		for _, call := range []args{recall("k"), remember("k", "v")} {
			t.Run(fmt.Sprint(name, " ", call["action"]), func(t *testing.T) {
				b := newBench(t)
				b.memory.now = func() time.Time { return time.Date(2025, 12, 4, 10, 30, 15, 0, time.UTC) }
				c := b.connect(t, nil)
				keep := b.memory.path + ".corrupt-20251204T103015Z"
				write(t, keep, "an earlier victim of the same second")

				write(t, b.memory.path, damage)
				text := c.fail(filepath.Base(keep)+"-2", "manage_memory", call)
				if strings.Contains(text, filepath.Dir(b.memory.path)) {
					t.Errorf("the error shows the directory: %q", text)
				}
				if got := content(t, keep+"-2"); got != damage {
					t.Errorf("kept %q, want %q", got, damage)
				}
				if content(t, keep) != "an earlier victim of the same second" {
					t.Error("an older file was overwritten")
				}
				c.succeed("manage_memory", call)
				if call["action"] == "write" {
					c.succeed("manage_memory", recall("k"))
				}
			})
		}
	}
}

// The backup replaces a damaged memory, and the error says so. A damaged backup is not used.
func TestMemoryComesBackFromItsBackup(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	c.succeed("manage_memory", remember("name", "Ada"))
	c.succeed("manage_memory", remember("pet", "owl"))
	write(t, b.memory.path, `{"name": "Ad`)
	if got := c.fail("now has the content of its backup", "manage_memory", remember("pet", "cat")); !strings.Contains(got, "clippy_memory.json.corrupt-") {
		t.Errorf("what became of it is not told: %s", got)
	}
	if got := c.succeed("manage_memory", recall("name")); got != "Memory value for name: Ada" {
		t.Errorf("it came back as %q", got)
	}
	if got := c.succeed("manage_memory", recall("pet")); got != "No memory found for key: pet" {
		t.Errorf("of before the last change is %q", got)
	}
	c.succeed("manage_memory", remember("pet", "cat"))
	write(t, b.memory.path, "x")
	write(t, b.memory.path+".bak", "y")
	c.fail("start with an empty memory", "manage_memory", recall("name"))
	if content(t, b.memory.path+".bak") != "y" {
		t.Error("a damaged backup was not left alone")
	}
	c.succeed("manage_memory", remember("name", "Eve"))
}

// Some crashes leave an empty file. The backup replaces it, the error says so, and no later change
// makes the empty file the backup.
func TestMemoryEmptiedComesBack(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	c.succeed("manage_memory", remember("name", "Ada"))
	c.succeed("manage_memory", remember("pet", "owl"))
	for range 2 {
		write(t, b.memory.path, "")
		c.fail("now has the content of its backup", "manage_memory", remember("pet", "cat"))
		if got := c.succeed("manage_memory", recall("name")); got != "Memory value for name: Ada" {
			t.Errorf("it came back as %q", got)
		}
	}
	os.Remove(b.memory.path + ".bak")
	write(t, b.memory.path, "")
	c.succeed("manage_memory", remember("name", "Eve"))
	if _, err := os.Stat(b.memory.path + ".bak"); err == nil {
		t.Error("an empty file is the backup")
	}
}

// The user may edit the file in place. This does not change the backup.
func TestMemoryBackupIsAFileOfItsOwn(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	for _, v := range []string{"1", "2", "3"} {
		c.succeed("manage_memory", remember("k", v))
	}
	if err := os.WriteFile(b.memory.path, []byte(`{"k":"by hand"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := content(t, b.memory.path+".bak"); !strings.Contains(got, `"2"`) {
		t.Errorf("the backup is %s", got)
	}
	c.succeed("manage_memory", remember("l", "4"))
	if got := content(t, b.memory.path+".bak"); got != `{"k":"by hand"}` {
		t.Errorf("the backup is %s", got)
	}
}

func TestMemoryLimits(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	key, value := strings.Repeat("k", maxKey), strings.Repeat("é", maxValue/2)
	if got, end := c.succeed("manage_memory", remember(key, value)), fmt.Sprintf("… (%d bytes in all)", maxValue); !strings.HasSuffix(got, end) || len(got) > 2*maxKey {
		t.Errorf("the answer to a long value has %d bytes", len(got))
	}
	if got := c.succeed("manage_memory", recall(key)); got != "Memory value for "+key+": "+value {
		t.Error("the largest value does not come back")
	}
	c.fail("limit is 1024", "manage_memory", remember(key+"k", "v"))
	c.fail("limit is 1024", "manage_memory", recall(key+"k"))
	c.fail("limit is 65536", "manage_memory", remember("k", value+"x"))

	filler := strings.Repeat("x", maxMemory-len("{\n  \"filler\": \"\",\n  \"k\": \"\"\n}\n"))
	write(t, b.memory.path, fmt.Sprintf(`{"filler":%q}`, filler))
	c.succeed("manage_memory", remember("k", ""))
	if info, _ := os.Stat(b.memory.path); info.Size() != maxMemory {
		t.Errorf("size %d, want the limit of %d", info.Size(), maxMemory)
	}
	before := content(t, b.memory.path)
	c.fail("full", "manage_memory", remember("k", "v"))
	if content(t, b.memory.path) != before {
		t.Error("a refused write changed the file")
	}
	write(t, b.memory.path, before+" ")
	c.fail("larger than the limit", "manage_memory", recall("k"))
	if content(t, b.memory.path) != before+" " {
		t.Error("a file that is too large was not left alone")
	}
}

func TestMemoryIsNotAFile(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	victim := filepath.Join(t.TempDir(), "victim")
	write(t, victim, "safe")
	for _, name := range []string{b.memory.path, b.memory.path + ".lock"} {
		if err := os.Symlink(victim, name); err != nil {
			t.Skip(err)
		}
		c.fail("not a regular file", "manage_memory", remember("k", "v"))
		c.fail("not a regular file", "manage_memory", recall("k"))
		os.Remove(name)
		os.Mkdir(name, 0o755)
		c.fail("not a regular file", "manage_memory", recall("k"))
		os.Remove(name)
	}
	if content(t, victim) != "safe" {
		t.Error("written through a link")
	}
	os.RemoveAll(filepath.Dir(b.memory.path))
	write(t, filepath.Dir(b.memory.path), "a file where the folder should be")
	if got := c.fail("clippy_memory.json", "manage_memory", recall("k")); strings.Contains(got, filepath.Dir(b.memory.path)) {
		t.Errorf("the error shows the directory: %q", got)
	}
}

func TestMemoryBusy(t *testing.T) {
	b := newBench(t)
	b.memory.wait = 100 * time.Millisecond
	c := b.connect(t, nil)
	lock := flock.New(b.memory.path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	c.fail("in use by another program", "manage_memory", remember("k", "v"))
	lock.Close()
	c.succeed("manage_memory", remember("k", "v"))
}

// rememberRole runs as another process that writes its own keys.
func rememberRole() {
	g := newGhost(Options{Memory: os.Getenv("GHOST_TEST_MEMORY")})
	id := os.Getenv("GHOST_TEST_ID")
	n, _ := strconv.Atoi(os.Getenv("GHOST_TEST_COUNT"))
	v := "v" + id
	for i := range n {
		call := memoryArgs{Action: "write", Key: fmt.Sprintf("%s-%d", id, i), Value: &v}
		if _, _, err := g.memory.manage(context.Background(), nil, call); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func TestMemoryProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clippy_memory.json")
	const processes, each = 3, 60
	stop := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if data, err := os.ReadFile(path); err == nil && !json.Valid(data) {
				t.Errorf("a part of the file was visible: %q", data)
			}
		}
	})
	var running []*exec.Cmd
	for id := range processes {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "GHOST_TEST_ROLE=remember", "GHOST_TEST_MEMORY="+path,
			fmt.Sprint("GHOST_TEST_ID=", id), fmt.Sprint("GHOST_TEST_COUNT=", each))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	reader.Wait()
	var got map[string]string
	if err := json.Unmarshal([]byte(content(t, path)), &got); err != nil {
		t.Fatal(err)
	}
	for id := range processes {
		for i := range each {
			if key := fmt.Sprintf("%d-%d", id, i); got[key] != fmt.Sprint("v", id) {
				t.Errorf("%s is lost", key)
			}
		}
	}
}

// Concurrent calls of one server lose no key.
func TestMemoryConcurrently(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			if text, isError := c.call("manage_memory", remember(fmt.Sprint(i), "v")); isError {
				t.Error(text)
			}
		})
	}
	waittest.Return(t, "all calls end", wg.Wait)
	var got map[string]string
	json.Unmarshal([]byte(content(t, b.memory.path)), &got)
	if len(got) != 40 {
		t.Errorf("%d of 40 keys are left", len(got))
	}
}

// The memory is a text file that anyone can read, and a user who stores a password in it gets a
// warning.
func TestMemoryWarnsOfSecrets(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	for key, warned := range map[string]bool{"github_token": true, "door password": true, "favourite colour": false} {
		if _, note := c.texts(remember(key, "x")); strings.Contains(note, "A password manager") != warned {
			t.Errorf("%s: %q", key, note)
		}
	}
}
