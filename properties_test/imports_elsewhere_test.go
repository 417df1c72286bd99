package properties_test

import "maps"

// allowedElsewhere is the part of [allowed] for packages that bring servers from
// elsewhere: URLs, other clients, the registry, bundles.
var allowedElsewhere = map[string]map[string]string{
	"internal/clipboard": {
		"servers/desktop/x11/clipboard": "it reads the clipboard of X11",
	},
	"internal/reach": {
		"agent":               "it declares the tools to a model",
		"internal/geminitest": "the stand-in says what Gemini refuses",
		"client/diagnose":     "it restarts a server as a cause advises",
		"client":              "it connects the servers that people use",
		"internal/launch":     "it reaches the hosts that its settings name, as the sheet agrees to",
		"internal/proc":       "it is its own keeper",
		"internal/sandbox":    "it allows what servers lack",
		"internal/wording":    "it prints why a server failed",
	},
	"internal/chatcmd": {
		"agent":            "it switches models and summarises",
		"internal/chat":    "it saves summaries",
		"internal/config":  "the user's instructions are in the settings",
		"internal/models":  "it lists and opens models",
		"internal/store":   "it saves what the user chose",
		"internal/wording": "it words failures and summaries",
		"ui/view":          "it writes the meter",
	},
	"ui/markdown": {
		"internal/safetext": "short texts hide nothing",
		"ui/kit":            "it measures text",
		"ui/richtext":       "it lays out styled text",
		"ui/view/formula":   "it draws formulas",
		"ui/view/markdown":  "it lays out blocks",
	},
	"ui/view/formula": {},
	"ui/typeset": {
		"assets":      "it draws mathematical signs",
		"ui/richtext": "it orders styled text",
	},
	"ui/popup": {
		"ui/kit": "it is built from the design system",
	},
	"ui/highlight": {
		"internal/safetext": "it shows hidden characters",
		"ui/kit":            "it is built from the design system",
		"ui/typeset":        "it draws other scripts",
	},
	"ui/settings": {
		"ui/highlight":      "a search of models shows what matched",
		"internal/consent":  "it lists and revokes grants",
		"internal/safetext": "it shows how the server of a grant starts",
		"ui/view":           "it shows the title of a granted tool",
		"agent":             "it lists the models of a key",
		"client":            "it lists the servers at launch",
		"internal/config":   "it edits the settings",
		"internal/models":   "it lists the models of services",
		"internal/wording":  "it shows why a key does not work",
		"ui/kit":            "it is built from the design system",
		"ui/shell":          "it is a page",
		"ui/view/format":    "it writes numbers and sizes",
	},
	"ui/modelmenu": {
		"agent":            "it shows the meter of a session",
		"internal/config":  "it marks the chosen model",
		"internal/models":  "it lists models",
		"internal/wording": "it says why a service can't be listed",
		"ui/kit":           "it is built from the design system",
		"ui/view":          "it shows what fills the context",
		"ui/view/format":   "it writes numbers",
	},
	"internal/historycmd": {
		"internal/chat":     "it names conversations by short ids",
		"internal/safetext": "it escapes hidden characters for programs",
		"internal/store":    "it lists, backs up and restores the history",
		"ui/view":           "it says how long ago something was",
		"ui/view/format":    "it cuts titles",
	},
	"internal/bench": {
		"agent":          "it measures the loop",
		"client":         "it measures calls",
		"internal/chat":  "it measures recorded turns",
		"internal/store": "it measures the history",
		"ui/view":        "it measures the fold of events",
	},
	"internal/replay": {
		"agent":          "a recording has events of turns",
		"internal/exact": "a case keeps every digit",
		"internal/store": "a recording is an exported conversation",
		"registry":       "it calls tools of the registry",
	},
	"internal/replaycmd": {
		"agent":             "it prints events",
		"internal/replay":   "it runs cases",
		"internal/wording":  "it prints why a model can't be asked",
		"internal/safetext": "it prints text of servers",
		"internal/state":    "a killed program leaves no half case",
		"internal/store":    "it reads an exported conversation",
		"registry":          "it asks the policy about tools",
		"ui/view":           "it prints results",
	},
	"internal/oauth": {
		"internal/ansi":   "an error quotes what a server said",
		"internal/config": "tokens are kept in the keyring of secrets",
	},
	"internal/catalog": {
		"internal/ansi":   "entries are shown as plain text",
		"internal/inputs": "an entry asks for inputs",
		"internal/state":  "it caches answers",
	},
	"internal/installs": {
		"internal/state": "servers start at the same time and read its files",
	},
	"internal/mcpb": {
		"internal/inputs": "a bundle asks for inputs",
	},
	"internal/install": {
		"internal/catalog": "it installs what the registry lists",
		"internal/config":  "the result is a saved server",
		"internal/inputs":  "a server asks for inputs",
		"internal/mcpb":    "it installs bundles",
		"internal/sandbox": "a bundle may read its own folder",
	},
	"internal/transfer": {
		"internal/config": "the result is a saved server",
		"internal/launch": "it understands single servers",
	},
	"internal/adding": {
		"internal/catalog":  "it prints what a search found",
		"internal/config":   "the result is a saved server",
		"internal/inputs":   "it asks for the inputs of a server",
		"internal/launch":   "it understands the servers of other clients",
		"internal/transfer": "it lists the servers of other clients",
		"internal/wording":  "it prints remarks",
		"ui/view":           "it writes words as a shell reads them",
	},
	"internal/linked": {
		"client":            "it connects the servers of linked files",
		"internal/adding":   "its commands ask and print as import does",
		"internal/config":   "links are saved in the settings",
		"internal/consent":  "it turns saved servers into configurations",
		"internal/launch":   "it reads files as import does",
		"internal/transfer": "it reads files as import does",
	},
	"ui/table": {
		"ui/kit":  "it is built from the design system",
		"ui/view": "it shows and sorts the rows of a grid",
	},
	"ui/jsonview": {
		"ui/popup": "it opens menus",
		"ui/kit":   "it is built from the design system",
		"ui/view":  "it shows the rows of trees",
	},
	"ui/pause": {
		"servers/pause/history": "it lists the questions of programs",
		"internal/safetext":     "a caller's words hide nothing",
		"servers/pause/dialog":  "it draws its questions",
		"ui/kit":                "it draws",
		"ui/markdown":           "questions are Markdown",
		"ui/shell":              "it gets the window's functions",
		"ui/view":               "it writes sentences",
		"ui/view/fields":        "it masks what looks like a secret",
		"ui/view/format":        "it writes sizes",
	},
	"ui/view/fields": {
		"agent/schema":        "it follows the references of a schema",
		"internal/safetext":   "labels come from servers",
		"internal/secretname": "what is typed into secrets is hidden",
		"internal/exact":      "numbers keep every digit",
	},
	"ui/form": {
		"ui/kit":         "it is built from the design system",
		"ui/shell":       "it moves the focus",
		"ui/view":        "it reads and writes JSON in fields",
		"ui/view/format": "it writes numbers",
		"ui/view/fields": "it draws the fields of a schema",
	},
	"ui/inspector": {
		"ui/popup":          "it opens menus",
		"internal/inspect":  "it shows the messages of a log",
		"internal/safetext": "the words of servers hide nothing",
		"ui/kit":            "it is built from the design system",
		"ui/richtext":       "JSON has the colours of code",
		"ui/shell":          "it is a page",
		"ui/view":           "it reads JSON",
		"ui/view/format":    "it writes numbers and sizes",
	},
	"internal/store": {
		"agent":             "turns are stored as events",
		"internal/exact":    "arguments of stored calls keep every digit",
		"internal/jsonscan": "a file is cut before it is decoded",
		"internal/state":    "rescued data is written like all small files",
	},
	"ui/desktop": {
		"servers/desktop/live": "it shows what the desktop server does",
		"internal/safetext":    "programs choose parts of its sentences",
		"ui/kit":               "it is built from the design system",
		"ui/shell":             "it is a page",
		"ui/view":              "it shows how long ago something was",
	},
	"ui/artifacts": {
		"ui/popup":             "it opens menus",
		"internal/safetext":    "the words of a source hide nothing",
		"servers/llmem/browse": "it shows what LLMem knows",
		"ui/kit":               "it is built from the design system",
		"ui/markdown":          "summaries are Markdown",
		"ui/shell":             "it is a page",
		"ui/view":              "it writes sentences and times",
		"ui/view/format":       "it writes numbers",
		"ui/view/graph":        "it draws the import graph",
	},
	"ui/internal/samples": {
		"agent":            "a test's model answers in its sessions",
		"client":           "it has servers in each state",
		"internal/sandbox": "the servers have a sandbox",
		"registry":         "the servers have tools",
	},
	"ui/internal/pagetest": {
		"ui/internal/screentest": "a page is used as a person uses it",
		"ui/kit":                 "the window has the theme and the clock",
		"ui/shell":               "it is the shell of the page",
	},
	"servers/llmem": {
		"servers/serverlog":       "it logs",
		"servers/llmem/browse":    "a program browses the workspace",
		"servers/llmem/artifact":  "its tools store and read artifacts",
		"servers/llmem/index":     "its tools search the outlines of the workspace",
		"servers/llmem/outline":   "its tools return outlines",
		"servers/llmem/prompt":    "its tools return prompts",
		"servers/llmem/rank":      "map_workspace shows the best definitions",
		"servers/llmem/workspace": "its tools read files of the workspace",
	},
	"servers/llmem/artifact": {
		"servers/llmem/workspace": "artifacts lie in the workspace",
	},
	"servers/llmem/index": {
		"internal/state":          "several servers write its cache",
		"servers/llmem/outline":   "it keeps outlines",
		"servers/llmem/workspace": "it lists and reads files",
	},
	"servers/llmem/outline": {
		"servers/llmem/outline/grammar": "it parses with tree-sitter",
	},
	"servers/llmem/prompt": {
		"servers/llmem/outline": "prompts contain outlines",
	},
	"servers/llmem/rank": {
		"servers/llmem/index":   "it ranks the index",
		"servers/llmem/outline": "it weighs kinds of symbols",
	},

	// The page of all servers, and what it and the composer offer of them.
	"ui/tools": {
		"ui/popup":          "it opens menus",
		"agent":             "it shows what the declaration of a tool costs",
		"client":            "it lists the servers and turns their tools on and off",
		"internal/config":   "it changes which servers and tools are on",
		"internal/consent":  "it shows and changes which tools ask",
		"internal/oauth":    "it says that a server wants a sign-in",
		"internal/safetext": "it shows names of tools",
		"internal/wording":  "it says why a server does not run",
		"registry":          "it describes entries",
		"ui/kit":            "it is built from the design system",
		"ui/richtext":       "a sentence begins with bold words",
		"ui/shell":          "it is a page",
		"ui/view":           "it describes servers and tools",
		"ui/view/format":    "it writes numbers",
	},
	"internal/servertools": {
		"internal/quarantine": "it prints which models refused a tool",
		"agent":               "it prints what the declaration of a tool costs",
		"internal/wording":    "it prints how the declaration differs from the tool",
		"registry":            "it names tools as a model does",
		"ui/view":             "it shows titles and effects of tools",
	},
	"internal/offers": {
		"client":            "it asks servers for prompts and resources",
		"internal/safetext": "it shows names of servers",
	},
	"internal/readiness": {
		"agent":             "a turn waits by its events",
		"client":            "the host knows which servers are starting",
		"internal/config":   "a start is announced by its launch",
		"internal/consent":  "it finds the server of a launch",
		"internal/safetext": "it shows names of servers",
	},
	"internal/quarantine": {
		"internal/state": "it keeps a small file",
		"registry":       "it tells tools apart by their digests",
	},
	"internal/toolcache": {
		"internal/state": "it replaces files as all small files are",
	},
}

// together joins two parts of [allowed].
func together(a, b map[string]map[string]string) map[string]map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
