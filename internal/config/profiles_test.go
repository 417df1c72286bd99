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

// A renamed server stays on in the profiles that had it on under its old name.
func TestRenamedServerStaysInItsProfiles(t *testing.T) {
	git := Launch{Name: "git", Command: "git-server"}
	for name, replace := range map[string]func(s Settings, now Launch) Settings{
		"replaced": func(s Settings, now Launch) Settings { return s.WithReplaced(git, now) },
		"updated":  func(s Settings, now Launch) Settings { return WithUpdated(s, git, now) },
	} {
		s := Settings{Launch: []Launch{git, {Name: "mail", Command: "mail-server"}}}
		s = UseProfile(UseProfile(s, "Work", nil), DefaultProfile, nil)
		before := s
		now := git
		now.Name = "code"
		s = UseProfile(replace(s, now), "Work", nil)
		if on := serversOn(s, nil); !slices.Equal(on, []string{"code", "mail"}) {
			t.Errorf("%s: these are on: %q", name, on)
		}
		if !slices.Contains(before.Profiles[0].On, "git") {
			t.Errorf("%s: the change reached the settings before it: %+v", name, before.Profiles)
		}
	}
	twin := Launch{Name: "git", Command: "other-git"}
	s := UseProfile(UseProfile(Settings{Launch: []Launch{git, twin}}, "Work", nil), DefaultProfile, nil)
	s = UseProfile(s.WithReplaced(git, Launch{Name: "code", Command: "git-server"}), "Work", nil)
	if on := serversOn(s, nil); !slices.Equal(on, []string{"code", "git"}) {
		t.Errorf("beside a server with the same name, these are on: %q", on)
	}
}
