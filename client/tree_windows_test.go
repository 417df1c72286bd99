package client

import (
	"testing"

	"golang.org/x/sys/windows"
)

// The job ends with goated, and nothing that is in it may leave it.
func TestJobLimits(t *testing.T) {
	const breakaway = windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK | windows.JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK
	flags := jobLimits().BasicLimitInformation.LimitFlags
	if flags&windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE == 0 || flags&breakaway != 0 {
		t.Errorf("limits %#x", flags)
	}
}
