package wording

import (
	"errors"

	"goated/client"
)

// advice maps each kind of error to what the user can do: the recovery column of seed 003's error
// table.
var advice = map[error]string{
	client.ErrExtension:      "The ending is case-sensitive. Paste anything else as a command, such as ruby server.rb.",
	client.ErrNotFound:       "Check the path and try again.",
	client.ErrStart:          runInTerminal,
	client.ErrExited:         runInTerminal,
	client.ErrConnectTimeout: "Try again. If it happens again, run its command in a terminal to see whether it waits for something.",
	client.ErrProtocol:       "Check that the script is an MCP server that uses stdio, and that it prints nothing else to stdout.",
	client.ErrToolNotFound:   "Connect the server that has this tool. If it is connected, its page says why the tool can't be called.",
	client.ErrOff:            "Turn it on on the Tools page, or with: goated servers tool SERVER TOOL on",
	client.ErrUncallable:     "Look for a newer version of the server, or report it to the authors: each tool needs its own name. The other tools of the server work.",
	client.ErrUserNotAsked:   "Before you run it again, check what it has done already. A terminal, or goated's window, can ask you its question.",
	client.ErrDisconnected:   "Call the tool again. If its server does not come back by itself, connect it again.",
	client.ErrCallTimeout:    "Try again, or raise the time limit for tool calls.",
	client.ErrReach:          "Check the address, and that this computer is online.",
}

// Advice returns what the user can do about err. It returns "" for errors that are neither a
// [client.Error] nor an [agent.Failure].
func Advice(err error) string {
	var e *client.Error
	if !errors.As(err, &e) {
		return modelAdvice(err)
	}
	if e.Report != nil {
		if remedy := Remedy(e.Report.Diagnosis); remedy != "" {
			return remedy
		}
	}
	if e.Kind == client.ErrNotFound && e.Dir != "" {
		return "Check the path and try again. goated looked in " + e.Dir + ", where it was started. A full path, or one that begins with ~, works from any folder."
	}
	if e.Kind == client.ErrTool || e.Kind == client.ErrCallTimeout && e.Broken {
		return toolAdvice(e)
	}
	return advice[e.Kind]
}

// toolAdvice returns what the user can do about a call that the server did not complete.
func toolAdvice(e *client.Error) string {
	switch {
	case e.HasServerText:
		return "The server's answer says what was wrong."
	case e.Denied:
		return "Check that your account or key may use this server. If you signed in long ago, sign in again."
	case e.Broken:
		return "This is a fault of the server. Update it, or send its authors this message."
	}
	return "Try again. If it happens again, look at the server's log, which its page shows."
}
