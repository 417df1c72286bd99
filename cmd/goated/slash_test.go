package main

import (
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/chatcmd"
)

// "/todo list" and "/exec ls" could not be sent, because goated considered them misspelt commands.
func TestAMessageMayLookLikeACommand(t *testing.T) {
	h := client.New(client.Options{})
	t.Cleanup(h.Close)
	s := &slash{app: &app{host: h}}
	for line, want := range map[string]string{
		"/todo list": "", "/exec ls": "", "/note milk": "", "/etc/hosts has a fault": "", "/usr": "", "hello": "", "/retry it": "",
		"/tolls": "/tools", "/hel": "/help", "/serverrss": "/servers", "/resorces": "/resources", "/instrutcions": "/instructions", "/xit": "/exit", "/quitt": "/quit",
		"/hlep": "/help", "/exti": "/exit", "/udno": "/undo", "/ehlp me": "/help", "/time": "", "/sl": "",
	} {
		if got := s.mistyped(line); got != want {
			t.Errorf("%s means %q, want %q", line, got, want)
		}
	}
	if !leaves("/exit now") || leaves("/exits") {
		t.Error("/exit with another word does not leave, or another word does")
	}
	for i, want := range []string{"/tools", "", "/tools"} { // the third line does not follow a note
		if got := s.mistyped("/tool box"); got != want {
			t.Errorf("line %d means %q, want %q", i, got, want)
		}
	}
	if names := slashNames(); len(names) != 14 || !slices.Contains(names, chatcmd.RetryCommand) || !slices.Contains(names, "/undo") || strings.Contains(strings.Join(names, " "), "roll") {
		t.Errorf("the commands are %q", names)
	}
}
