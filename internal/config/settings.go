// Package config holds the settings: what the user sets for good, the servers
// that goated starts, their environment, and what each may do. It knows neither
// the host that runs the servers nor the window that edits the settings.
package config

import (
	"fmt"
	"slices"
	"time"

	"goated/internal/sandbox"
)

// Settings are what a person sets for good, in the window or in settings.json.
// The zero value means the defaults. It is a value: its methods return a new
// one, and its slices are not to be changed.
type Settings struct {
	Model          string `json:"model,omitempty"`
	ConnectTimeout Limit  `json:"connectTimeout,omitempty"`
	CallTimeout    Limit  `json:"callTimeout,omitempty"`
	MaxSteps       int    `json:"maxSteps,omitempty"`
	Thoughts       bool   `json:"thoughts,omitempty"`

	Theme    string  `json:"theme,omitempty"`    // light, dark, or empty for the system's
	Zoom     int     `json:"zoom,omitempty"`     // percent; 0 means 100
	TextSize int     `json:"textSize,omitempty"` // of conversations, in pixels before the zoom; 0 means 14
	Width    float32 `json:"width,omitempty"`    // of the window, when it was last closed
	Height   float32 `json:"height,omitempty"`
	Welcomed bool    `json:"welcomed,omitempty"` // the welcome was shown

	// Recent are the servers that were connected by hand, the latest first.
	Recent []Launch `json:"recentServers,omitempty"`
	// Launch are those that are connected when goated starts.
	Launch []Launch `json:"launchServers,omitempty"`
	// BundledOff names those of goated's own servers that are not.
	BundledOff []string `json:"bundledOff,omitempty"`
}

// A Launch is a server script and how it is run.
type Launch struct {
	Path string     `json:"path"`
	Args []string   `json:"args,omitempty"`
	Dir  string     `json:"dir,omitempty"` // working directory; empty: goated's own
	Env  []Variable `json:"env,omitempty"`
	Off  bool       `json:"off,omitempty"` // kept, but not started
	// Allowed is what the user let it do beyond its sandbox's default.
	Allowed sandbox.Permissions `json:"allowed,omitempty"`
	// NoSandbox lets it do whatever the user may.
	NoSandbox bool `json:"noSandbox,omitempty"`
	// Unconfined lets it run where the system has no sandbox.
	Unconfined bool `json:"unconfined,omitempty"`
	// Refused is what it is not asked for again.
	Refused sandbox.Permissions `json:"refused,omitempty"`
}

// decided reports whether the user decided anything about what l may do.
func (l Launch) decided() bool {
	return len(l.Allowed)+len(l.Refused) > 0 || l.NoSandbox || l.Unconfined
}

// Same reports whether both run the same.
func (l Launch) Same(o Launch) bool { return l.Path == o.Path && slices.Equal(l.Args, o.Args) }

// A Limit is a length of time, written as "90s".
type Limit time.Duration

// UnmarshalText reads a time limit, which is more than nothing.
func (d *Limit) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err == nil && v <= 0 {
		err = fmt.Errorf("%q is not a time limit", text)
	}
	*d = Limit(v)
	return err
}

// MarshalText writes it as [time.Duration] does.
func (d Limit) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// maxRecent is how many recent servers are kept.
const maxRecent = 8

// Used puts a server first among the recent ones. If it is started with goated,
// it is so with this environment from now on.
func (s Settings) Used(l Launch) Settings { return s.Changed(l, l) }

// Changed puts a server first among the recent ones in the place of what it was
// before its arguments were changed.
func (s Settings) Changed(old, l Launch) Settings {
	known := s.Known(old)
	l.Allowed, l.NoSandbox, l.Unconfined, l.Refused = known.Allowed, known.NoSandbox, known.Unconfined, known.Refused
	s = s.Forget(old).Forget(l)
	s.Launch = slices.Clone(s.Launch)
	if i := slices.IndexFunc(s.Launch, old.Same); i >= 0 {
		l.Off = s.Launch[i].Off
		s.Launch[i] = l
	}
	l.Off = false
	s.Recent = slices.Concat([]Launch{l}, s.Recent)
	for len(s.Recent) > maxRecent { // what was decided is not forgotten while there is something else
		at := len(s.Recent) - 1
		for i := at; i > 0; i-- {
			if !s.Recent[i].decided() {
				at = i
				break
			}
		}
		s.Recent = slices.Delete(s.Recent, at, at+1)
	}
	return s
}

// Decide changes what is kept of a server, wherever it is; a server of which
// nothing is kept yet is so from then on.
func (s Settings) Decide(l Launch, change func(*Launch)) Settings {
	if !slices.ContainsFunc(s.Recent, l.Same) && !slices.ContainsFunc(s.Launch, l.Same) {
		s = s.Used(l)
	}
	s.Recent, s.Launch = slices.Clone(s.Recent), slices.Clone(s.Launch)
	for _, list := range [][]Launch{s.Recent, s.Launch} {
		for i := range list {
			if list[i].Same(l) {
				change(&list[i])
			}
		}
	}
	return s
}

// Decided are the servers about which the user decided something, each once.
func (s Settings) Decided() []Launch {
	var out []Launch
	for _, l := range slices.Concat(s.Recent, s.Launch) {
		if l.decided() && !slices.ContainsFunc(out, l.Same) {
			out = append(out, l)
		}
	}
	return out
}

// Known is what is kept of a server that runs the same as l, and l itself where
// nothing is.
func (s Settings) Known(l Launch) Launch {
	for _, list := range [][]Launch{s.Recent, s.Launch} {
		if i := slices.IndexFunc(list, l.Same); i >= 0 {
			return list[i]
		}
	}
	return l
}

// Refs are the names under which the system's keyring has values for the servers.
func (s Settings) Refs() []string {
	var refs []string
	for _, l := range slices.Concat(s.Recent, s.Launch) {
		for _, v := range l.Env {
			if v.Ref != "" && !slices.Contains(refs, v.Ref) {
				refs = append(refs, v.Ref)
			}
		}
	}
	return refs
}

// Forget takes a server off the recent ones.
func (s Settings) Forget(l Launch) Settings {
	s.Recent = slices.DeleteFunc(slices.Clone(s.Recent), l.Same)
	return s
}

// AtLaunch says whether a server is started with goated.
func (s Settings) AtLaunch(l Launch) bool {
	i := slices.IndexFunc(s.Launch, l.Same)
	return i >= 0 && !s.Launch[i].Off
}

// Start has a server started with goated, or no more.
func (s Settings) Start(l Launch, on bool) Settings {
	s.Launch = slices.Clone(s.Launch)
	l.Off = !on
	if i := slices.IndexFunc(s.Launch, l.Same); i >= 0 {
		s.Launch[i].Off = l.Off // what it was allowed stays
	} else if on {
		s.Launch = append(s.Launch, l)
	}
	return s
}

// Drop takes a server off the list of those started with goated.
func (s Settings) Drop(l Launch) Settings {
	s.Launch = slices.DeleteFunc(slices.Clone(s.Launch), l.Same)
	return s
}

// StartBundled has one of goated's own servers started, or no more.
func (s Settings) StartBundled(name string, on bool) Settings {
	s.BundledOff = slices.DeleteFunc(slices.Clone(s.BundledOff), func(n string) bool { return n == name })
	if !on {
		s.BundledOff = append(s.BundledOff, name)
	}
	return s
}

// TextSizes are those that the text of conversations is offered in.
func TextSizes() []int { return []int{13, usualText, 16, 18} }

const usualText = 14

// Text is the size of the text of conversations.
func (s Settings) Text() int {
	if s.TextSize == 0 {
		return usualText
	}
	return min(max(s.TextSize, 11), 24)
}

// Growth is how much larger than usual that is; it may be less than 0.
func (s Settings) Growth() float32 { return float32(s.Text() - usualText) }

// WithText is with text of that size.
func (s Settings) WithText(size int) Settings {
	if s.TextSize = size; size == usualText {
		s.TextSize = 0
	}
	return s
}

// zooms are the sizes that the window can be shown in. Fyne rounds its scale to
// a tenth.
var zooms = []int{70, 80, 90, 100, 110, 120, 130, 150, 170, 200}

// Percent is the zoom in percent.
func (s Settings) Percent() int {
	if s.Zoom == 0 {
		return 100
	}
	return min(max(s.Zoom, zooms[0]), zooms[len(zooms)-1])
}

// Zoomed is one step larger or smaller; by 0, as large as usual.
func (s Settings) Zoomed(by int) Settings {
	if by == 0 {
		s.Zoom = 0
		return s
	}
	i, exact := slices.BinarySearch(zooms, s.Percent())
	if !exact && by > 0 {
		i--
	}
	s.Zoom = zooms[min(max(i+by, 0), len(zooms)-1)]
	if s.Zoom == 100 {
		s.Zoom = 0
	}
	return s
}
