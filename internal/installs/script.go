package installs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"goated/internal/state"
)

// scriptless is the name of a file in a store that keeps npm from running install scripts. See
// [Repair].
const scriptless = "without-scripts"

var (
	scriptBegins = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\d+ info run (\S+) (preinstall|install|postinstall) \S*node_modules/\S+ (.+)$`)
	})
	scriptEnds = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\d+ info run (\S+) (preinstall|install|postinstall) \{ code: [1-9]`)
	})
)

// maxLog limits how much of npm's log goated reads, in bytes.
const maxLog = 4 << 20

// FailedScript returns the package whose install script failed during npx's last installation in a
// store, and the script. Both are empty if none failed. npx itself exits without a message in that
// case.
func FailedScript(store string) (name, script string) {
	logs, err := filepath.Glob(filepath.Join(store, "npm", "_logs", "*.log")) // the pattern is valid
	if err != nil || len(logs) == 0 {
		return "", ""
	}
	last := logs[len(logs)-1] // their names begin with their times
	if info, err := os.Lstat(last); err != nil || !info.Mode().IsRegular() || info.Size() > maxLog {
		return "", ""
	}
	text, err := os.ReadFile(last)
	if err != nil {
		return "", ""
	}
	failed := scriptEnds().FindSubmatch(text)
	if failed == nil {
		return "", ""
	}
	for _, begun := range scriptBegins().FindAllSubmatch(text, -1) {
		if string(begun[1]) == string(failed[1]) && string(begun[2]) == string(failed[2]) {
			script = string(begun[3])
		}
	}
	name = string(failed[1])
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	return name, script
}

// browser returns the variables that make Puppeteer use this computer's browser instead of
// downloading one. It returns none if there is no browser. The variables point to a program that
// browser writes into a folder. That program starts the browser without Chromium's own sandbox,
// because that needs namespaces, which do not exist inside goated's sandbox.
func browser(folder string) []string {
	for _, program := range []string{"google-chrome-stable", "google-chrome", "chromium", "chromium-browser"} {
		path, err := exec.LookPath(program)
		if err != nil || strings.Contains(path, "'") {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err != nil || strings.HasPrefix(path, "/snap/") || filepath.Base(real) == "snap" {
			continue
		}
		file := filepath.Join(folder, "chrome")
		text := "#!/bin/sh\nexec '" + path + "' --no-sandbox \"$@\"\n"
		if old, err := os.ReadFile(file); err != nil || string(old) != text {
			if state.ReplaceBytes(file, []byte(text)) != nil || os.Chmod(file, 0o755) != nil {
				return nil // the server downloads its own browser
			}
		}
		return []string{"PUPPETEER_SKIP_DOWNLOAD=true", "PUPPETEER_EXECUTABLE_PATH=" + file}
	}
	return nil
}
