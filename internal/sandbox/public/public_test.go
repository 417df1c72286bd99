package public

import (
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	for text, want := range map[string]bool{
		"93.184.216.34": true, "2606:4700::1111": true, "64:ff9b::5db8:d822": true,
		"127.0.0.1": false, "127.1.2.3": false, "0.0.0.0": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false,
		"198.18.0.1": false, "224.0.0.1": false, "255.255.255.255": false, "::1": false, "::": false, "fe80::1": false, "fd00:ec2::254": false, "::ffff:10.0.0.1": false,
		"::127.0.0.1": false, "64:ff9b::7f00:1": false, "64:ff9b:1::1": false, "2002:7f00:1::": false, "2001::1": false, "fec0::1": false, "ff02::1": false,
	} {
		if got := Is(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
