package launch

import (
	"cmp"
	"fmt"
	"strings"

	"goated/internal/launch/commandtext"
	"goated/internal/launch/configtext"
)

// A Problem is the reason why a text cannot be understood. Its Error is a sentence for the user.
// Package wording adds what to do.
type Problem struct {
	Kind    ProblemKind
	Subject string   // see the kinds
	Detail  string   // of a syntax error, or a command to run instead; for NoProgram, the one that installs it
	Line    int      // the line of Detail, from 1; 0 if unknown
	Choices []string // for Ambiguous
}

// A ProblemKind is a kind of problem. The comment on each kind describes the subject.
type ProblemKind int

// The kinds of problems.
const (
	Empty         ProblemKind = iota // the text is empty
	TooLong                          // the maximum length
	BadScript                        // a path whose extension no runner handles
	NotFound                         // a path
	NoProgram                        // a word that is neither a program nor a path
	NoServer                         // a file or text without a server
	BadSyntax                        // JSON, TOML, YAML or the command line
	BadServer                        // the name of a server with neither a command nor a URL
	NeedsShell                       // the operator that only a shell understands
	Installs                         // a command that installs but starts nothing
	Configures                       // a command that configures another client
	BadURL                           // an invalid address
	NothingInside                    // a folder without a server
	NotBuilt                         // a file that a build would create
	Uninstalled                      // a folder whose program is not installed yet
	Ambiguous                        // a folder with several programs
	Repository                       // the address of a source code repository
	Download                         // the address of a bundle
	Listing                          // the address of a page about a server
	AfterAddress                     // a word after an address
	StartsNothing                    // a command that starts no server, such as one that shows a version
	OpenProgram                      // the placeholder for a program that the text leaves to the user or to an editor
)

// ExtensionSentence is the sentence for a path whose extension no runner handles (seed 003's error
// table, with .go added).
const ExtensionSentence = "Invalid server script type. Must be .py, .js or .go"

func (p *Problem) Error() string {
	switch p.Kind {
	case Empty:
		return "There is nothing to read"
	case TooLong:
		return "This is longer than " + p.Subject
	case BadScript:
		return ExtensionSentence
	case NotFound:
		return "Server script not found: " + p.Subject
	case NoProgram:
		return fmt.Sprintf("%q is neither a program on this computer nor a path", short(p.Subject))
	case NoServer:
		return p.Subject + " names no MCP server"
	case BadSyntax:
		where, detail := p.Subject, configtext.PlainSyntax(p.Detail)
		if p.Line > 0 && detail != configtext.EndsEarly {
			where = fmt.Sprintf("line %d of %s", p.Line, p.Subject)
		}
		return fmt.Sprintf("There is a mistake in %s: %s", where, detail)
	case BadServer:
		return cmp.Or(short(p.Subject), "The server") + " has neither a command nor a URL"
	case NeedsShell:
		return "Only a shell understands " + p.Subject
	case Installs:
		if words := strings.Fields(p.Subject); len(words) > 0 && commandtext.Loads(words[0]) {
			return fmt.Sprintf("The command %q loads something but starts no server", p.Subject)
		}
		return fmt.Sprintf("The command %q installs a server but does not start it", p.Subject)
	case StartsNothing:
		return fmt.Sprintf("The command %q starts no server for goated", p.Subject)
	case Configures:
		return fmt.Sprintf("The command %q sets up another program", p.Subject)
	case BadURL:
		return short(p.Subject) + " is not a web address"
	case NothingInside:
		return "goated finds no server in " + p.Subject
	case NotBuilt:
		return p.Subject + " does not exist: the server is not built yet"
	case Uninstalled:
		return "The server in " + p.Subject + " is not installed yet"
	case Ambiguous:
		return fmt.Sprintf("%s has several programs: %s", p.Subject, strings.Join(p.Choices, ", "))
	case Repository:
		return p.Subject + " is a repository of source code, not a server on the web"
	case Download:
		return p.Subject + " is a bundle to download, not a server on the web"
	case Listing:
		return p.Subject + " is a page about a server, not a server on the web"
	case AfterAddress:
		return fmt.Sprintf("A server with an address takes no arguments, but %q follows the address", short(p.Subject))
	case OpenProgram:
		return fmt.Sprintf("The text does not name a program: it has %s in its place", short(p.Subject))
	}
	return "goated does not understand this"
}

// short shortens a text for use in a sentence.
func short(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return text
}
