//go:build unix

package client_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// The second start of a server that ignores server/discover does not wait for an answer to it.
// A cache that cannot be decoded is renamed and replaced.
func TestProtocolCache(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "protocols.json")
	if err := os.WriteFile(cache, []byte("{rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := func(args ...string) time.Duration {
		h := host(t, client.Options{Caches: client.CacheOptions{ProtocolCache: cache}})
		began := time.Now()
		connect(t, h, misbehave(t, append([]string{"silent"}, args...)...))
		took := time.Since(began)
		h.Close()
		return took
	}
	first, second := start(), start()
	if first < 3*time.Second || second >= 3*time.Second {
		t.Errorf("the first start took %v, the second %v", first, second)
	}
	left, _ := filepath.Glob(cache + ".*")
	left = slices.DeleteFunc(left, func(path string) bool { return strings.HasSuffix(path, ".lock") })
	if len(left) != 1 || !strings.Contains(left[0], ".corrupt-") {
		t.Errorf("left behind: %v", left)
	}
	// A wrong entry is corrected.
	data, err := os.ReadFile(cache)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cache, []byte(strings.ReplaceAll(string(data), "2025-11-25", "1999-01-01")), 0o600); err != nil {
		t.Fatal(err)
	}
	if third := start(); third < 3*time.Second {
		t.Errorf("with an unknown version in the cache, the start took %v", third)
	}
	// The arguments are part of the cache key.
	if third := start("other"); third < 3*time.Second {
		t.Errorf("the first start with another argument took %v", third)
	}
	if fourth := start("other"); fourth >= 3*time.Second {
		t.Errorf("the second start with another argument took %v", fourth)
	}
}

// A change of a script's size, its modification time or its environment invalidates the cache
// entry. A wrong entry does no harm.
func TestProtocolCacheOfChangedServer(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "protocols.json")
	raw, err := os.ReadFile(servertest.Script("raw.py"))
	if err != nil {
		t.Fatal(err)
	}
	// The server writes each request's method to stderr.
	noted := strings.Replace(string(raw), `method, id = request.get("method"), request.get("id")`, `method, id = request.get("method"), request.get("id")
    print("asked", method, file=sys.stderr)`, 1)
	script := filepath.Join(t.TempDir(), "s.py")
	write := func(text string) {
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start := func(env ...string) (first string) {
		h := host(t, client.Options{Caches: client.CacheOptions{ProtocolCache: cache}})
		defer h.Close()
		id := connect(t, h, client.Config{Path: script, Env: env})
		waittest.Until(t, "the server notes its first request", func() (ok bool) {
			for _, line := range logLines(h, id) {
				if first, ok = strings.CutPrefix(line, "asked "); ok {
					return true
				}
			}
			return false
		})
		return first
	}
	const discovers, knows = "server/discover", "initialize"
	now := time.Now().Truncate(time.Second)
	touch := func(at time.Time) {
		if err := os.Chtimes(script, at, at); err != nil {
			t.Fatal(err)
		}
	}
	write(noted)
	touch(now)
	for _, step := range []struct {
		name, want string
		change     func()
		env        []string
	}{
		{"the first start", discovers, func() {}, nil},
		{"the second", knows, func() {}, nil},
		{"of another time", discovers, func() { touch(now.Add(-time.Hour)) }, nil},
		{"of that time again", knows, func() {}, nil},
		{"of another size", discovers, func() { write(noted + "\n"); touch(now.Add(-time.Hour)) }, nil},
		{"in another environment", discovers, func() {}, []string{"MODE=x"}},
		{"in that again", knows, func() {}, []string{"MODE=x"}},
		{"in the first", knows, func() {}, nil},
	} {
		step.change()
		if got := start(step.env...); got != step.want {
			t.Errorf("%s: the first request is %q, not %q", step.name, got, step.want)
		}
	}
	// An update of an imported module changes neither the size nor the time of the script. The
	// cache entry is therefore wrong now, and must be corrected.
	body := filepath.Join(filepath.Dir(script), "body.py")
	if err := os.WriteFile(body, []byte(noted), 0o600); err != nil {
		t.Fatal(err)
	}
	write("exec(open('" + body + "').read())\n")
	if got := start(); got != discovers {
		t.Fatalf("the first request is %q", got)
	}
	modern := strings.Replace(noted, `"error": {"code": -32601, "message": "Method not found"}`,
		`"result": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "serverInfo": {"name": "raw", "version": "2"}, "ttlMs": 0, "cacheScope": "private", "resultType": "complete"}`, 1)
	modern = strings.Replace(modern, `if mode == "refuses":`, `if True:`, 1) // the old handshake
	if err := os.WriteFile(body, []byte(modern), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := start(); got != discovers {
			t.Errorf("after the update the first request is %q", got)
		}
	}
}
