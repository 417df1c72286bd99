package apps

import (
	"os/exec"
	"testing"

	"goated/internal/waittest"
)

// A program may handle a key on another thread than its first. Busy looked only at the first thread,
// so text after Tab was typed while the program was still moving the focus to a password field.
func TestAProgramIsBusyOnAnyThread(t *testing.T) {
	cmd := exec.Command("python3", "-c", "import threading, time\ndef spin():\n  while True: pass\nthreading.Thread(target=spin, daemon=True).start()\ntime.sleep(60)")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	waittest.Until(t, "the first thread sleeps and another one runs", func() bool {
		return stat(cmd.Process.Pid).state == "S" && Busy(cmd.Process.Pid)
	})
}
