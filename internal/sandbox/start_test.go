//go:build linux

package sandbox

import (
	"os/exec"
	"testing"
)

// What a sandbox adds to a start: the same program without, and within.
func BenchmarkStart(b *testing.B) {
	program, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	p := For(program, "", b.TempDir(), nil)
	for b.Loop() {
		cmd := exec.Command(program)
		if s, err := Start(cmd, p); err != nil || !s.Confined() {
			b.Fatal(s, err)
		}
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStartWithoutSandbox(b *testing.B) {
	program, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	for b.Loop() {
		if err := exec.Command(program).Run(); err != nil {
			b.Fatal(err)
		}
	}
}
