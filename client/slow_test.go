//go:build unix

package client_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"goated/client"
)

// A server of the current protocol may need longer to start than goated waits for its first
// answer, as Python does on a busy machine. It still connects. From the second time on, goated
// knows this and starts it only once.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	script, starts := filepath.Join(folder, "slow.py"), filepath.Join(folder, "starts")
	if err := os.WriteFile(script, []byte("import os, time\ntime.sleep(3.5)\nopen('"+starts+"', 'a').write('x')\nos.execv('"+faultyServer.build(t)+"', ['m', 'newest'])\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	limits := client.Timeouts{Connect: 3 * time.Minute} // enough for two starts on a busy machine
	cache := client.CacheOptions{ProtocolCache: filepath.Join(folder, "protocols.json")}
	h := host(t, client.Options{Caches: cache, Timeouts: limits})
	id := connect(t, h, client.Config{Path: script, NoSandbox: true})
	r, err := h.Call(t.Context(), id+"__one", nil, nil)
	if err != nil || said(t, r) != "done" {
		t.Errorf("%v, %v", said(t, r), err)
	}
	h.Close()
	first, err := os.ReadFile(starts)
	if err != nil {
		t.Fatal(err)
	}
	connect(t, host(t, client.Options{Caches: cache, Timeouts: limits}), client.Config{Path: script, NoSandbox: true})
	if both, err := os.ReadFile(starts); err != nil || len(both) != len(first)+1 {
		t.Errorf("the second host started it %d times, %v", len(both)-len(first), err)
	}
}
