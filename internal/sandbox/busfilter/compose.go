package busfilter

import (
	"encoding/binary"
	"slices"
)

// own is the first serial number of messages that the filter itself sends. Clients use smaller ones.
const own = 1 << 31

// A draft is a message that the filter creates.
type draft struct {
	kind        byte
	serial      uint32
	replySerial uint32
	sender      string
	destination string
	member      string // of the bus itself, for a call
	errorName   string
	argument    string
}

// bytes returns the message, in little endian.
func (d draft) bytes() []byte {
	le := binary.LittleEndian
	b := []byte{'l', d.kind, 0, 1}
	if d.kind != methodCall {
		b[2] = noReply
	}
	b = append(b, make([]byte, fixed-4)...)
	field := func(code, kind byte, value string) {
		if value == "" {
			return
		}
		b = append(padded(b, 8), code, 1, kind, 0)
		if kind == 'g' {
			b = append(b, byte(len(value)))
		} else {
			b = le.AppendUint32(b, uint32(len(value)))
		}
		b = append(append(b, value...), 0)
	}
	if d.kind == methodCall {
		field(fieldPath, 'o', "/org/freedesktop/DBus")
		field(fieldInterface, 's', driver)
		field(fieldMember, 's', d.member)
	}
	field(fieldError, 's', d.errorName)
	if d.replySerial != 0 {
		b = le.AppendUint32(append(padded(b, 8), fieldReplySerial, 1, 'u', 0), d.replySerial)
	}
	field(fieldSender, 's', d.sender)
	field(fieldDestination, 's', d.destination)
	field(fieldSignature, 'g', "s")
	fields := len(b) - fixed
	b = padded(b, 8)
	head := len(b)
	b = append(append(le.AppendUint32(b, uint32(len(d.argument))), d.argument...), 0)
	le.PutUint32(b[4:], uint32(len(b)-head))
	le.PutUint32(b[8:], d.serial)
	le.PutUint32(b[12:], uint32(fields))
	return b
}

func padded(b []byte, to int) []byte { return append(b, make([]byte, align(len(b), to)-len(b))...) }

// withNames returns a message whose body is a list of strings, keeping only those for which keep
// returns true. ok means that the body is such a list.
func withNames(h *header, message []byte, keep func(string) bool) (out []byte, ok bool) {
	body := message[h.head:]
	if h.signature != "as" || len(body) < 4 || int(h.order.Uint32(body)) != len(body)-4 {
		return nil, false
	}
	out = slices.Clone(message[:h.head+4])
	for at := 4; at < len(body); {
		text, next, ok := h.text(body, at)
		if !ok {
			return nil, false
		}
		at = next
		if keep(text) {
			out = padded(out, 4) // the head has a multiple of 8 bytes
			n := len(out)
			out = append(append(append(out, 0, 0, 0, 0), text...), 0)
			h.order.PutUint32(out[n:], uint32(len(text)))
		}
	}
	h.order.PutUint32(out[4:], uint32(len(out)-h.head))
	h.order.PutUint32(out[h.head:], uint32(len(out)-h.head-4))
	return out, true
}
