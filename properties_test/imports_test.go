package properties_test

// allowed is the architecture as data: for each package of goated, the packages of
// goated that it may import, and why. Packages without an entry import none.
var allowed = map[string]map[string]string{
	"cmd/goated": {
		"agent":            "it starts sessions and chooses their model",
		"assets":           "it sets the icons of window and tray",
		"client":           "it makes the host",
		"internal/ansi":    "it removes control sequences from the terminal's output",
		"internal/chat":    "the terminal chat runs and saves turns",
		"internal/config":  "it loads the settings",
		"internal/consent": "the terminal asks for permissions",
		"internal/proc":    "it is the supervisor of a server's processes when asked",
		"internal/sandbox": "doctor checks the sandbox, and flags become permissions",
		"internal/state":   "it stores the settings",
		"internal/store":   "it opens the history",
		"internal/wording": "it prints failures",
		"registry":         "it looks up the tool of a call",
		"servers":          "it runs the bundled servers",
		"ui":               "it opens the window",
		"ui/settings":      "it hands the stored key to the settings",
		"ui/view":          "the terminal shows results and forms as text",
		"ui/view/form":     "the terminal asks for the fields of a form",
		"ui/view/format":   "the terminal shortens text",
	},

	// The window.
	"ui": {
		"agent":             "it starts sessions and hands on their questions",
		"assets":            "it draws the logo",
		"client":            "it watches the host",
		"internal/config":   "it applies and saves the settings",
		"internal/consent":  "it hands blocked permissions to the server pages",
		"internal/debounce": "it saves the settings after a pause",
		"internal/store":    "it opens the history",
		"ui/chats":          "it shows the conversations",
		"ui/dialogs":        "it shows the questions",
		"ui/kit":            "it is built from the design system",
		"ui/servers":        "it shows the servers",
		"ui/settings":       "it shows the settings",
		"ui/shell":          "it makes the shell of all pages",
		"ui/transcript":     "it passes commands to the current conversation",
		"ui/view":           "it shows the state of a conversation",
		"ui/view/format":    "it writes numbers and sizes",
		"ui/viewer":         "it opens large texts",
	},
	"ui/chats": {
		"agent":             "it starts turns",
		"internal/chat":     "it runs, saves and replays turns",
		"internal/debounce": "it saves drafts after a pause",
		"internal/store":    "it lists and searches the history",
		"ui/kit":            "it is built from the design system",
		"ui/shell":          "it is a page",
		"ui/transcript":     "a conversation is shown as a transcript",
		"ui/view":           "it folds events and reads attachments",
		"ui/view/format":    "it writes numbers and dates",
		"ui/view/picture":   "it shows thumbnails of attachments",
	},
	"ui/servers": {
		"agent":            "the tools page shows the failure of a call",
		"client":           "the pages show and control servers",
		"client/diagnose":  "the failure card offers the actions of a diagnosis",
		"internal/config":  "the pages edit launch configurations",
		"internal/consent": "the permission prompt asks for blocked permissions",
		"internal/sandbox": "the pages show and edit permissions",
		"internal/wording": "the failure card shows causes and remedies",
		"registry":         "the tools page lists entries",
		"ui/form":          "a tool is tried with a form",
		"ui/kit":           "it is built from the design system",
		"ui/shell":         "it is a page",
		"ui/view":          "it describes servers and permissions",
		"ui/view/format":   "it writes numbers and sizes",
		"ui/view/markdown": "it reads links in descriptions",
	},
	"ui/settings": {
		"agent":            "it lists the models of a key",
		"client":           "it lists the servers at launch",
		"internal/config":  "it edits the settings",
		"internal/wording": "it shows why a key does not work",
		"ui/kit":           "it is built from the design system",
		"ui/shell":         "it is a page",
		"ui/view":          "it describes servers and permissions",
		"ui/view/format":   "it writes numbers and sizes",
	},
	"ui/dialogs": {
		"agent":    "it asks the questions of a turn",
		"ui/form":  "a question is a form",
		"ui/kit":   "it is built from the design system",
		"ui/shell": "it opens sheets",
		"ui/view":  "it shows the arguments of a call",
	},
	"ui/form": {
		"ui/kit":       "it is built from the design system",
		"ui/shell":     "it moves the focus",
		"ui/view":      "it reads and writes JSON in fields",
		"ui/view/form": "it draws the fields of a schema",
	},
	"ui/transcript": {
		"ui/jsonview":      "cards show JSON",
		"ui/kit":           "it is built from the design system",
		"ui/markdown":      "answers are Markdown",
		"ui/richtext":      "it draws styled text",
		"ui/view":          "it shows the state of a conversation",
		"ui/view/format":   "it writes numbers and sizes",
		"ui/view/markdown": "it copies and searches blocks",
		"ui/view/picture":  "cards show images",
	},
	"ui/markdown": {
		"ui/kit":           "it measures text",
		"ui/richtext":      "it lays out styled text",
		"ui/view/markdown": "it lays out blocks",
	},
	"ui/jsonview": {
		"ui/kit":  "it is built from the design system",
		"ui/view": "it shows the rows of trees and tables",
	},
	"ui/viewer": {
		"ui/kit":         "it is built from the design system",
		"ui/view":        "it shows the lines of a text",
		"ui/view/format": "it writes numbers and sizes",
	},
	"ui/shell": {
		"internal/config": "pages read settings",
		"ui/kit":          "pages open sheets and toasts",
		"ui/view":         "pages open texts in the viewer",
		"ui/view/format":  "it writes numbers and sizes",
	},
	"ui/kit": {
		"assets":      "it draws the fonts and icons",
		"ui/richtext": "paragraphs are styled text",
	},
	"ui/view": {
		"agent":            "it folds the events of a turn",
		"client":           "it describes servers",
		"internal/sandbox": "it describes permissions",
		"internal/wording": "it shows failures",
		"ui/view/format":   "it writes numbers and sizes",
		"ui/view/markdown": "answers are Markdown",
		"ui/view/picture":  "results hold images",
	},
	"ui/view/markdown": {
		"assets":          "it reads the packed languages of code",
		"ui/richtext":     "inline text is styled",
		"ui/view/format":  "it shortens long links",
		"ui/view/picture": "answers hold pictures as data",
	},

	"ui/view/picture": {
		"ui/view/format": "an error names the size of an image",
	},

	// Behind the window and the terminal.
	"internal/chat": {
		"agent":            "it runs the turns of a session",
		"internal/store":   "it saves turns",
		"internal/wording": "a saved failure keeps its sentence",
	},
	"internal/consent": {
		"client":           "it applies permissions to a connection",
		"internal/config":  "it remembers permissions in the settings",
		"internal/sandbox": "permissions are the sandbox's",
	},
	"internal/config": {
		"internal/sandbox": "a launch configuration lists permissions",
	},
	"internal/wording": {
		"agent":           "it words the failures of a turn",
		"client":          "it words the failures of a connection",
		"client/diagnose": "it words causes and remedies",
	},
	"internal/store": {
		"agent":          "turns are stored as events",
		"internal/state": "rescued data is written like all small files",
	},

	// Servers and models.
	"agent": {
		"registry": "calls name entries of the registry",
	},
	"client": {
		"client/diagnose":          "it collects the facts of a failed server",
		"client/internal/jsonscan": "it reads the JSON of protocol messages",
		"client/internal/limits":   "it sets the limits of a connection",
		"client/internal/stdio":    "a link to a process is a pipe",
		"client/internal/trace":    "it hands out the trace",
		"internal/gobuild":         "it compiles .go servers",
		"internal/proc":            "it starts and ends processes",
		"internal/sandbox":         "it confines servers",
		"internal/state":           "it stores the protocol cache",
		"registry":                 "it offers the tools of servers",
	},
	"client/internal/stdio": {
		"client/internal/jsonscan": "frames are JSON",
		"client/internal/limits":   "it enforces the limits",
		"client/internal/trace":    "it reports each frame",
		"internal/proc":            "a pipe ends with its process",
	},
	"client/internal/limits": {
		"internal/ansi": "reports quote output of servers",
		"internal/proc": "it counts lines of a process's output",
	},
	"client/diagnose": {
		"internal/sandbox": "a blocked permission is a cause",
	},
	"internal/gobuild": {
		"internal/proc":    "the compiler is a supervised process",
		"internal/sandbox": "the compiler runs confined",
	},
	"internal/proc": {
		"internal/ansi":    "the log ring keeps plain text",
		"internal/sandbox": "a process starts confined",
	},
	"servers": {
		"servers/ghost": "it lists the bundled servers",
	},
}

// vendors are the libraries that only some packages import.
var vendors = []vendor{
	{"fyne.io/fyne/v2/app", []string{"cmd/goated"}, "one place opens the window, because that needs cgo"},
	{"fyne.io/", []string{"cmd/goated", "ui", "ui/chats", "ui/dialogs", "ui/form", "ui/internal/...", "ui/jsonview", "ui/kit", "ui/markdown", "ui/servers", "ui/settings", "ui/shell", "ui/transcript", "ui/viewer"},
		"only the window draws"},
	{"github.com/zalando/go-keyring", []string{"cmd/goated"}, "one place stores secrets"},
	{"google.golang.org/genai", []string{"agent", "cmd/goated", "internal/chat", "internal/geminitest", "internal/store", "ui", "ui/chats"},
		"genai is the vocabulary of conversations, and of nothing else"},
	{"modernc.org/", []string{"internal/store"}, "one package knows the database"},
	{"github.com/alecthomas/chroma/v2/lexers", nil, "it reads 279 files before main, in each bundled server too; ui/view reads them when there is code"},
	{"log", []string{"cmd/goated"}, "the program makes the one log and hands it down as *slog.Logger"},
	{"testing/fstest", []string{"internal/..."}, "only tests use it"},
	{"testing", []string{"internal/geminitest", "internal/servertest", "ui/internal/screentest"}, "test tools are no part of the program"},
	{"pgregory.net/rapid", nil, "test tools are no part of the program"},
	{"go.uber.org/goleak", nil, "test tools are no part of the program"},
}

// unreachable are the libraries that a package must not bring along, directly or
// through other packages.
var unreachable = []struct{ from, library, why string }{
	{"registry", "google.golang.org/genai", "the registry is data"},
	{"registry", "fyne.io/", "the registry is data"},
	{"client", "google.golang.org/genai", "a host connects servers for any model"},
	{"client", "fyne.io/", "a host works without a window"},
	{"agent", "fyne.io/", "the loop works without a window"},
	{"ui/view", "fyne.io/", "the terminal shows the same state"},
	{"servers", "google.golang.org/genai", "a bundled server has no model"},
	{"servers", "fyne.io/", "a bundled server has no window"},
	{"servers/*", "google.golang.org/genai", "a bundled server has no model"},
	{"servers/*", "fyne.io/", "a bundled server has no window"},
	{"internal/*", "fyne.io/", "nothing behind the window draws"},
	{"*", "github.com/alecthomas/chroma/v2/lexers", "it reads 279 files before main"},
	{"*/*", "github.com/alecthomas/chroma/v2/lexers", "it reads 279 files before main"},
	{"*/*/*", "github.com/alecthomas/chroma/v2/lexers", "it reads 279 files before main"},
}
