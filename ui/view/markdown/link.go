package markdown

import (
	"net/url"
	"strconv"
	"strings"

	"goated/ui/richtext"
	"goated/ui/view/format"
)

// Opens returns the address of a link that the user can open, or "" for any other address. Only
// web pages and mail addresses can be opened, because text from a model or a web page must not
// open a file or run a program.
func Opens(address string) string {
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

// Host returns the destination of an address: the host of a web page, or the recipient of a mail.
// It escapes non-ASCII letters, because they can look like other letters.
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

// leads appends a link's host, unless the text of the link already names it. For an address that
// cannot be opened, it appends the whole address.
func leads(out []richtext.Span, from int, address string, style richtext.Span) []richtext.Span {
	words := richtext.PlainText(out[from:])
	style.Quiet = true
	link := Opens(address)
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

// names reports whether words is host, or an address at host.
func names(words, host string) bool {
	words = strings.ToLower(strings.TrimSpace(words))
	host = strings.ToLower(host)
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		words = strings.TrimPrefix(words, scheme)
	}
	rest, ok := strings.CutPrefix(words, host)
	return ok && (rest == "" || strings.ContainsRune("/?#", rune(rest[0])))
}
