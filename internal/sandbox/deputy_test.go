//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What ordinary programs do with files works in a server's own folder, and
// nowhere else: modes and times by path, which Landlock does not know.
func TestModesAndTimes(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	outside := filepath.Join(place(t, "x"), "x")
	program, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	p := For(program, "", t.TempDir(), nil)
	cmd := exec.Command(program, "-c", modesAndTimes, outside)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	s, err := Start(cmd, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	checkModesAndTimes(t, out.String())
}

// modesAndTimes changes some in the server's own folder, and tries to of $0.
const modesAndTimes = `
cd "$STATE_DIRECTORY" || exit 9
echo hello > a && chmod 640 a && touch -d 2001-02-03T04:05:06Z a && cp -p a b && mkdir d && cp -p a d/c && chmod -R o-r d && stat -c '%n %a %Y' a b d/c
chmod 777 "$0" && echo changed the mode
touch -d 2001-02-03 "$0" && echo changed the time
ln -s "$0" out && chmod 777 out && echo changed the mode by a link
chmod 4755 a && echo made a set-id program
chmod 600 nothing
true`

func checkModesAndTimes(t *testing.T, said string) {
	t.Helper()
	for _, want := range []string{"a 640 981173106", "b 640 981173106", "d/c 640 981173106", "nothing': No such file"} {
		if !strings.Contains(said, want) {
			t.Errorf("not %q", want)
		}
	}
	if strings.Contains(said, "changed") || strings.Contains(said, "made") {
		t.Error("it got out")
	}
	if t.Failed() {
		t.Log(said)
	}
}
