package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"goated/client"
)

// If goated exits while a server starts, that is not a failure to report. Other failures are.
func TestCancelledStartsAreNotPrinted(t *testing.T) {
	ended := make(chan struct{})
	close(ended)
	cancelled := fmt.Errorf("connecting to notes: %w", &client.Error{Kind: client.ErrStart, Err: context.Canceled})
	l := pendingServers{all: []*pendingServer{
		{label: "notes", err: cancelled, ended: ended},
		{label: "weather", err: &client.Error{Kind: client.ErrStart, Err: context.DeadlineExceeded}, ended: ended, given: true},
	}}
	var out bytes.Buffer
	if failed := l.print(&out); failed != (failures{given: 1, saved: 1}) {
		t.Errorf("%+v", failed)
	}
	if strings.Contains(out.String(), "notes") || !strings.Contains(out.String(), "weather: ") {
		t.Errorf("it prints %q", out.String())
	}
}
