package sandbox

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseHost(t *testing.T) {
	for text, want := range map[string]string{
		"api.example.org": "api.example.org", " API.Example.ORG. ": "api.example.org", "*.example.org": "*.example.org", "*.Example.org:8443": "*.example.org:8443",
		"localhost:8080": "localhost:8080", "127.0.0.1": "127.0.0.1", "127.0.0.1:080": "127.0.0.1:80", "::1": "::1", "[::1]": "::1", "[::1]:5432": "[::1]:5432",
		"::ffff:127.0.0.1": "127.0.0.1", "[::ffff:127.0.0.1]:80": "127.0.0.1:80", "2001:DB8::0:7": "2001:db8::7",
		"bücher.example": "xn--bcher-kva.example", "１２７.0.0.1": "127.0.0.1", "example。org": "example.org", "db": "db", "a_b.example": "a_b.example",
	} {
		h, err := ParseHost(text)
		if err != nil || h.String() != want {
			t.Errorf("%q is %q, not %q: %v", text, h, want, err)
		}
		if again, err := ParseHost(h.String()); err != nil || again != h {
			t.Errorf("%q parses as %q: %v", h, again, err)
		}
	}
	for text, want := range map[string]HostError{
		"": HostEmpty, " ": HostEmpty, "https://example.org": HostURL, "example.org/path": HostURL, "user@example.org": HostURL, `a\b`: HostURL, "a?b": HostURL, "a#b": HostURL,
		"*": HostWide, "*.": HostWide, "*.org": HostWide, "*.localhost": HostWide, "example.org:0": HostPort, "example.org:65536": HostPort, "example.org:": HostPort,
		"example.org:+80": HostPort, "[::1]80": HostPort, "[::1": HostName, "[example.org]": HostName, "[127.0.0.1]": HostName, "*.127.0.0.1": HostName, "a..b": HostName,
		".example.org": HostName, "-a.example": HostName, "a-.example": HostName, "exa mple.org": HostName, "exa*.org": HostName, "a.*.org": HostName, "a\x00b": HostName,
		"127.1": HostName, "0x7f.1": HostName, "2130706433": HostName, "0x7f000001": HostName, "0177.0.0.1": HostName, "1.2.3.4.5": HostName, "fe80::1%eth0": HostName,
		"example.org..": HostName, strings.Repeat("a", 64) + ".org": HostName, strings.Repeat("a.", 127) + "org": HostName,
	} {
		if h, err := ParseHost(text); !errors.Is(err, want) {
			t.Errorf("%q is %q, %v, not %v", text, h, err, want)
		}
	}
}

// A grant for names allows these names, but no names that only look similar.
func TestAdmittedHosts(t *testing.T) {
	exact, below := parseHosts([]string{"example.org"})[0], parseHosts([]string{"*.example.org:8443"})[0]
	for name, want := range map[string][2]bool{
		"example.org": {true, false}, "EXAMPLE.org.": {true, false}, "a.example.org": {false, true}, "a.b.example.org.": {false, true},
		"example.org.evil.com": {}, "evilexample.org": {}, "example.org-evil.com": {}, "a.example.org.evil.com": {}, "aexample.org": {}, "org": {}, "example": {}, "xexample.org": {},
	} {
		n, _, err := canonical(name)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := [2]bool{exact.admitsName(n, 443), below.admitsName(n, 8443)}; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !exact.admitsName("example.org", 80) || exact.admitsName("example.org", 22) || below.admitsName("a.example.org", 443) || exact.admitsName("", 443) {
		t.Error("wrong ports")
	}
	local := parseHosts([]string{"localhost:5432"})[0]
	if !local.admitsAddr(netip.MustParseAddr("127.0.0.1"), 5432) || !local.admitsAddr(netip.IPv6Loopback(), 5432) || local.admitsAddr(netip.MustParseAddr("127.0.0.2"), 5432) || local.admitsAddr(netip.IPv6Loopback(), 80) {
		t.Error("wrong addresses of localhost")
	}
}

// A grant allows a name exactly if their labels match, in any spelling.
func TestHostsProperty(t *testing.T) {
	label := rapid.StringMatching(`[a-z]([a-z0-9-]{0,4}[a-z0-9])?`)
	rapid.Check(t, func(t *rapid.T) {
		grant := rapid.SliceOfN(label, 2, 4).Draw(t, "grant")
		below := rapid.Bool().Draw(t, "below")
		name := append([]string(nil), grant...)
		switch rapid.IntRange(0, 5).Draw(t, "how") {
		case 0:
			name = append(rapid.SliceOfN(label, 1, 3).Draw(t, "front"), name...)
		case 1:
			name = append(name, rapid.SliceOfN(label, 1, 3).Draw(t, "back")...)
		case 2:
			name[0] = label.Draw(t, "glued") + name[0]
		case 3:
			name = name[1:]
		case 4:
			name = rapid.SliceOfN(label, 1, 4).Draw(t, "other")
		}
		text := strings.Join(grant, ".")
		if below {
			text = "*." + text
		}
		h, err := ParseHost(text)
		if err != nil {
			t.Skip(err)
		}
		spelt := strings.Join(name, ".")
		if rapid.Bool().Draw(t, "loud") {
			spelt = strings.ToUpper(spelt) + "."
		}
		got, _, err := canonical(spelt)
		if err != nil {
			t.Skip(err)
		}
		want := strings.Join(name, "\x00") == strings.Join(grant, "\x00")
		if below {
			n := len(name) - len(grant)
			want = n > 0 && strings.Join(name[max(n, 0):], "\x00") == strings.Join(grant, "\x00")
		}
		if h.admitsName(got, 443) != want {
			t.Fatalf("%s admits %s: %v", text, spelt, !want)
		}
	})
}

// The canonical form of a host parses as the same host and allows no other.
func FuzzParseHost(f *testing.F) {
	for _, text := range []string{"example.org", "*.example.org:1", "[::1]:80", "bücher.example", "example.org@evil", "127.1", "١٢٧.0.0.1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseHost(text)
		if err != nil {
			return
		}
		again, err := ParseHost(h.String())
		if err != nil || again != h {
			t.Errorf("%q is %q, which is %q: %v", text, h, again, err)
		}
		if strings.ContainsAny(h.String(), "/\\@ \x00") || h.admitsName("evil.test", 443) && h.name != "evil.test" && h.name != "test" {
			t.Errorf("%q is %q", text, h)
		}
	})
}
