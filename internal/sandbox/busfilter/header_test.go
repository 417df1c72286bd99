package busfilter

import "testing"

// No input makes the parser of headers or lists fail, or read beyond a message.
func FuzzHeader(f *testing.F) {
	hello := draft{kind: methodCall, serial: 1, destination: driver, member: "AddMatch", argument: "type='signal'"}
	f.Add(hello.bytes())
	refusal := draft{kind: callError, serial: 2, replySerial: 1, sender: driver, destination: ":1.1", errorName: driver + ".Error.Failed", argument: "x"}
	f.Add(refusal.bytes())
	f.Add([]byte("B\x02\x01\x01\x00\x00\x00\x10\x00\x00\x00\x01\x00\x00\x00\x11\x05\x01u\x00\x00\x00\x00\x01\x08\x01g\x00\x02as\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x00\x01a\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var h header
		if len(b) < fixed || h.measure(b) != nil || len(b) < h.head || h.parse(b[:h.head:h.head]) != nil || len(b) < h.size() {
			return
		}
		message := b[:h.size():h.size()]
		h.first(message[h.head:])
		out, ok := withNames(&h, message, func(string) bool { return true })
		if !ok {
			return
		}
		var again header
		if again.measure(out) != nil || again.size() != len(out) || again.parse(out[:again.head]) != nil {
			t.Errorf("the list is no message: %q", out)
		}
	})
}
