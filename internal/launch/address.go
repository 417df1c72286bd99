package launch

import (
	"net/url"
	"strings"

	"goated/internal/launch/webaddress"
	"goated/internal/lazyregexp"
)

// label matches a word that precedes a command or an address in a README table.
var label = lazyregexp.New(`(?i)^(?:command|cmd|(?:server |mcp )*url|server|endpoint|run|usage)\s*:\s+`)

// IsAddress reports whether a text is the address of a server and nothing else.
func IsAddress(text string) bool {
	_, own := webaddress.Schemed(text)
	return !strings.ContainsAny(text, " \t\n") && (own || webAddress.MatchString(text) || bareAddress.MatchString(text))
}

// addressed returns the server at an address, with the headers that follow it. A server on the web
// takes no arguments, so any other word there is a mistake.
func (s commands) addressed(address string, behind []string) (Server, error) {
	server, err := configs(s).remote(address, "")
	if err != nil {
		return Server{}, err
	}
	for len(behind) > 0 {
		name, value, inline := strings.Cut(behind[0], "=")
		if name != "--header" && name != "-H" || !inline && len(behind) == 1 {
			return Server{}, &Problem{Kind: AfterAddress, Subject: behind[0]}
		}
		if behind = behind[1:]; !inline {
			value, behind = behind[0], behind[1:]
		}
		server.Remote.Headers = append(server.Remote.Headers, s.header(value))
	}
	return server, nil
}

// unlabelled removes the label from a line.
func unlabelled(text string) string {
	if strings.Contains(text, "\n") {
		return text
	}
	return text[len(label.FindString(text)):]
}

// noServer returns the problem if an address leads to something other than a server on the web: a
// bundle, a page about a server, or a repository.
func noServer(u *url.URL) error {
	switch {
	case webaddress.IsBundle(u):
		return &Problem{Kind: Download, Subject: u.String()}
	case webaddress.IsListing(u):
		return &Problem{Kind: Listing, Subject: u.String()}
	case webaddress.IsRepository(u):
		return &Problem{Kind: Repository, Subject: u.String()}
	}
	return nil
}
