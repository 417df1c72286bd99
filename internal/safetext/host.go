package safetext

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// An Address is a web address as a reader should judge it.
type Address struct {
	URL  *url.URL // nil: it is not the address of a web page
	Host string   // the host that the browser will reach, in ASCII, with the port; URL has the same
	// Site is the end of Host that its owner registered, such as "example.org" of
	// "accounts.google.com.example.org"; empty: Host has no more than that.
	Site string
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
	if numeric(host) { // 2130706433 and 0x7f.1 are 127.0.0.1
		if host = ipv4(host); host == "" {
			return Address{}
		}
	} else if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.String()
	}
	a := Address{URL: u, Plain: u.Scheme == "http"}
	if site, err := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(host, ".")); err == nil && !numeric(host) && !strings.Contains(host, ":") &&
		strings.TrimSuffix(host, ".") != site && strings.TrimSuffix(host, ".") != "www."+site {
		a.Site = site
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	a.Host = host
	if u.User != nil {
		a.User = Cut(u.User.String(), 100)
	}
	if shown, err := idna.Display.ToUnicode(host); err == nil && shown != host {
		a.Shown, a.Mixed = Mark(shown), looksAlike(shown)
	}
	if text := u.Port(); text != "" {
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return Address{}
		}
		a.Host += ":" + strconv.FormatUint(port, 10)
	}
	u.Host = a.Host // the browser reads it as it is shown
	return a
}

// numeric reports whether a browser reads a host as an IPv4 address: its last part is a
// number (WHATWG URL, "ends in a number checker").
func numeric(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, err := part(last)
	return err == nil
}

// part reads a number of an IPv4 address: decimal, octal or hexadecimal.
func part(text string) (uint64, error) {
	switch {
	case text == "0x" || text == "0X":
		return 0, nil
	case strings.HasPrefix(text, "0x"), strings.HasPrefix(text, "0X"):
		return strconv.ParseUint(text[2:], 16, 64)
	case len(text) > 1 && text[0] == '0':
		return strconv.ParseUint(text[1:], 8, 64)
	}
	return strconv.ParseUint(text, 10, 64)
}

// ipv4 writes an address of up to four numbers in the usual way; empty: it is none.
func ipv4(host string) string {
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(parts) > 4 {
		return ""
	}
	var all uint64
	for i, text := range parts {
		n, err := part(text)
		last := i == len(parts)-1
		room := uint64(256)
		if last {
			room = 1 << (8 * (4 - i))
		}
		if err != nil || n >= room {
			return ""
		}
		if last {
			all |= n
		} else {
			all |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(all >> 24), byte(all >> 16), byte(all >> 8), byte(all)}).String()
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
