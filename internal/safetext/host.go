package safetext

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// An Address is a web address as a reader should judge it.
type Address struct {
	URL  *url.URL // nil: it is not the address of a web page
	Host string   // the host that the browser will reach, in ASCII, with the port
	// Shown is Host as a person reads it, if that differs: with letters beyond
	// ASCII.
	Shown string
	// User is the part before "@", which can look like a host; empty: none.
	User string
	// Mixed reports that Shown has letters of different scripts, or that look like
	// Latin ones.
	Mixed bool
	// Plain reports that others on the way can read and change the page.
	Plain bool
}

// ReadAddress reads a web address: its scheme is http or https.
func ReadAddress(text string) Address {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return Address{}
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil {
		if strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r > '~' || r <= ' ' }) {
			return Address{} // no browser would reach what the reader sees
		}
		host = strings.ToLower(u.Hostname()) // an IP address, or a name with "_"
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	a := Address{URL: u, Host: host, Plain: u.Scheme == "http"}
	if u.User != nil {
		a.User = Cut(u.User.String(), 100)
	}
	if shown, err := idna.Display.ToUnicode(host); err == nil && shown != host {
		a.Shown, a.Mixed = Mark(shown), looksAlike(shown)
	}
	if port := u.Port(); port != "" {
		a.Host += ":" + port
	}
	return a
}

// looksAlike reports whether a host can be mistaken for another: it mixes scripts
// in one label, or a label has only letters that look like Latin ones.
func looksAlike(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		scripts := make(map[*unicode.RangeTable]bool)
		letters, alike := 0, 0
		for _, r := range label {
			if r < '0' || r > '~' || unicode.IsLetter(r) {
				if s := scriptOf(r); s != nil {
					scripts[s] = true
				}
				if unicode.IsLetter(r) {
					letters++
					if r <= 'z' || strings.ContainsRune(latinLike, r) {
						alike++
					}
				}
			}
		}
		east := scripts[unicode.Han] || scripts[unicode.Hiragana] || scripts[unicode.Katakana]
		if len(scripts) > 1 && !east || len(scripts) > 0 && !scripts[unicode.Latin] && letters > 0 && letters == alike ||
			scripts[unicode.Latin] && strings.ContainsAny(label, "ıɑɡɩɪʟɴᴀᴄᴇᴏᴘꜱᴛᴜⅼⲟ") {
			return true
		}
	}
	return false
}

// latinLike are letters of other scripts with the shape of a Latin one.
const latinLike = "аɑвсԁеһіјкӏмноорԛгѕтуԝхуѵɡοανιρυκτеՕօոսցհքяωևⲟⲣⲥ"

func scriptOf(r rune) *unicode.RangeTable {
	for _, s := range []*unicode.RangeTable{
		unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Arabic, unicode.Hebrew, unicode.Thai, unicode.Devanagari, unicode.Cherokee, unicode.Georgian, unicode.Coptic, unicode.Ethiopic,
	} {
		if unicode.Is(s, r) {
			return s
		}
	}
	return nil
}
