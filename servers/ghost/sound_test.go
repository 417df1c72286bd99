//go:build unix

package ghost

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/proctest"
	"goated/internal/waittest"
)

func TestPlayers(t *testing.T) {
	const script = "(New-Object Media.SoundPlayer $env:GHOST_SOUND).PlaySync()"
	powershell := []string{"powershell", "-NoProfile", "-NonInteractive", "-Command", script}
	freedesktop := func(name string) []player {
		return []player{
			{argv: []string{"paplay"}, sound: "sounds/freedesktop/stereo/" + name},
			{argv: []string{"aplay", "-q"}},
			{argv: []string{"pw-play"}, sound: "sounds/freedesktop/stereo/" + name},
		}
	}
	for _, tt := range []struct {
		goos, kind string
		want       []player
	}{
		{"windows", "error", []player{{powershell, `C:\Windows\Media\Windows Error.wav`, true}}},
		{"windows", "warning", []player{{powershell, `C:\Windows\Media\Windows Notify.wav`, true}}},
		{"windows", "success", []player{{powershell, `C:\Windows\Media\tada.wav`, true}}},
		{"darwin", "error", []player{{argv: []string{"afplay"}, sound: "/System/Library/Sounds/Basso.aiff"}}},
		{"darwin", "warning", []player{{argv: []string{"afplay"}, sound: "/System/Library/Sounds/Funk.aiff"}}},
		{"darwin", "success", []player{{argv: []string{"afplay"}, sound: "/System/Library/Sounds/Glass.aiff"}}},
		{"linux", "error", freedesktop("dialog-error.oga")},
		{"linux", "warning", freedesktop("dialog-warning.oga")},
		{"linux", "success", freedesktop("complete.oga")},
		{"freebsd", "error", freedesktop("dialog-error.oga")},
		{"plan9", "error", nil},
		{"", "success", nil},
	} {
		if got := players(tt.goos, tt.kind); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s %s: got %v, want %v", tt.goos, tt.kind, got, tt.want)
		}
	}
}

func TestPlayerCommand(t *testing.T) {
	hostile := `/tmp/$(reboot)'; rm -rf "~"` + "\n"
	p := players("windows", "error")[0]
	c := p.command(hostile)
	if strings.Contains(strings.Join(c.argv, " "), "reboot") || !reflect.DeepEqual(c.env, []string{"GHOST_SOUND=" + hostile}) {
		t.Errorf("the path is a part of the script: %q %q", c.argv, c.env)
	}
	p = players("linux", "error")[1]
	for range 2 { // a shared argv would grow
		if c := p.command(hostile); !reflect.DeepEqual(c.argv, []string{"aplay", "-q", hostile}) || c.env != nil {
			t.Errorf("argv %q", c.argv)
		}
	}
}

// A rig is a PATH with fake players that log their arguments.
type rig struct {
	*bench
	dir, calls string
}

func newRig(t *testing.T) *rig {
	s := &rig{bench: newBench(t), dir: t.TempDir()}
	s.calls = filepath.Join(t.TempDir(), "calls")
	s.sounds.window = 250 * time.Millisecond
	t.Setenv("PATH", s.dir)
	t.Setenv("CALLS", s.calls)
	return s
}

func (s *rig) add(t *testing.T, name, body string) {
	t.Helper()
	script := "#!/bin/sh\nfor a in \"${0##*/}\" \"$@\"; do printf '[%s]' \"$a\" >> \"$CALLS\"; done\necho >> \"$CALLS\"\n" + body + "\n"
	if err := proctest.WriteProgram(filepath.Join(s.dir, name), []byte(script)); err != nil {
		t.Fatal(err)
	}
}

func (s *rig) called() string {
	data, _ := os.ReadFile(s.calls)
	return string(data)
}

func sound(kind string) args { return args{"type": kind} }

func TestSoundFallback(t *testing.T) {
	for _, tt := range []struct {
		name    string
		players map[string]string
		want    string // the answer
		calls   []string
	}{
		{"first", map[string]string{"paplay": "", "aplay": "", "pw-play": ""}, "Successfully played error sound", []string{"paplay"}},
		{"still running", map[string]string{"paplay": "exec /bin/sleep 1"}, "Playing error sound", []string{"paplay"}},
		{"no server", map[string]string{"paplay": "exit 1", "aplay": "exit 0", "pw-play": ""}, "Successfully played error sound", []string{"paplay", "aplay"}},
		{"last", map[string]string{"paplay": "exit 1", "aplay": "exit 1", "pw-play": ""}, "Successfully played error sound", []string{"paplay", "aplay", "pw-play"}},
		{"only aplay", map[string]string{"aplay": "/bin/sleep 0.05"}, "Successfully played error sound", []string{"aplay"}},
		{"killed", map[string]string{"paplay": "kill -9 $$", "pw-play": ""}, "Successfully played error sound", []string{"paplay", "pw-play"}},
		{"fails late", map[string]string{"paplay": "/bin/sleep 0.1; exit 3", "aplay": ""}, "Successfully played error sound", []string{"paplay", "aplay"}},
		{"none works", map[string]string{"paplay": "exit 1", "aplay": "exit 2"},
			"Error: playing error sound: no audio player worked (paplay: exit status 1; aplay: exit status 2); install one of paplay", []string{"paplay", "aplay"}},
		{"none installed", nil, "Error: playing error sound: no audio player was found; install one of paplay", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newRig(t)
			for name, body := range tt.players {
				s.add(t, name, body)
			}
			c := s.connect(t, nil)
			if got, _ := c.call("play_system_sound", sound("error")); !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			wav := filepath.Join(s.sounds.cache, "error.wav")
			var want strings.Builder
			for _, name := range tt.calls {
				if name == "aplay" {
					name += "][-q"
				}
				fmt.Fprintf(&want, "[%s][%s]\n", name, wav)
			}
			if got := s.called(); got != want.String() {
				t.Errorf("calls\n%swant\n%s", got, &want)
			}
		})
	}
}

// A player gets a theme's sound if it can decode it. The path is a single argument, whatever the
// file's name is.
func TestSoundTheme(t *testing.T) {
	s := newRig(t)
	hostile := filepath.Join(t.TempDir(), "a b; touch $HOME'\"`")
	t.Chdir(t.TempDir())
	tree(t, "relative", "sounds/freedesktop/stereo/complete.oga") // XDG requires that it is ignored
	s.sounds.themes = []string{"relative", s.sounds.themes[0], hostile}
	tree(t, hostile, "sounds/freedesktop/stereo/complete.oga")
	s.add(t, "paplay", "exit 1")
	s.add(t, "aplay", "exit 1")
	s.add(t, "pw-play", "")
	c := s.connect(t, nil)
	c.succeed("play_system_sound", sound("success"))
	c.succeed("play_system_sound", sound("warning"))
	theme := filepath.Join(hostile, "sounds/freedesktop/stereo/complete.oga")
	own := func(kind string) string { return filepath.Join(s.sounds.cache, kind+".wav") }
	want := fmt.Sprintf("[paplay][%[1]s]\n[aplay][-q][%[2]s]\n[pw-play][%[1]s]\n[paplay][%[3]s]\n[aplay][-q][%[3]s]\n[pw-play][%[3]s]\n",
		theme, own("success"), own("warning"))
	if got := s.called(); got != want {
		t.Errorf("calls\n%swant\n%s", got, want)
	}
}

// On Windows the path of the sound is not part of the script.
func TestSoundWindows(t *testing.T) {
	s := newRig(t)
	s.sounds.goos = "windows"
	s.add(t, "powershell", `printf '%s' "$GHOST_SOUND" >> "$CALLS"`)
	s.connect(t, nil).succeed("play_system_sound", sound("error"))
	want := "[powershell][-NoProfile][-NonInteractive][-Command][(New-Object Media.SoundPlayer $env:GHOST_SOUND).PlaySync()]\n" +
		filepath.Join(s.sounds.cache, "error.wav")
	if got := s.called(); got != want {
		t.Errorf("calls\n%s\nwant\n%s", got, want)
	}
}

func TestBell(t *testing.T) {
	s := newRig(t)
	s.sounds.tty = filepath.Join(t.TempDir(), "tty")
	write(t, s.sounds.tty, "")
	c := s.connect(t, nil)
	for _, goos := range []string{"plan9", "linux"} {
		s.sounds.goos = goos
		if got := c.succeed("play_system_sound", sound("warning")); !strings.Contains(got, "no audio player was found") || !strings.Contains(got, "bell") {
			t.Errorf("%s: %q does not tell that the bell was rung", goos, got)
		}
		if got := content(t, s.sounds.tty); got != "\a" {
			t.Errorf("%s: the terminal got %q", goos, got)
		}
		write(t, s.sounds.tty, "")
	}
	s.sounds.goos = "windows"
	c.fail("PowerShell", "play_system_sound", sound("warning"))
	os.Remove(s.sounds.tty)
	s.sounds.goos = "plan9"
	c.fail("no audio player", "play_system_sound", sound("warning"))
	if _, err := os.Stat(s.sounds.tty); err == nil {
		t.Error("a file was made where no terminal is")
	}
}

// forever is a player with a child process. Both run for a minute.
const forever = `/bin/sleep 60 & echo $! $$ > "$CALLS.tmp"; /bin/mv "$CALLS.tmp" "$CALLS.pid"; wait`

// pids returns the process IDs of the player forever.
func (s *rig) pids(t *testing.T) (pids []int) {
	t.Helper()
	var data []byte
	waittest.Until(t, "the player runs", func() bool {
		var err error
		data, err = os.ReadFile(s.calls + ".pid")
		return err == nil
	})
	for _, f := range strings.Fields(string(data)) {
		var pid int
		fmt.Sscan(f, &pid)
		pids = append(pids, pid)
	}
	if len(pids) != 2 {
		t.Fatalf("pids %q", data)
	}
	return pids
}

// gone reports whether all of these processes have ended.
func gone(pids []int) bool { return !slices.ContainsFunc(pids, proctest.Alive) }

// The answer does not wait for the player. The limit ends the player and its children.
func TestSoundLimit(t *testing.T) {
	s := newRig(t)
	s.sounds.speaker.limit = 4 * time.Second // a busy machine takes less for the answer
	s.sounds.window = 100 * time.Millisecond
	s.add(t, "paplay", forever)
	c := s.connect(t, nil)
	begin := time.Now()
	if got := c.succeed("play_system_sound", sound("error")); got != "Playing error sound" {
		t.Errorf("answer %q", got)
	}
	if took := time.Since(begin); took >= s.sounds.speaker.limit {
		t.Errorf("the answer took %v", took)
	}
	pids := s.pids(t)
	if gone(pids) { // it plays until the limit
		t.Error("the player did not go on after the answer")
	}
	waittest.Until(t, "the limit ends the player", func() bool { return gone(pids) })
	if took := time.Since(begin); took < s.sounds.speaker.limit {
		t.Errorf("the player was ended after %v", took)
	}
	waittest.Until(t, "the record of players is empty", func() bool {
		s.sounds.speaker.mu.Lock()
		defer s.sounds.speaker.mu.Unlock()
		return len(s.sounds.speaker.playing) == 0
	})
}

// No player is left when Run returns.
func TestSoundShutdown(t *testing.T) {
	s := newRig(t)
	s.sounds.window = 100 * time.Millisecond
	s.sounds.speaker.limit = time.Minute
	s.add(t, "paplay", forever)
	c := s.connect(t, nil)
	c.succeed("play_system_sound", sound("error"))
	pids := s.pids(t)
	c.end()
	if n := len(s.sounds.speaker.playing); n != 0 {
		t.Errorf("Run returned with %d players", n)
	}
	if proctest.Alive(pids[1]) {
		t.Error("Run returned and the player is alive")
	}
	waittest.Until(t, "its child ends", func() bool { return gone(pids) })
}

// The player is ended if the client disconnects during the call.
func TestSoundDisconnect(t *testing.T) {
	s := newRig(t)
	s.sounds.window, s.sounds.speaker.limit = time.Minute, time.Minute
	s.add(t, "paplay", forever)
	c := s.connect(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "play_system_sound", Arguments: sound("error")})
		done <- err
	}()
	pids := s.pids(t)
	cancel()
	if err := waittest.Receive(t, "the call ends", done); err == nil {
		t.Error("the cancelled call succeeded")
	}
	waittest.Until(t, "the player ends", func() bool { return gone(pids) })
}

func TestSoundCrowd(t *testing.T) {
	s := newRig(t)
	s.sounds.window, s.sounds.speaker.limit = time.Millisecond, time.Minute
	s.add(t, "paplay", "exec /bin/sleep 60")
	s.add(t, "aplay", "exec /bin/sleep 60")
	c := s.connect(t, nil)
	for range maxPlaying {
		c.succeed("play_system_sound", sound("error"))
	}
	c.fail("too many sounds", "play_system_sound", sound("error"))
}
