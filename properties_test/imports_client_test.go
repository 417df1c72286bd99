package properties_test

// allowedClient is the part of allowed for client and the packages below it.
var allowedClient = map[string]map[string]string{
	"client": {
		"client/internal/arguments": "the arguments of a server name what it may read",
		"client/internal/toolcall":  "it encodes calls and decodes their results", "client/internal/followers": "it tells who follows a resource of its changes",
		"client/diagnose":           "it collects the facts of a failed server",
		"client/internal/httplink":  "a link to a URL is HTTP",
		"internal/codedigest":       "a permission holds for the code that the user approved",
		"internal/hostcall":         "it answers the requests of bundled servers to goated",
		"client/internal/limits":    "it sets the limits of a connection",
		"client/internal/stdio":     "a link to a process is a pipe",
		"client/internal/trace":     "it hands out the trace",
		"internal/exact":            "schemas and results keep every digit",
		"internal/gobuild":          "it compiles .go servers",
		"internal/installs":         "servers install packages into their own stores",
		"internal/programs":         "it looks where version managers and goated keep programs",
		"internal/launch":           "it names servers by their packages",
		"internal/proc":             "it starts and ends processes",
		"internal/sandbox/hold":     "it answers the questions of sandboxes",
		"internal/sandbox":          "it confines servers",
		"internal/state":            "it stores the protocol cache",
		"internal/toolcache":        "it keeps the lists of tools",
		"registry":                  "it offers the tools of servers",
		"client/internal/portowner": "a diagnosis names the process that uses a port",
	},
	"client/internal/httplink": {
		"internal/exact":         "numbers keep their digits past the SDK",
		"internal/jsonscan":      "messages are JSON",
		"client/internal/limits": "it enforces the limits",
		"client/internal/stdio":  "it writes sizes as it does",
		"client/internal/trace":  "it reports each message",
		"internal/ansi":          "faults quote output of servers",
		"internal/proc":          "it notes failures in the server's log",
	},
	"client/internal/stdio": {
		"internal/jsonscan":      "frames are JSON",
		"client/internal/limits": "it enforces the limits",
		"client/internal/trace":  "it reports each frame",
		"internal/exact":         "results keep every digit",
		"internal/proc":          "a pipe ends with its process",
	},
	"client/internal/toolcall":  {"internal/jsonscan": "results are JSON that was scanned"},
	"client/internal/portowner": {"client/diagnose": "it finds a process in the form of a diagnosis"},
	"client/internal/limits": {
		"internal/ansi": "reports quote output of servers",
		"internal/proc": "it counts lines of a process's output",
	},
	"client/diagnose": {
		"internal/sandbox":         "a blocked permission is a cause",
		"internal/sandbox/mistake": "a server's words for a refusal tell which one ended it",
	},
}
