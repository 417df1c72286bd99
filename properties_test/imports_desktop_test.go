package properties_test

// allowedDesktop is the part of [allowed] for the list of bundled servers, and for the
// desktop server (seed 002) and its backends.
var allowedDesktop = map[string]map[string]string{
	"servers": {
		"internal/trim":                    "they give back the memory of their start",
		"servers/desktop":                  "it lists the bundled servers",
		"servers/desktop/backend":          "it opens the desktop of this computer",
		"servers/desktop/guard":            "goated names its own processes to the desktop server",
		"servers/desktop/atspi/privatebus": "the sandbox lets the desktop server reach the buses of a hidden desktop",
		"servers/desktop/x11/hidden":       "it opens a hidden desktop",
		"servers/desktop/opener":           "goated opens applications for the desktop server",
		"servers/desktop/live":             "goated shows what the desktop server does",
		"internal/sandbox/busfilter":       "it lists what the desktop server may say on a bus",
		"servers/desktop/portal":           "the desktop server asks for the owners of its names",
		"internal/hostcall":                "a bundled server asks goated for what its sandbox forbids",
		"servers/desktop/link":             "it lists the variables that the desktop server reads",
		"servers/desktop/macosusesdk":      "it opens a backend of the protocol",
		"servers/desktop/apps":             "a replay finds the applications of a record",
		"servers/desktop/journal":          "a replay performs what is recorded",
		"servers/desktop/replay":           "it replays on the desktop of the server",
		"servers/ghost":                    "it lists the bundled servers",
		"servers/llmem":                    "it lists the bundled servers",
		"servers/pause":                    "it lists the bundled servers",
		"servers/pause/door":               "pause asks at goated's door under other clients",
	},
	"servers/desktop": {
		"internal/truncate":           "it logs the beginnings of texts",
		"internal/exact":              "answers are JSON without escapes for HTML",
		"servers/desktop/convert":     "arguments become messages, and messages answers",
		"servers/desktop/link":        "its tools call the service",
		"servers/desktop/macosusesdk": "it speaks the protocol",
		"servers/desktop/selector":    "selectors have a short form",
		"servers/serverlog":           "it logs",
	},
	"servers/ghost": {
		"internal/truncate":   "it shows the beginnings of texts",
		"internal/paths":      "its folders mean the same wherever it runs",
		"servers/serverlog":   "it logs",
		"internal/secretname": "it warns of passwords in a plain text file",
	},
	"servers/desktop/link": {
		"servers/desktop/macosusesdk": "it calls and serves the protocol",
	},
	"servers/desktop/atspi": {
		"servers/desktop/atspi/direct": "it asks about each element of a page past the bus",
		"servers/desktop/element":      "it reads elements",
		"servers/desktop/selector":     "it finds elements by selectors",
	},
	"servers/desktop/guard": {
		"internal/secretname":     "titles of windows name passwords",
		"servers/desktop/element": "it decides about windows",
	},
	"servers/desktop/opener": {
		"servers/desktop/apps":             "it finds and starts applications",
		"servers/desktop/command":          "it runs shell commands",
		"servers/desktop/guard":            "it refuses what the server refuses",
		"servers/desktop/atspi/privatebus": "a hidden desktop has its own session bus",
		"servers/desktop/x11/hidden":       "it starts the hidden desktop",
		"servers/desktop/live":             "the user sees the hidden desktop",
		"servers/desktop/openable":         "it starts what the server may open",
		"servers/desktop/portal":           "the user chooses a picture on Wayland",
		"servers/desktop/x11/screenshot":   "it takes pictures of the hidden desktop for the user",
	},
	"servers/desktop/replay": {
		"servers/desktop/journal":     "it performs what is recorded",
		"servers/desktop/link":        "it acts over the protocol",
		"servers/desktop/macosusesdk": "it acts over the protocol",
	},
	"servers/desktop/portal": {
		"internal/state":         "it saves the token of the user's consent",
		"servers/desktop/copied": "it copies and pastes",
	},
	"servers/desktop/portal/keyboard": {
		"servers/desktop/portal": "the portal presses the keys",
	},
	"servers/desktop/openable": {
		"servers/desktop/apps":  "it finds applications",
		"servers/desktop/guard": "it refuses what the guard refuses",
	},
	"servers/desktop/macro": {
		"servers/desktop/macosusesdk": "it runs macros of the protocol",
		"servers/desktop/selector":    "macros name elements by selectors",
	},
	"servers/desktop/message": {
		"servers/desktop/copied":      "it converts what lies on a clipboard",
		"servers/desktop/element":     "it converts elements",
		"servers/desktop/macosusesdk": "it makes messages of the protocol",
	},
	"servers/desktop/inputaction": {
		"servers/desktop/macosusesdk": "it reads inputs of the protocol",
	},
	"servers/desktop/observe": {
		"servers/desktop/macosusesdk": "it reports events of the protocol",
	},
	"servers/desktop/session": {
		"internal/truncate":           "its history keeps the beginnings of texts",
		"servers/desktop/macosusesdk": "it keeps sessions of the protocol",
	},
	"servers/desktop/selector": {
		"servers/desktop/element":     "selectors decide about elements",
		"servers/desktop/macosusesdk": "it compiles selectors of the protocol",
	},
	"servers/desktop/journal": {
		"internal/secretname": "what is typed into secrets is left out", "internal/secretvalue": "keys are left out",
	},
	"internal/secretname": {
		"internal/lazyregexp": "most processes have no forms",
		"internal/safetext":   "hidden characters do not change a name",
	},
	"servers/desktop/backend": {
		"internal/secretname":              "labels of fields name passwords",
		"servers/desktop/apps":             "it lists and starts applications",
		"servers/desktop/atspi":            "it reads and uses elements",
		"servers/desktop/command":          "it runs shell commands",
		"servers/desktop/atspi/privatebus": "a hidden desktop has its own session bus",
		"servers/desktop/copied":           "it converts what is on the clipboard",
		"servers/desktop/element":          "it converts elements and windows",
		"servers/desktop/guard":            "each action passes the guard",
		"servers/desktop/inputaction":      "it performs inputs",
		"servers/desktop/journal":          "it records each action",
		"servers/desktop/live":             "it reports each action to the user's window",
		"servers/desktop/macosusesdk":      "it implements the protocol",
		"servers/desktop/macro":            "it runs macros",
		"servers/desktop/message":          "it answers with messages of the protocol",
		"servers/desktop/notices":          "notifications may ask goated's questions",
		"servers/desktop/observe":          "it runs observations",
		"servers/desktop/openable":         "it starts what the user allows",
		"servers/desktop/operations":       "it runs long operations",
		"servers/desktop/paging":           "its lists have pages",
		"servers/desktop/portal":           "it takes pictures on Wayland",
		"servers/desktop/portal/keyboard":  "it presses keys on Wayland",
		"servers/desktop/selector":         "elements are found by selectors",
		"servers/desktop/session":          "it keeps sessions",
		"servers/desktop/x11":              "it changes windows",
		"servers/desktop/x11/clipboard":    "it reads and writes the clipboard",
		"servers/desktop/x11/drop":         "it drops files",
		"servers/desktop/x11/halt":         "it shows the sign and takes the key",
		"servers/desktop/x11/hidden":       "it starts a hidden desktop",
		"servers/desktop/x11/input":        "it presses keys and buttons",
		"servers/desktop/x11/screenshot":   "it takes screenshots",
		"servers/desktop/x11/wire":         "it knows the end of a connection",
	},
	"servers/desktop/x11": {
		"servers/desktop/x11/wire": "it sends requests to the X server",
	},
	"servers/desktop/x11/screenshot": {
		"servers/desktop/x11":      "it asks which windows are where, and which are goated's",
		"servers/desktop/x11/wire": "it sends requests to the X server",
	},
	"servers/desktop/x11/input": {
		"servers/desktop/x11":      "its errors are those of the desktop",
		"servers/desktop/x11/wire": "it sends requests to the X server",
	},
	"servers/desktop/x11/clipboard": {
		"servers/desktop/copied":   "it copies and pastes",
		"servers/desktop/x11/wire": "it sends requests to the X server",
	},
	"servers/desktop/x11/drop": {
		"servers/desktop/x11/wire": "it sends requests to the X server",
	},
	"servers/desktop/x11/halt": {
		"servers/desktop/x11/wire": "it sends requests to the X server",
	},
	"servers/desktop/x11/x11test": {
		"servers/desktop/apps":       "programs of a test end with it",
		"servers/desktop/x11":        "tests open a desktop",
		"servers/desktop/x11/hidden": "tests run on a hidden desktop",
		"servers/desktop/x11/wire":   "tests divide the screen into monitors",
	},
	"servers/desktop/atspi/privatebus": {
		"servers/desktop/daemon": "it starts the buses",
	},
	"servers/desktop/x11/hidden": {
		"servers/desktop/daemon":   "it starts the display and its window manager",
		"servers/desktop/x11/wire": "it waits until the display and its window manager answer",
	},
}
