package client

import (
	"slices"
	"testing"
	"time"

	"goated/internal/sandbox"
)

// A refusal that is reported after its call's result still counts until the next call begins. A
// refused host counts only if it is reported immediately, because a server may ask for hosts at
// any time.
func TestRefusalReportedLate(t *testing.T) {
	early, late := sandbox.Permission{Kind: sandbox.ToRead, Path: "/early"}, sandbox.Permission{Kind: sandbox.ToWriteFile, Path: "/late"}
	host, update := sandbox.Permission{Kind: sandbox.ToHost, Host: "api.example.org"}, sandbox.Permission{Kind: sandbox.ToHost, Host: "updates.example.org"}
	f := failedCalls{late: 2, at: time.Now()} // one refusal was known
	f.addLateRefusals([]sandbox.Permission{early, host})
	if !slices.Equal(f.blocked, []sandbox.Permission{host}) {
		t.Errorf("at once: %v", f.blocked)
	}
	f.at = f.at.Add(-time.Minute)
	f.addLateRefusals([]sandbox.Permission{early, host, update, late})
	if !slices.Equal(f.blocked, []sandbox.Permission{host, late}) {
		t.Errorf("a minute later: %v", f.blocked)
	}
	f.late = 0 // the next call has begun
	f.addLateRefusals([]sandbox.Permission{early, host, update, late, early})
	if len(f.blocked) != 2 {
		t.Errorf("after the next call began: %v", f.blocked)
	}
}
