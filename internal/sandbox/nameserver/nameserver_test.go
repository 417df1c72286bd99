package nameserver

import (
	"fmt"
	"net"
	"strings"
	"testing"
)

// The resolver survives whatever a process sends, and stores a bounded number of names.
func TestNameServer(t *testing.T) {
	packets, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	streams, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := Start(packets, streams, func(text string) (string, bool) { return strings.TrimSuffix(text, "."), text != "" })
	defer s.Close()
	for _, junk := range [][]byte{nil, {0}, make([]byte, 12), []byte(strings.Repeat("\xff", 600)), {0, 1, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}} {
		if answer := s.answer(junk); len(answer) > 600 {
			t.Errorf("%x: %x", junk, answer)
		}
	}
	seen := make(map[string]bool)
	for i := range maxNames {
		a, ok := s.addr(fmt.Sprintf("n%d.test", i))
		if !ok || seen[a.String()] || !standIns.Contains(a) || s.Name(a) != fmt.Sprintf("n%d.test", i) {
			t.Fatalf("name %d has %v, %t", i, a, ok)
		}
		seen[a.String()] = true
	}
	if a, ok := s.addr("more.test"); ok {
		t.Errorf("one more name has %v", a)
	}
	if again, ok := s.addr("n7.test"); !ok || !seen[again.String()] {
		t.Error("a known name has no address")
	}
}
