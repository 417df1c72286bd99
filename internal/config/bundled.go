package config

import "slices"

// A Bundled describes one of goated's own servers.
type Bundled struct {
	Name    string
	Title   string // display name; empty: Name
	Summary string // a sentence
	Default bool   // it starts unless the user turns it off; otherwise it starts only after the user turns it on

	Switches []Switch // what the user can additionally allow it
	On       []string // names of the switches that are on; see [Settings.BundledWithSwitches]
}

// A Switch allows one of goated's own servers something that is forbidden by default.
type Switch struct {
	Name    string // a flag of "goated serve"
	Summary string // a sentence
}

// StartsBundled reports whether goated starts one of its own servers.
func (s Settings) StartsBundled(b Bundled) bool {
	if b.Default {
		return !slices.Contains(s.BundledOff, b.Name)
	}
	return slices.Contains(s.BundledOn, b.Name)
}

// switchName returns the entry of BundledOn for a switch.
func switchName(b Bundled, name string) string { return b.Name + "/" + name }

// BundledWithSwitches returns b with the names of the switches that the user has turned on.
func (s Settings) BundledWithSwitches(b Bundled) Bundled {
	b.On = nil
	for _, w := range b.Switches {
		if slices.Contains(s.BundledOn, switchName(b, w.Name)) {
			b.On = append(b.On, w.Name)
		}
	}
	return b
}

// WithSwitch turns a switch of one of goated's own servers on or off.
func (s Settings) WithSwitch(b Bundled, name string, on bool) Settings {
	entry := switchName(b, name)
	s.BundledOn = slices.DeleteFunc(slices.Clone(s.BundledOn), func(n string) bool { return n == entry })
	if on {
		s.BundledOn = append(s.BundledOn, entry)
	}
	return s
}

// WithBundled sets whether one of goated's own servers starts.
func (s Settings) WithBundled(b Bundled, on bool) Settings {
	other := func(n string) bool { return n == b.Name }
	s.BundledOff = slices.DeleteFunc(slices.Clone(s.BundledOff), other)
	s.BundledOn = slices.DeleteFunc(slices.Clone(s.BundledOn), other)
	switch {
	case b.Default && !on:
		s.BundledOff = append(s.BundledOff, b.Name)
	case !b.Default && on:
		s.BundledOn = append(s.BundledOn, b.Name)
	}
	return s
}
