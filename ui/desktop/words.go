package desktop

import (
	"strings"

	"goated/internal/errtext"
	"goated/internal/safetext"
	"goated/servers/desktop/live"
)

// verbs describe the methods of the protocol. Other methods are shown by name.
var verbs = map[string]string{
	"OpenApplication":      "Open",
	"ClickElement":         "Click",
	"WriteElementValue":    "Write into",
	"PerformElementAction": "Use",
	"FocusWindow":          "Focus",
	"MoveWindow":           "Move",
	"ResizeWindow":         "Resize",
	"MinimizeWindow":       "Minimise",
	"RestoreWindow":        "Restore",
	"CloseWindow":          "Close",
	"GetClipboard":         "Read",
	"WriteClipboard":       "Write",
	"ClearClipboard":       "Clear",
	"ExecuteShellCommand":  "Run a command in",
	"SelectFile":           "Choose a file in",
	"SelectDirectory":      "Choose the folder",
	"click":                "Click at",
	"type_text":            "Type into",
	"press_key":            "Press keys in",
	"move_mouse":           "Move the pointer to",
	"drag":                 "Drag from",
	"scroll":               "Scroll at",
	"hover":                "Hold the pointer over",
	"gesture":              "Make a gesture at",
}

// sentence describes an action. Some parts of the sentence come from programs.
func sentence(a live.Action) string {
	verb, known := verbs[a.Method]
	if !known {
		verb = a.Method + ":"
	}
	return safetext.Mark(safetext.Cut(strings.TrimSpace(verb+" "+a.Target), 200))
}

// outcome describes how an action ended.
func outcome(a live.Action) string {
	switch {
	case !a.Ended:
		return "now"
	case a.Failed != "":
		return "failed: " + errtext.Sentence(safetext.Mark(safetext.Cut(a.Failed, 200)))
	}
	return ""
}

// state describes what the server is doing.
func state(s live.State) string {
	switch {
	case !s.Connected:
		return "Off"
	case s.Halted:
		return "Stopped"
	case s.Acting > 0:
		return "Working"
	}
	return "Idle"
}

// stopped is the text for a halted server.
const stopped = "You stopped the desktop tools. They refuse every action until you resume."

// note describes where the server works, and mentions if the user can stop it only in this
// window.
func note(s live.State) string {
	where := ""
	switch {
	case s.Hidden:
		where = "a hidden desktop; mouse and keys stay yours"
	case s.Connected:
		where = "your own desktop"
	}
	if s.Connected && s.Key == "" {
		where += "; no keyboard shortcut stops it here: use Stop everything"
	}
	return where
}

// noPictureReason explains why there is no picture.
func noPictureReason(s live.State) string {
	if s.Connected {
		return "The desktop server works on your own desktop, so there is no picture here. Turn on its hidden desktop in Settings > Servers: it then works here, and your mouse stays yours."
	}
	return "No model is using an application. The hidden desktop appears here when one does."
}
