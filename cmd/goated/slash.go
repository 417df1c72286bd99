package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"goated/client"
	"goated/internal/chatcmd"
	"goated/internal/terminal"
	"goated/registry"
	"goated/ui/view"
)

// A slash runs the commands of the terminal chat that do not go to the model.
type slash struct {
	app     *app
	out     io.Writer
	reloads map[string]int // by server id, as last reported to the user
	talk    *chatcmd.Talk
	doubted string // the last line that looked like a misspelt command
}

const slashHelp = `/servers          lists the servers
/tools            lists their tools; /prompts and /resources list what else they have
/restart NAME     restarts a server; without a name, all that failed
` + chatcmd.Help + `
/help             shows this
/exit             leaves the chat; /quit and Ctrl+D do the same
/TOOL {arguments} calls a tool, for example /roll {"sides": 6}; /PROMPT name=value sends a prompt, and @NAME a resource
Ctrl+C stops an answer.`

// leaves reports whether a line ends the chat.
func leaves(line string) bool {
	words := strings.Fields(line)
	return len(words) > 0 && (words[0] == "/exit" || words[0] == "/quit")
}

// slashNames returns the commands in slashHelp, without the example of a tool.
func slashNames() (names []string) {
	own, _, _ := strings.Cut(slashHelp, "/TOOL")
	for word := range strings.FieldsSeq(own) {
		if strings.HasPrefix(word, "/") {
			names = append(names, strings.TrimRight(word, ",;."))
		}
	}
	return names
}

// mistyped returns the command that the user probably meant, if the first word of a line is neither
// a command nor a tool but similar to a command. Otherwise it returns "". It also returns "" if the
// user enters the same line again, which makes it a message.
func (s *slash) mistyped(line string) string {
	again := line == s.doubted
	s.doubted = ""
	words := strings.Fields(line)
	if again || len(words) == 0 || !strings.HasPrefix(words[0], "/") {
		return ""
	}
	word := words[0]
	for e := range s.app.host.Tools() {
		if word == "/"+e.Name || e.Tool != nil && word == "/"+e.Tool.Name {
			return ""
		}
	}
	best, least := "", 2 // "/todo list" and "/exec ls" are messages
	if letters := len(word) - 1; letters >= 7 {
		least = 3
	}
	for _, c := range slashNames() {
		if word == c { // a command with words that it does not accept
			return ""
		}
		d := registry.Distance(word, c)
		if swapped(word, c) {
			d = 1
		}
		if d < least {
			best, least = c, d
		}
	}
	if best != "" {
		s.doubted = line
	}
	return best
}

// swapped reports whether a and b differ only in the order of two adjacent letters.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

// run runs a line that is a command, and reports whether it is one.
func (s *slash) run(ctx context.Context, line string) bool {
	words := strings.Fields(line)
	switch words[0] {
	case "/help", "/?":
		fmt.Fprintln(s.out, slashHelp)
	case "/servers":
		for _, srv := range s.app.host.Snapshot().Servers {
			fmt.Fprintf(s.out, "%-24s %-12s %s\n", srv.Name, view.ServerStatus(srv), view.ServerCommand(srv))
		}
	case "/tools":
		printToolsOf(s.out, s.app.host.Snapshot(), strings.Join(words[1:], " "), s.app.quarantine())
	case "/restart":
		s.restart(ctx, strings.Join(words[1:], " "))
	default:
		return s.talk.Run(ctx, line)
	}
	return true
}

// restart restarts the server with a name or an id. Without a name, it restarts the servers that
// failed.
func (s *slash) restart(ctx context.Context, name string) {
	found := false
	for _, srv := range s.app.host.Snapshot().Servers {
		if !called(srv, name) && (name != "" || srv.Status != client.Failed) {
			continue
		}
		found = true
		if err := s.app.host.Restart(ctx, srv.ID); err != nil {
			fmt.Fprintf(s.out, "%s: %s\n", srv.Name, terminal.Sentence(err))
			continue
		}
		for _, now := range s.app.host.Snapshot().Servers {
			if now.ID == srv.ID {
				fmt.Fprintf(s.out, "%s restarted\n", view.ServerLabel(now))
			}
		}
	}
	switch {
	case !found && name == "":
		fmt.Fprintln(s.out, "No server has failed. /restart NAME restarts one; /servers lists them.")
	case !found:
		fmt.Fprintf(s.out, "No server is called %q. /servers lists them.\n", name)
	}
}

// called reports whether a name that the user typed refers to a server.
func called(s client.Server, name string) bool {
	return name != "" && (strings.EqualFold(s.Name, name) || strings.EqualFold(s.ID, name))
}

// tellReloads prints which servers restarted because their scripts changed.
func (s *slash) tellReloads(w io.Writer) {
	for _, srv := range s.app.host.Snapshot().Servers {
		if srv.Reloads == s.reloads[srv.ID] {
			continue
		}
		s.reloads[srv.ID] = srv.Reloads
		if srv.Status == client.Failed {
			fmt.Fprintf(w, "%s changed, and %s does not start any more: %s\n", view.Tilde(srv.Path), srv.Name, terminal.Sentence(srv.Err))
			continue
		}
		fmt.Fprintf(w, "%s changed, so goated restarted %s\n", view.Tilde(srv.Path), view.ServerLabel(srv))
	}
}
