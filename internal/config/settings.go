// Package config holds the settings: the user's preferences, the servers that goated starts, their
// environment, and their permissions. It must not depend on the host that runs the servers or the
// window that edits the settings.
package config

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"time"

	"goated/internal/launch"
	"goated/internal/sandbox"
)

// Settings are the permanent choices of the user, made in the window or in settings.json. The zero
// value means the defaults. Settings are an immutable value: the methods return a changed copy. Do
// not change the slices.
type Settings struct {
	Model string `json:"model,omitempty"`
	Service
	TimeLimits
	MaxSteps int `json:"maxSteps,omitempty"`

	Theme    string  `json:"theme,omitempty"`    // light, dark, or empty for the system's theme
	Zoom     int     `json:"zoom,omitempty"`     // percent; 0 means 100
	TextSize int     `json:"textSize,omitempty"` // text size of conversations, in pixels before the zoom; 0 means 14
	Width    float32 `json:"width,omitempty"`    // width of the window when it was last closed
	Height   float32 `json:"height,omitempty"`
	Welcomed bool    `json:"welcomed,omitempty"` // the welcome page was shown

	// Recent lists the servers that the user connected, latest first.
	Recent []Launch `json:"recentServers,omitempty"`
	// Launch lists the servers that goated connects when it starts.
	Launch []Launch `json:"launchServers,omitempty"`
	Choices
	// Folders lists the projects whose artifacts the user viewed, latest first.
	Folders []string `json:"recentFolders,omitempty"`
	// Linked lists configuration files of other clients. goated runs the servers in them, too.
	Linked []Link `json:"linkedFiles,omitempty"`
}

// Choices record which of goated's own servers and tools are on, in which folder goated works, and
// how it identifies itself to other services.
type Choices struct {
	// Folder is goated's working directory if the desktop's menu starts it; empty: the directory in
	// which the desktop starts it. In a terminal, goated works in the terminal's directory.
	Folder string `json:"folder,omitempty"`
	// BundledOff lists the names of goated's own servers that do not start.
	BundledOff []string `json:"bundledOff,omitempty"`
	// BundledOn lists the names of goated's own servers that start although they are off by
	// default.
	BundledOn []string `json:"bundledOn,omitempty"`
	// BundledToolsOff maps goated's own servers to their tools that are off.
	BundledToolsOff map[string][]string `json:"bundledToolsOff,omitempty"`
	// Profiles remember which servers are on. Profile is the name of the profile in use, or empty
	// for [DefaultProfile].
	Profiles []Profile `json:"profiles,omitempty"`
	Profile  string    `json:"profile,omitempty"`
	Dialogs  Dialogs   `json:"dialogs,omitzero"` // of the pause server and goated itself
	// ClientDocument is the https URL of a client ID metadata document. goated uses it to identify
	// itself to authorization servers that accept one, such as a company's. If it is empty, goated
	// registers itself.
	ClientDocument string `json:"clientDocument,omitempty"`
}

// Dialogs configures how goated and programs ask for the user's attention. The zero value shows
// each question immediately, with a silent notification if another window is in front.
type Dialogs struct {
	Quiet  bool `json:"quiet,omitempty"`  // do not disturb: questions wait until the user looks
	Silent bool `json:"silent,omitempty"` // no notifications, not even goated's own
	Sound  bool `json:"sound,omitempty"`  // notifications come with a sound
	Raise  bool `json:"raise,omitempty"`  // a question brings the window to the front
}

// A Link is a configuration file that goated reads but never writes.
type Link struct {
	Path   string   `json:"path"`             // absolute
	Agreed []string `json:"agreed,omitempty"` // marks of the servers that the user agreed to
}

// A Service configures the connection to the model and its behaviour.
type Service struct {
	// Endpoint is the URL of a service with OpenAI's chat interface, such as
	// http://localhost:11434/v1. It is empty for Gemini, and can be [NoModel].
	Endpoint  string     `json:"endpoint,omitempty"`
	Thoughts  bool       `json:"thoughts,omitempty"`  // ask for summaries of its thoughts
	Providers []Provider `json:"providers,omitempty"` // services that the user added
	// Instructions are the user's instructions for every conversation.
	Instructions string `json:"instructions,omitempty"`
	// ContextLimit limits a request, in tokens. 0 means 200,000, or the model's context if that is
	// smaller.
	ContextLimit int `json:"contextLimit,omitempty"`
	// KeepAll stops goated from summarising old messages automatically.
	KeepAll bool `json:"keepAllMessages,omitempty"`
}

// TimeLimits are goated's timeouts. 0 means the default.
type TimeLimits struct {
	ConnectTimeout Limit `json:"connectTimeout,omitempty"`
	CallTimeout    Limit `json:"callTimeout,omitempty"`
	AnswerTimeout  Limit `json:"answerTimeout,omitempty"` // how long the model may be silent
}

// A Launch is a saved server: a script, a command or a URL, and how goated runs it. Exactly one of
// Path, Command and URL is set.
type Launch struct {
	// Name is the display name. It distinguishes saved servers that run the same way, such as one
	// server with two accounts. If it is empty, the host chooses a name.
	Name    string     `json:"name,omitempty"`
	Path    string     `json:"path,omitempty"`    // path of a script
	Command string     `json:"command,omitempty"` // a program, by name or by path
	URL     string     `json:"url,omitempty"`     // URL of a server that is already running
	Headers []Variable `json:"headers,omitempty"` // headers of the requests to URL
	Args    []string   `json:"args,omitempty"`
	Dir     string     `json:"dir,omitempty"` // working directory; empty: goated's own
	Env     []Variable `json:"env,omitempty"`
	Off     bool       `json:"off,omitempty"` // saved, but not started
	// Allowed lists the permissions beyond the sandbox's defaults.
	Allowed sandbox.Permissions `json:"allowed,omitempty"`
	// NoSandbox runs the server with all rights of the user.
	NoSandbox bool `json:"noSandbox,omitempty"`
	// Unconfined lets the server run on a system that has no sandbox.
	Unconfined bool `json:"unconfined,omitempty"`
	// Refused lists the permissions that goated does not ask about again.
	Refused sandbox.Permissions `json:"refused,omitempty"`
	// ToolsOff lists the names of the server's tools that are off: no model learns of them, and
	// they cannot be called.
	ToolsOff []string `json:"toolsOff,omitempty"`
}

// hasDecision reports whether the user has made any decision about l's permissions or tools.
func (l Launch) hasDecision() bool {
	return len(l.Allowed)+len(l.Refused)+len(l.ToolsOff) > 0 || l.NoSandbox || l.Unconfined
}

// Same reports whether both are the same server: they run the same way, and do not have different
// names. For a command, the working directory counts. A script runs the same in any directory.
func (l Launch) Same(o Launch) bool {
	return l.Path == o.Path && l.Command == o.Command && l.URL == o.URL && slices.Equal(l.Args, o.Args) &&
		(l.Command == "" || l.Dir == o.Dir) && (l.Name == o.Name || l.Name == "" || o.Name == "")
}

// Equal reports whether both are the same server and also have the same name, working directory and
// values.
func (l Launch) Equal(o Launch) bool {
	return l.Same(o) && l.Name == o.Name && l.Dir == o.Dir && slices.Equal(l.Env, o.Env) && slices.Equal(l.Headers, o.Headers)
}

// DisplayName returns the server's own name, or the name of its package, file or host. It accesses the
// file system.
func (l Launch) DisplayName() string {
	if l.Name != "" {
		return l.Name
	}
	_, name := launch.Of(l.Path, l.Command, l.URL, l.Args, l.Dir, launch.Here(nil))
	return cmp.Or(name, l.Subject())
}

// Subject returns the path, command or URL.
func (l Launch) Subject() string { return cmp.Or(l.URL, l.Command, l.Path) }

// ChangeDir changes the working directory to Folder. If it returns an error, the working directory has
// not changed.
func (s Settings) ChangeDir() error {
	if s.Folder == "" {
		return nil
	}
	if err := os.Chdir(s.Folder); err != nil {
		return fmt.Errorf("goated can't work in the folder that you chose: %w. Choose another in Settings > Data", err)
	}
	return nil
}

// A Limit is a duration, written as "90s".
type Limit time.Duration

// UnmarshalText parses a positive duration, such as 90s.
func (d *Limit) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err == nil && v <= 0 {
		err = fmt.Errorf("%q is not a time limit", text)
	}
	*d = Limit(v)
	return err
}

// MarshalText formats the limit like [time.Duration].
func (d Limit) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// maxRecent limits the number of recent servers.
const maxRecent = 8

// WithRecent moves a server to the front of the recent servers. If goated launches it, the next launch
// uses l's environment.
func (s Settings) WithRecent(l Launch) Settings { return s.WithReplaced(l, l) }

// WithReplaced replaces old by l at the front of the recent servers. old is the same server before its
// arguments changed. WithReplaced keeps the permissions.
func (s Settings) WithReplaced(old, l Launch) Settings {
	known := s.Saved(old)
	l.Allowed, l.NoSandbox, l.Unconfined, l.Refused = known.Allowed, known.NoSandbox, known.Unconfined, known.Refused
	l.ToolsOff = known.ToolsOff
	s = s.WithoutRecent(old).WithoutRecent(l)
	if i := slices.IndexFunc(s.Launch, old.Same); i >= 0 {
		l.Off = s.Launch[i].Off
		s = WithRenamed(s, s.Launch[i], l)
		s.Launch = replaced(s.Launch, i, l)
	}
	l.Off = false
	s.Recent = slices.Concat([]Launch{l}, s.Recent)
	for len(s.Recent) > maxRecent { // remove servers without decisions first
		at := len(s.Recent) - 1
		for i := at; i > 0; i-- {
			if !s.Recent[i].hasDecision() {
				at = i
				break
			}
		}
		s.Recent = slices.Delete(s.Recent, at, at+1)
	}
	return s
}

// WithUpdated returns s with l instead of the saved server old. Unlike [Settings.WithReplaced], it uses the
// permissions of l.
func WithUpdated(s Settings, old, l Launch) Settings {
	s = s.WithoutRecent(old)
	if i := slices.IndexFunc(s.Launch, old.Same); i >= 0 {
		s = WithRenamed(s, s.Launch[i], l)
		s.Launch = replaced(s.Launch, i, l)
	} else { // the user has removed it in the meantime
		s.Launch = append(s.WithoutStart(l).Launch, l)
	}
	return s
}

// ChangeServer changes a server in all lists. It adds an unknown server to the recent servers.
func (s Settings) ChangeServer(l Launch, change func(*Launch)) Settings {
	if !slices.ContainsFunc(s.Recent, l.Same) && !slices.ContainsFunc(s.Launch, l.Same) {
		s = s.WithRecent(l)
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

// DecidedServers returns the servers about which the user has made a decision, each once.
func (s Settings) DecidedServers() []Launch {
	var out []Launch
	for _, l := range slices.Concat(s.Recent, s.Launch) {
		if l.hasDecision() && !slices.ContainsFunc(out, l.Same) {
			out = append(out, l)
		}
	}
	return out
}

// Saved returns the saved server that is the same as l, or l itself if there is none.
func (s Settings) Saved(l Launch) Launch {
	for _, list := range [][]Launch{s.Recent, s.Launch} {
		if i := slices.IndexFunc(list, l.Same); i >= 0 {
			return list[i]
		}
	}
	return l
}

// ServerNames returns the display names of the saved servers and of more.
func (s Settings) ServerNames(more []Launch) []string {
	var names []string
	for _, l := range slices.Concat(s.Launch, more) {
		names = append(names, l.DisplayName())
	}
	return names
}

// Refs returns the references of all secrets in the system's keyring.
func (s Settings) Refs() []string {
	var refs []string
	for _, l := range slices.Concat(s.Recent, s.Launch) {
		for _, v := range slices.Concat(l.Env, l.Headers) {
			if v.Ref != "" && !slices.Contains(refs, v.Ref) {
				refs = append(refs, v.Ref)
			}
		}
	}
	return refs
}

// WithoutRecent removes a server from the recent ones.
func (s Settings) WithoutRecent(l Launch) Settings {
	s.Recent = slices.DeleteFunc(slices.Clone(s.Recent), l.Same)
	return s
}

// StartsServer reports whether goated starts a server.
func (s Settings) StartsServer(l Launch) bool {
	i := slices.IndexFunc(s.Launch, l.Same)
	return i >= 0 && !s.Launch[i].Off
}

// WithStart saves a server and sets whether goated starts it. A server that is off is saved, too, so
// that the user can find it and turn it on.
func (s Settings) WithStart(l Launch, on bool) Settings {
	s.Launch = slices.Clone(s.Launch)
	l.Off = !on
	if i := slices.IndexFunc(s.Launch, l.Same); i >= 0 {
		s.Launch[i].Off = l.Off // keep its permissions
	} else {
		s.Launch = append(s.Launch, l)
	}
	return s
}

// WithoutStart removes a server from the servers that goated starts.
func (s Settings) WithoutStart(l Launch) Settings {
	s.Launch = slices.DeleteFunc(slices.Clone(s.Launch), l.Same)
	return s
}

// TextSizes returns the text sizes for conversations that the user can choose from, in pixels.
func TextSizes() []int { return []int{13, defaultTextSize, 16, 18} }

const defaultTextSize = 14

// Text returns the text size of conversations, in pixels.
func (s Settings) Text() int {
	if s.TextSize == 0 {
		return defaultTextSize
	}
	return min(max(s.TextSize, 11), 24)
}

// TextGrowth returns the difference to the usual text size, in pixels. It may be negative.
func (s Settings) TextGrowth() float32 { return float32(s.Text() - defaultTextSize) }

// WithText sets the text size.
func (s Settings) WithText(size int) Settings {
	if s.TextSize = size; size == defaultTextSize {
		s.TextSize = 0
	}
	return s
}

// zoomLevels lists the zoom levels, in percent. Fyne rounds its scale to a tenth.
var zoomLevels = []int{70, 80, 90, 100, 110, 120, 130, 150, 170, 200}

// Percent returns the zoom in percent.
func (s Settings) Percent() int {
	if s.Zoom == 0 {
		return 100
	}
	return min(max(s.Zoom, zoomLevels[0]), zoomLevels[len(zoomLevels)-1])
}

// WithZoomStep makes the zoom one step larger or smaller. 0 resets it.
func (s Settings) WithZoomStep(by int) Settings {
	if by == 0 {
		s.Zoom = 0
		return s
	}
	i, exact := slices.BinarySearch(zoomLevels, s.Percent())
	if !exact && by > 0 {
		i--
	}
	s.Zoom = zoomLevels[min(max(i+by, 0), len(zoomLevels)-1)]
	if s.Zoom == 100 {
		s.Zoom = 0
	}
	return s
}

// WithLink adds a linked file, or replaces the one with the same path. nil changes nothing.
func (s Settings) WithLink(l *Link) Settings {
	if l == nil {
		return s
	}
	s = s.WithoutLink(l.Path)
	s.Linked = append(s.Linked, *l)
	return s
}

// WithoutLink removes a linked file.
func (s Settings) WithoutLink(path string) Settings {
	s.Linked = slices.DeleteFunc(slices.Clone(s.Linked), func(l Link) bool { return l.Path == path })
	return s
}
