package client

import "testing"

// The job ends with goated, and nothing that is in it may leave it.
func TestJobFlags(t *testing.T) {
	if flags := jobFlags(); flags&jobKillOnClose == 0 || flags&(jobBreakaway|jobSilentBreakaway) != 0 {
		t.Errorf("limits %#x", flags)
	}
}
