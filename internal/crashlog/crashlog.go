// Package crashlog stores Go's output when a program crashes, because a window that was started
// from a menu has no terminal.
//
// It must not know the program. It sends nothing over a network.
package crashlog

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
)

// current is the file name of this process's report, and last that of the newest crash before it.
const current, last = "crash.log", "crash-last.log"

// A Report is the crash report of an earlier process.
type Report struct {
	File string
	At   time.Time // of the crash
}

// Start makes the runtime write the report of a crash into a folder, in addition to stderr. It
// returns the report of an earlier process the first time after that crash, and otherwise nil. Only
// one process at a time may use a folder.
func Start(folder string) (*Report, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of crash reports: %w", err)
	}
	path := filepath.Join(folder, current)
	report, err := setAside(path, filepath.Join(folder, last))
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return report, fmt.Errorf("opening the crash report: %w", err)
	}
	defer f.Close() // the runtime has duplicated the descriptor
	if err := debug.SetCrashOutput(f, debug.CrashOptions{}); err != nil {
		return report, fmt.Errorf("opening the crash report: %w", err)
	}
	return report, nil
}

// setAside moves the report of an earlier process away, so that only this start returns it. It
// returns nil if there is none.
func setAside(path, to string) (*Report, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() == 0 {
		return nil, nil
	}
	if err := os.Rename(path, to); err != nil {
		return nil, fmt.Errorf("keeping the last crash report: %w", err)
	}
	return &Report{File: to, At: info.ModTime()}, nil
}
