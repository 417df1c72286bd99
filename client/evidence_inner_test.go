package client

import (
	"slices"
	"testing"

	"goated/internal/sandbox"
)

// A refusal that is reported after the result of its call still counts, until the next
// call begins.
func TestRefusalReportedLate(t *testing.T) {
	early, late := sandbox.Permission{Kind: sandbox.ToRead, Path: "/early"}, sandbox.Permission{Kind: sandbox.ToWriteFile, Path: "/late"}
	host := sandbox.Permission{Kind: sandbox.ToHost, Host: "updates.example.org"}
	f := failedCalls{late: 2} // one refusal was known
	if got := f.lateRefusals([]sandbox.Permission{early, host, late}); !slices.Equal(got, []sandbox.Permission{late}) {
		t.Errorf("late refusals %v", got)
	}
	f.late = 0 // the next call has begun
	if got := f.lateRefusals([]sandbox.Permission{early, late}); got != nil {
		t.Errorf("after the next call began: %v", got)
	}
}
