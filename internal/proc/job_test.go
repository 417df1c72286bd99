package proc

import "testing"

// A job ends with goated, and no process can leave it.
func TestJobFlags(t *testing.T) {
	if flags := jobFlags(); flags&jobKillOnClose == 0 || flags&(jobBreakaway|jobSilentBreakaway) != 0 {
		t.Errorf("limits %#x", flags)
	}
}
