package diagnose

import (
	"io/fs"
	"syscall"
	"testing"
)

// A diagnosis reads the program or the script only once, because the disk may be slow.
func TestWindowsLinesReadTheFileOnce(t *testing.T) {
	for _, tt := range []struct{ program, script, want string }{
		{"/srv/run", "", "/srv/run"},
		{"/bin/sh", "/srv/run.sh", "/srv/run.sh"},
	} {
		reads := 0
		m := Machine{Read: func(path string) []byte {
			if path != tt.want {
				return nil
			}
			reads++
			return []byte("#!/usr/bin/env node\r\n")
		}}
		var d Diagnosis
		f := Facts{Machine: m, Err: &fs.PathError{Op: "fork/exec", Path: tt.program, Err: syscall.ENOENT}}
		f.Failure, f.Program, f.Script = StartFailed, tt.program, tt.script
		if !system(f, &d) || d.Cause != WindowsLines || d.Args.Subject != tt.want || reads != 1 {
			t.Errorf("%s %s: %s of %q after %d reads", tt.program, tt.script, d.Cause, d.Args.Subject, reads)
		}
	}
}
