package ghost

import "path"

// A player is a program that plays a sound file.
type player struct {
	argv  []string // without the file
	sound string   // absolute, or relative to a data directory; empty means the bundled sound
	env   bool     // pass the file in $GHOST_SOUND rather than as the last argument
}

func (p player) command(file string) command {
	if p.env {
		return command{argv: p.argv, env: []string{"GHOST_SOUND=" + file}}
	}
	return command{argv: append(p.argv[:len(p.argv):len(p.argv)], file)}
}

// players returns the programs to try on an operating system, best first. It returns none for an
// unknown system.
func players(goos, kind string) []player {
	named := func(failure, warning, success string) string {
		return map[string]string{"error": failure, "warning": warning, "success": success}[kind]
	}
	switch goos {
	case "windows":
		// PowerShell parses its last argument as a script, so the path stays out of it.
		return []player{{
			argv: []string{
				"powershell", "-NoProfile", "-NonInteractive", "-Command",
				"(New-Object Media.SoundPlayer $env:GHOST_SOUND).PlaySync()",
			},
			sound: `C:\Windows\Media\` + named("Windows Error.wav", "Windows Notify.wav", "tada.wav"),
			env:   true,
		}}
	case "darwin":
		return []player{{
			argv:  []string{"afplay"},
			sound: "/System/Library/Sounds/" + named("Basso.aiff", "Funk.aiff", "Glass.aiff"),
		}}
	case "linux", "freebsd", "openbsd", "netbsd", "dragonfly":
		theme := path.Join("sounds/freedesktop/stereo", named("dialog-error.oga", "dialog-warning.oga", "complete.oga"))
		return []player{
			{argv: []string{"paplay"}, sound: theme},
			{argv: []string{"aplay", "-q"}}, // it would play a compressed file as noise
			{argv: []string{"pw-play"}, sound: theme},
		}
	}
	return nil
}

// advice returns what the user can do if no player works.
func advice(goos string) string {
	switch goos {
	case "windows":
		return "PowerShell must be installed and in PATH"
	case "darwin":
		return "afplay, a part of macOS, must be in PATH"
	}
	return "install one of paplay (pulseaudio-utils), aplay (alsa-utils) or pw-play (pipewire) and check that audio output works"
}
