//go:build amd64 || arm64

package sandbox

import (
	"os"
	"runtime"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// Work that permanently changes a thread must not run on the main thread, which never exits.
// Afterwards /proc/self would show the network and the rules of that work.
func TestMainThreadIsLeftAlone(t *testing.T) {
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 50 {
				onThreadThatEnds(func() {
					if unix.Gettid() == os.Getpid() {
						t.Error("it runs on the main thread")
					}
				})
				runtime.Gosched()
			}
		})
	}
	all.Wait()
}
