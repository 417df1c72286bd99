package config

import (
	"cmp"
	"slices"
)

// DefaultProfile is the name of the profile that always exists.
const DefaultProfile = "Default"

// A Profile remembers which servers are on while it is in use. For the profile in use, the list is
// out of date: it dates from the last time that the user left the profile. The entries of the
// servers record which ones are on now.
type Profile struct {
	Name string   `json:"name"`
	On   []string `json:"on"` // names of the servers; goated's own begin with "goated "
}

// ProfileInUse returns the name of the profile in use.
func (c Choices) ProfileInUse() string { return cmp.Or(c.Profile, DefaultProfile) }

// ProfileNames returns the names of all profiles, [DefaultProfile] first.
func (c Choices) ProfileNames() []string {
	names := []string{DefaultProfile}
	for _, p := range c.Profiles {
		if p.Name != DefaultProfile {
			names = append(names, p.Name)
		}
	}
	if !slices.Contains(names, c.ProfileInUse()) {
		names = append(names, c.ProfileInUse())
	}
	return names
}

// ownKey returns the entry for one of goated's own servers in a profile.
func ownKey(b Bundled) string { return "goated " + b.Name }

// serversOn returns the entries for the servers that are on.
func serversOn(s Settings, own []Bundled) (on []string) {
	for _, l := range s.Launch {
		if !l.Off {
			on = append(on, l.DisplayName())
		}
	}
	for _, b := range own {
		if s.StartsBundled(b) {
			on = append(on, ownKey(b))
		}
	}
	return on
}

// UseProfile turns on the servers that were on when the profile was last used, and turns off all
// others. A new profile begins with the servers that are on now. own are goated's own servers.
func UseProfile(s Settings, name string, own []Bundled) Settings {
	now := s.ProfileInUse()
	if name = cmp.Or(name, DefaultProfile); name == now {
		return s
	}
	s.Profiles = slices.Clone(s.Profiles)
	at := func(name string) int {
		i := slices.IndexFunc(s.Profiles, func(p Profile) bool { return p.Name == name })
		if i < 0 {
			s.Profiles = append(s.Profiles, Profile{Name: name, On: serversOn(s, own)})
			i = len(s.Profiles) - 1
		}
		return i
	}
	s.Profiles[at(now)].On = serversOn(s, own)
	on := s.Profiles[at(name)].On
	s.Profile = name
	s.Launch = slices.Clone(s.Launch)
	for i, l := range s.Launch {
		s.Launch[i].Off = !slices.Contains(on, l.DisplayName())
	}
	for _, b := range own {
		if want := slices.Contains(on, ownKey(b)); want != s.StartsBundled(b) {
			s = s.WithBundled(b, want)
		}
	}
	return s
}

// WithRenamed returns s with the name of l in each profile that has the name of the saved server old. Otherwise
// a renamed server would be off there. If another server has the same name, the old name stays, too.
func WithRenamed(s Settings, old, l Launch) Settings {
	was, now := old.DisplayName(), l.DisplayName()
	if was == now || len(s.Profiles) == 0 {
		return s
	}
	shared := 0
	for _, o := range s.Launch {
		if o.DisplayName() == was {
			shared++
		}
	}
	s.Profiles = slices.Clone(s.Profiles)
	for i, p := range s.Profiles {
		if !slices.Contains(p.On, was) {
			continue
		}
		on := slices.DeleteFunc(slices.Clone(p.On), func(name string) bool { return name == now || name == was && shared < 2 })
		s.Profiles[i].On = append(on, now)
	}
	return s
}

// WithoutProfile removes a profile, and switches to [DefaultProfile] if it is in use. It does not
// remove the default profile.
func WithoutProfile(s Settings, name string, own []Bundled) Settings {
	if name == DefaultProfile {
		return s
	}
	if s.ProfileInUse() == name {
		s = UseProfile(s, DefaultProfile, own)
	}
	s.Profiles = slices.DeleteFunc(slices.Clone(s.Profiles), func(p Profile) bool { return p.Name == name })
	return s
}
