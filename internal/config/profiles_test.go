package config

import (
	"slices"
	"testing"
)

// A profile restores the servers that were on when the user left it. A new profile begins with the
// servers that are on. A server that is added later is on only in the profile in use.
func TestProfiles(t *testing.T) {
	own := []Bundled{{Name: "ghost", Default: true}, {Name: "llmem"}}
	s := Settings{Launch: []Launch{{Name: "git", Command: "git-server"}, {Name: "work mail", URL: "https://mail.test"}, {Name: "own mail", URL: "https://mail.test", Off: true}}}
	on := func(want ...string) {
		t.Helper()
		if got := serversOn(s, own); !slices.Equal(got, want) {
			t.Errorf("in %s these are on: %q, want %q", s.ProfileInUse(), got, want)
		}
	}
	before := s
	s = UseProfile(s, "Home", own)
	on("git", "work mail", "goated ghost")
	s = s.WithStart(s.Launch[1], false).WithStart(s.Launch[2], true).WithBundled(own[0], false).WithBundled(own[1], true)
	s = s.WithStart(Launch{Name: "piano", Command: "piano"}, true)
	on("git", "own mail", "piano", "goated llmem")
	s = UseProfile(s, DefaultProfile, own)
	on("git", "work mail", "goated ghost")
	if want := []string{"Default", "Home"}; !slices.Equal(s.ProfileNames(), want) {
		t.Errorf("the profiles are %q", s.ProfileNames())
	}
	s = UseProfile(s, "Home", own)
	on("git", "own mail", "piano", "goated llmem")
	s = WithoutProfile(s, "Home", own)
	on("git", "work mail", "goated ghost")
	if want := []string{"Default"}; !slices.Equal(s.ProfileNames(), want) {
		t.Errorf("the profiles are %q", s.ProfileNames())
	}
	s = WithoutProfile(s, DefaultProfile, own)
	on("git", "work mail", "goated ghost")
	if before.Launch[1].Off || len(before.Profiles) > 0 {
		t.Error("a change reached the settings before it")
	}
}
