package busfilter

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// The types of messages.
const (
	methodCall   = 1
	methodReturn = 2
	callError    = 3
	signal       = 4
)

// noReply is the flag of a call that gets no reply.
const noReply = 1

// The fields of a header.
const (
	fieldPath        = 1
	fieldInterface   = 2
	fieldMember      = 3
	fieldError       = 4
	fieldReplySerial = 5
	fieldDestination = 6
	fieldSender      = 7
	fieldSignature   = 8
	fieldFiles       = 9
)

const (
	fixed = 16 // bytes of a header up to and including the length of its fields
	// maxHeader bounds the fields of a header in bytes. The specification allows 64 MiB, but names
	// have at most 255 bytes and object paths are short.
	maxHeader = 16 << 10
	// maxMessage is the maximum size of a message in the specification.
	maxMessage = 1 << 27
)

// errMalformed means that a message violates the specification. The connection ends.
var errMalformed = errors.New("a message violates the D-Bus Specification")

// A header holds the parts of a message that the filter reads.
type header struct {
	words  words // from earlier messages; nil keeps none
	order  binary.ByteOrder
	kind   byte
	flags  byte
	serial uint32
	head   int // bytes before the body
	body   int // bytes of the body

	seen uint32 // one bit per field

	iface, member, destination, sender, signature string

	replySerial uint32
	files       uint32
}

func (h *header) size() int { return h.head + h.body }

// measure parses the beginning of a header, which has [fixed] bytes.
func (h *header) measure(b []byte) error {
	*h = header{words: h.words}
	switch b[0] {
	case 'l':
		h.order = binary.LittleEndian
	case 'B':
		h.order = binary.BigEndian
	default:
		return errMalformed
	}
	h.kind, h.flags = b[1], b[2]
	body, fields := h.order.Uint32(b[4:]), h.order.Uint32(b[12:])
	h.serial = h.order.Uint32(b[8:])
	if h.kind == 0 || b[3] != 1 || h.serial == 0 || fields > maxHeader || body > maxMessage-maxHeader-fixed {
		return errMalformed
	}
	h.head, h.body = fixed+align(int(fields), 8), int(body)
	return nil
}

func align(n, to int) int { return (n + to - 1) &^ (to - 1) }

// parse parses the fields of a header after measure. b contains the whole header.
func (h *header) parse(b []byte) error {
	end := fixed + int(h.order.Uint32(b[12:]))
	for at := fixed; at < end; {
		if at = align(at, 8); at+4 > end {
			return errMalformed
		}
		code := b[at]
		if b[at+1] != 1 || b[at+3] != 0 || code == 0 { // the signature of a variant: one basic type
			return errMalformed
		}
		kind := b[at+2]
		at += 4
		text, number := "", uint32(0)
		switch kind {
		case 's', 'o':
			if at+4 > end {
				return errMalformed
			}
			n := h.order.Uint32(b[at:])
			at += 4
			if n > maxHeader || at+int(n)+1 > end || b[at+int(n)] != 0 {
				return errMalformed
			}
			text = h.words.of(b[at : at+int(n)])
			at += int(n) + 1
		case 'g':
			if at+1 > end {
				return errMalformed
			}
			n := int(b[at])
			at++
			if at+n+1 > end || b[at+n] != 0 {
				return errMalformed
			}
			text = h.words.of(b[at : at+n])
			at += n + 1
		case 'u':
			if at+4 > end {
				return errMalformed
			}
			number = h.order.Uint32(b[at:])
			at += 4
		default:
			return errMalformed
		}
		if code > fieldFiles {
			continue // of a later version of the specification
		}
		if h.has(code) || kind != kinds[code] {
			return errMalformed
		}
		h.seen |= 1 << code
		h.set(code, text, number)
	}
	return h.complete()
}

// maxWords bounds the header strings that are kept, so that most messages allocate none.
const maxWords = 1 << 8

// words maps each string to itself.
type words map[string]string

func (w words) of(b []byte) string {
	if text, ok := w[string(b)]; ok {
		return text
	}
	text := string(b)
	if w != nil && len(w) < maxWords && len(b) < 256 {
		w[text] = text
	}
	return text
}

// kinds are the types of the header fields.
var kinds = [...]byte{fieldPath: 'o', fieldInterface: 's', fieldMember: 's', fieldError: 's', fieldReplySerial: 'u', fieldDestination: 's', fieldSender: 's', fieldSignature: 'g', fieldFiles: 'u'}

func (h *header) set(code byte, text string, number uint32) {
	switch code {
	case fieldInterface:
		h.iface = text
	case fieldMember:
		h.member = text
	case fieldReplySerial:
		h.replySerial = number
	case fieldDestination:
		h.destination = text
	case fieldSender:
		h.sender = text
	case fieldSignature:
		h.signature = text
	case fieldFiles:
		h.files = number
	}
}

func (h *header) has(field byte) bool { return h.seen&(1<<field) != 0 }

// complete checks that all fields that the message type requires are present.
func (h *header) complete() error {
	ok := true
	switch h.kind {
	case methodCall:
		ok = h.has(fieldPath) && h.has(fieldMember)
	case signal:
		ok = h.has(fieldPath) && h.has(fieldMember) && h.has(fieldInterface)
	case methodReturn:
		ok = h.replySerial != 0
	case callError:
		ok = h.replySerial != 0 && h.has(fieldError)
	}
	if !ok {
		return errMalformed
	}
	return nil
}

// text parses the argument of a body that begins at an offset. ok means that it is a string that
// ends within the body.
func (h *header) text(body []byte, at int) (text string, next int, ok bool) {
	if at = align(at, 4); at+4 > len(body) {
		return "", 0, false
	}
	n := h.order.Uint32(body[at:])
	at += 4
	if n > maxMessage || at+int(n)+1 > len(body) || body[at+int(n)] != 0 || bytes.IndexByte(body[at:at+int(n)], 0) >= 0 {
		return "", 0, false
	}
	return string(body[at : at+int(n)]), at + int(n) + 1, true
}

// first parses the first argument of a message, if it is a string.
func (h *header) first(body []byte) (string, bool) {
	if len(h.signature) == 0 || h.signature[0] != 's' {
		return "", false
	}
	text, _, ok := h.text(body, 0)
	return text, ok
}
