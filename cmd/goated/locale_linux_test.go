package main

import (
	"bytes"
	"os/exec"
	"testing"
)

// Before main, Fyne prints an error about a locale that is not a language tag, which most
// containers have. The output of goated's commands must not begin with that.
func TestLocalesOfContainers(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"C.UTF-8", "de_DE@euro", "en_US.UTF-8"} {
		cmd := exec.Command(buildWindow(t), "--version")
		cmd.Env = []string{"LANG=" + locale, "HOME=" + t.TempDir()}
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &said
		if err := cmd.Run(); err != nil || out.Len() == 0 || said.Len() > 0 {
			t.Errorf("%s: %v, %q, %q", locale, err, &out, &said)
		}
	}
}
