package markdown

import (
	"net/url"
	"strconv"
	"strings"

	"goated/ui/richtext"
	"goated/ui/view/format"
)

// opens is the address of a link that a person may follow, or nothing. Only web
// pages and mail leave the window: a text that a model or a web page wrote must
// not be able to open a file or to run a program.
func opens(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		if u.Hostname() == "" {
			return ""
		}
	case "mailto":
		if u.Opaque == "" {
			return ""
		}
	default:
		return ""
	}
	return u.String()
}

// Host is where an address really leads, as a person has to see it: the host of
// a page, the receiver of a mail. Letters that are not plain ones are spelled
// out, since they may look like others.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	host := u.Host
	if u.Scheme == "mailto" {
		host, _, _ = strings.Cut(u.Opaque, "?")
	}
	quoted := strconv.QuoteToASCII(host)
	return quoted[1 : len(quoted)-1]
}

// leads says after a link where it leads, unless its words do. What can't be
// opened is named whole.
func leads(out []richtext.Span, from int, address string, style richtext.Span) []richtext.Span {
	words := richtext.PlainText(out[from:])
	style.Quiet = true
	link := opens(address)
	switch {
	case address == "" || strings.HasPrefix(address, "#"):
		return out
	case link == "":
		return add(out, " ("+format.Cut(address, 100)+")", style)
	}
	if host := Host(link); !names(words, host) {
		style.Link = link
		return add(out, " ("+host+")", style)
	}
	return out
}

// names reports whether words name that host and no other: the host stands
// alone, or begins the address that words are.
func names(words, host string) bool {
	words = strings.ToLower(strings.TrimSpace(words))
	host = strings.ToLower(host)
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		words = strings.TrimPrefix(words, scheme)
	}
	rest, ok := strings.CutPrefix(words, host)
	return ok && (rest == "" || strings.ContainsRune("/?#", rune(rest[0])))
}
