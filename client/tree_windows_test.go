package client

import (
	"testing"

	"golang.org/x/sys/windows"
)

// The system calls the flags what goated takes them for.
func TestJobLimits(t *testing.T) {
	if jobKillOnClose != windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE || jobBreakaway != windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK || jobSilentBreakaway != windows.JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK {
		t.Error("they have other values")
	}
	if flags := jobLimits().BasicLimitInformation.LimitFlags; flags != jobFlags() {
		t.Errorf("limits %#x", flags)
	}
}
