package properties_test

import "maps"

// allowedElsewhere is the part of [allowed] for packages that bring servers from
// elsewhere: URLs, other clients, the registry, bundles. It also has small packages of the host.
var allowedElsewhere = map[string]map[string]string{
	"cmd/keeper":                 {"internal/proc": "it is the supervisor of a server's processes"},
	"client/internal/arguments":  {"internal/sandbox": "arguments become grants", "internal/sandbox/sensitive": "keys and passwords are no grant", "internal/sandbox/trusted": "links of a server are no grant"},
	"internal/codedigest":        {"internal/launch": "the origin of a server says where its code is", "internal/paths": "code is in files"},
	"internal/launch":            {"internal/launch/loosejson": "people paste what is almost JSON", "internal/lazyregexp": "most processes never read a pasted text"},
	"internal/launch/loosejson":  {"internal/exact": "it writes strings of JSON", "internal/lazyregexp": "most processes never read a pasted text"},
	"internal/sandbox/trusted":   {"internal/paths": "links of the system are in its folders"},
	"internal/sandbox/worktree":  {"internal/paths": "it reads regular files only"},
	"internal/sandbox/relay":     {"internal/sandbox/httphead": "it passes on the heads of answers"},
	"internal/sandbox/sensitive": {"internal/paths": "keys and passwords are in folders", "internal/lazyregexp": "servers ask for no folders"},
	"internal/sandbox/protect":   {"internal/paths": "it protects what is in a folder"},
	"servers/pause": {
		"internal/state":       "it stores the preferences",
		"servers/pause/dialog": "its tools ask questions",
	},
	"servers/pause/dialog": {"registry": "it finds the argument that a model meant as the registry finds a tool"},
	"servers/pause/history": {
		"internal/truncate":    "it keeps the beginnings of texts",
		"internal/state":       "its file survives a crash",
		"servers/pause/dialog": "it keeps questions and answers",
	},
	"servers/pause/picture": {
		"servers/desktop/copied":        "a picture is a kind of contents",
		"servers/desktop/x11/clipboard": "it reads pictures from the clipboard",
		"servers/desktop/x11/wire":      "it lets the user mark a region of the screen",
	},
	"servers/pause/door": {
		"internal/state":       "its files survive a crash",
		"servers/pause/dialog": "it carries questions and answers",
		"servers/pause/track":  "it follows each request to its end",
	},
	"internal/clipboard": {
		"servers/desktop/copied":        "files and pictures are kinds of contents",
		"servers/desktop/x11/clipboard": "it reads the clipboard of X11",
	},
	"internal/sandbox/busfilter/busfiltertest": {"internal/sandbox/busfilter": "tests of servers run behind the filter"},
	"internal/bustest":                         {"internal/proctest": "a bus ends with its test"},
	"internal/reach": {
		"agent":               "it declares the tools to a model",
		"internal/geminitest": "the stand-in says what Gemini refuses",
		"internal/config":     "it fills in the values that a README leaves to its reader",
		"client/diagnose":     "it restarts a server as a cause advises",
		"client":              "it connects the servers that people use",
		"internal/launch":     "it reaches the hosts that its settings name, as the sheet agrees to",
		"internal/proc":       "it is its own keeper",
		"internal/sandbox":    "it allows what servers lack",
		"internal/wording":    "it prints why a server failed",
	},
	"internal/inspect": {"internal/exact": "it reads answers as the host does"},
	"internal/callcmd": {
		"client":         "it looks for the tool in the host",
		"internal/exact": "arguments keep every digit",
		"registry":       "a call names an entry of the registry",
		"ui/view":        "it writes results and words of a shell",
		"ui/view/format": "it writes sizes",
	},
	"internal/chatcmd": {
		"agent":                 "it switches models and summarises",
		"internal/attachedfile": "a message has the files of resources",
		"internal/offers":       "a message has the files of prompts and resources",
		"internal/chat":         "it saves summaries",
		"internal/config":       "the user's instructions are in the settings",
		"internal/models":       "it lists and opens models",
		"internal/store":        "it saves what the user chose",
		"internal/wording":      "it words failures and summaries",
		"ui/view":               "it writes the meter",
	},
	"internal/sandbox/mistake": {"internal/sandbox/worktree": "a line about a worktree is about its repository"},
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
	"internal/desktopcmd": {
		"internal/truncate":       "it prints the beginnings of requests",
		"internal/adding":         "it asks a person",
		"internal/safetext":       "records quote what applications show",
		"servers":                 "it performs actions as the desktop server does",
		"servers/desktop/journal": "it lists records",
		"servers/desktop/replay":  "it performs recorded actions",
	},
	"internal/oauth": {
		"internal/truncate":       "an error quotes the beginning of an answer",
		"internal/ansi":           "an error quotes what a server said",
		"internal/config":         "tokens are kept in the keyring of secrets",
		"internal/sandbox/public": "a public server leads to public addresses only",
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
		"internal/catalog":  "it installs what the registry lists",
		"internal/config":   "the result is a saved server",
		"internal/inputs":   "a server asks for inputs",
		"internal/installs": "programs come from the registries that the user configured",
		"internal/mcpb":     "it installs bundles",
		"internal/proc":     "it finds programs",
		"internal/programs": "it installs the programs that servers start with",
		"internal/sandbox":  "a bundle may read its own folder",
	},
	"internal/doctor": {
		"internal/sandbox": "it checks what the system enforces",
	},
	"internal/installcmd": {
		"internal/programs": "it installs programs",
	},
	"internal/transfer": {
		"internal/lazyregexp": "few files have a mistake",
		"internal/config":     "the result is a saved server",
		"internal/launch":     "it understands single servers",
		"internal/state":      "an export replaces a file as a private one",
	},
	"internal/adding": {
		"internal/lazyregexp": "it tells the name of a variable from other words",
		"internal/paths":      "a saved path means the same from every folder",
		"client":              "it shows a restarted server",
		"client/diagnose":     "it names the flags for variables that a server lacks",
		"internal/catalog":    "it prints what a search found",
		"internal/config":     "the result is a saved server",
		"internal/safetext":   "it marks hidden characters in what a bundle says",
		"internal/inputs":     "it asks for the inputs of a server",
		"internal/launch":     "it understands the servers of other clients",
		"internal/transfer":   "it lists the servers of other clients",
		"internal/wording":    "it prints remarks",
		"ui/view":             "it writes words as a shell reads them",
	},
	"internal/serverlist": {
		"internal/adding": "it writes how a server runs as the additions do",
		"internal/config": "it shows saved servers",
		"internal/launch": "it says where a server comes from",
		"ui/view":         "it has the words of permissions",
	},
	"internal/linkcmd": {
		"internal/adding":   "it asks and prints as import does",
		"internal/config":   "links are saved in the settings",
		"internal/linked":   "it shows the servers of linked files",
		"internal/safetext": "a file chooses the names of its servers",
	},
	"internal/linked": {
		"client":            "it connects the servers of linked files",
		"internal/config":   "links are saved in the settings",
		"internal/consent":  "it turns saved servers into configurations",
		"internal/launch":   "it reads files as import does",
		"internal/transfer": "it reads files as import does",
		"ui/view":           "it writes words as a shell reads them",
	},
	"internal/store/markdown": {
		"agent":          "a saved turn has events",
		"internal/store": "it writes saved conversations",
	},
	"internal/store": {
		"internal/attachedfile": "a file gives no title",
		"agent":                 "turns are stored as events",
		"agent/contents":        "it tells messages from results",
		"internal/exact":        "arguments of stored calls keep every digit",
		"internal/jsonscan":     "a file is cut before it is decoded",
		"internal/state":        "rescued data is written like all small files",
		"internal/salvage":      "it restores the rows of a damaged history",
	},
	"internal/salvage":  {"internal/dbfile": "it reads the rows page by page"},
	"agent/schema":      {"internal/truncate": "words of a schema have a size"},
	"servers/arguments": {"internal/enumeration": "an error names arguments", "internal/truncate": "names of arguments have a size"},
	"servers/llmem": {
		"servers/arguments":       "it refuses arguments in sentences",
		"internal/truncate":       "it logs the beginnings of texts",
		"internal/exact":          "answers are JSON without escapes for HTML",
		"internal/paths":          "its folders mean the same wherever it runs",
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
		"internal/paths":          "errors name only paths that the caller sent",
		"servers/llmem/workspace": "artifacts are in the workspace",
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
		"internal/truncate":     "a prompt has a size",
		"servers/llmem/outline": "prompts contain outlines",
	},
	"servers/llmem/rank": {
		"servers/llmem/index":   "it ranks the index",
		"servers/llmem/outline": "it weighs kinds of symbols",
	},

	// The page of all servers, and what it and the composer offer of them.
	"internal/servertools": {
		"client":              "it heads the tools of a connected server",
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
