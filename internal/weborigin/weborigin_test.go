package weborigin

import (
	"net/url"
	"testing"
)

func TestOrigins(t *testing.T) {
	for text, want := range map[string]string{
		"https://Shop.Example/a?b": "https://shop.example", "HTTPS://shop.example:443": "https://shop.example", "http://shop.example:80/": "http://shop.example",
		"https://shop.example:": "https://shop.example", "https://shop.example:80": "https://shop.example:80", "http://shop.example:443": "http://shop.example:443",
		"https://[::1]:443/": "https://[::1]", "https://[::1]": "https://[::1]", "http://[::1]:8080": "http://[::1]:8080", "https://shop.example:4430": "https://shop.example:4430",
	} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Of(u); got != want {
			t.Errorf("%s has the origin %s, want %s", text, got, want)
		}
	}
}

func TestUpgrades(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     bool
	}{
		{"http://a", "https://a", true},
		{"http://a:80", "https://A:443", true},
		{"http://a:8080", "https://a:8080", false},
		{"http://a", "https://a:8443", false},
		{"http://a", "https://b", false},
		{"https://a", "http://a", false},
		{"https://a", "https://a", false},
	} {
		from, _ := url.Parse(tt.from)
		to, _ := url.Parse(tt.to)
		if got := Upgraded(from, to); got != tt.want {
			t.Errorf("%s to %s: %t", tt.from, tt.to, got)
		}
	}
}

// Each form of a loopback address counts. Copies of this function in other packages recognized only
// some: a bundle at http://[::1]:8000 was rejected, but one at http://127.0.0.1:8000 was not.
func TestIsLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.0.0.2": true, "::1": true, "::ffff:127.0.0.1": true,
		"": false, "0.0.0.0": false, "192.168.0.1": false, "localhost.example": false, "127.0.0.1.example": false, "[::1]": false,
	} {
		if got := IsLoopback(host); got != want {
			t.Errorf("%q: %t", host, got)
		}
	}
}
