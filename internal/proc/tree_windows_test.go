package proc

import (
	"testing"

	"golang.org/x/sys/windows"
)

// The flags have the values of the system's headers.
func TestJobLimits(t *testing.T) {
	if jobKillOnClose != windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE || jobBreakaway != windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK || jobSilentBreakaway != windows.JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK {
		t.Error("the flags differ from the headers")
	}
	if flags := jobLimits().BasicLimitInformation.LimitFlags; flags != jobFlags() {
		t.Errorf("limits %#x", flags)
	}
}
