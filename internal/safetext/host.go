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

// An Address is a web address with the facts by which a reader can judge it.
type Address struct {
	URL  *url.URL // nil: not the address of a web page
	Host string   // the host that the browser will reach, in ASCII, with the port; the same as in URL
	// Site is the end of Host that its owner registered, for example "example.org" in
	// "accounts.google.com.example.org". It is empty if that is all of Host.
	Site string
	// Shown is Host with its non-ASCII letters, as a person reads it. It is empty if Host has none.
	Shown string
	// User is the part before "@", which can look like a host. It is empty if there is none.
	User string
	// Mixed reports that Shown mixes scripts, or has letters that look like Latin ones.
	Mixed bool
	// Plain reports that the connection is not encrypted, so that others can read and change the
	// page.
	Plain bool
}

// ReadAddress parses a web address. Its scheme must be http or https.
func ReadAddress(text string) Address {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return Address{}
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil {
		if strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r > '~' || r <= ' ' }) {
			return Address{} // no browser would reach the host that the reader sees
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
	u.Host = a.Host // the browser opens the host that goated shows
	return a
}

// numeric reports whether a browser treats a host as an IPv4 address, because its last part is a
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

// part parses a number of an IPv4 address: decimal, octal or hexadecimal.
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

// ipv4 writes an address of up to four numbers in the usual form. It returns "" if host is not an
// address.
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

// looksAlike reports whether a host can be mistaken for another: a label mixes scripts, or all its
// letters look like Latin ones.
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

// latinLike contains letters of other scripts that look like a Latin letter.
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
