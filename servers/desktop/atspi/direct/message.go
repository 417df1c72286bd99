package direct

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/godbus/dbus/v5"
)

const fixed = 16 // bytes of the header, up to the length of its fields

var le = binary.LittleEndian

func align(n, to int) int { return (n + to - 1) &^ (to - 1) }

func padded(b []byte, to, begin int) []byte {
	for (len(b)-begin)%to != 0 {
		b = append(b, 0)
	}
	return b
}

// call appends the message for a question to b.
func call(b []byte, to string, serial uint32, q Question) ([]byte, error) {
	dot := strings.LastIndexByte(q.Method, '.')
	if dot < 0 {
		return b, fmt.Errorf("the method %q has no interface", q.Method)
	}
	for _, a := range q.Args {
		switch a.(type) {
		case string, int32, uint32:
		default:
			return general(b, to, serial, q, dot)
		}
	}
	begin := len(b)
	b = append(b, 'l', byte(dbus.TypeMethodCall), byte(dbus.FlagNoAutoStart), 1, 0, 0, 0, 0)
	b = append(le.AppendUint32(b, serial), 0, 0, 0, 0)
	field := func(code dbus.HeaderField, kind byte, value string) {
		b = append(padded(b, 8, begin), byte(code), 1, kind, 0)
		b = append(append(le.AppendUint32(b, uint32(len(value))), value...), 0)
	}
	field(dbus.FieldPath, 'o', string(q.Path))
	field(dbus.FieldDestination, 's', to)
	field(dbus.FieldInterface, 's', q.Method[:dot])
	field(dbus.FieldMember, 's', q.Method[dot+1:])
	if len(q.Args) > 0 {
		b = append(padded(b, 8, begin), byte(dbus.FieldSignature), 1, 'g', 0, byte(len(q.Args)))
		for _, a := range q.Args {
			switch a.(type) {
			case string:
				b = append(b, 's')
			case int32:
				b = append(b, 'i')
			case uint32:
				b = append(b, 'u')
			}
		}
		b = append(b, 0)
	}
	le.PutUint32(b[begin+12:], uint32(len(b)-begin-fixed))
	b = padded(b, 8, begin)
	body := len(b)
	for _, a := range q.Args {
		b = padded(b, 4, body)
		switch a := a.(type) {
		case string:
			b = append(append(le.AppendUint32(b, uint32(len(a))), a...), 0)
		case int32:
			b = le.AppendUint32(b, uint32(a))
		case uint32:
			b = le.AppendUint32(b, a)
		}
	}
	le.PutUint32(b[begin+4:], uint32(len(b)-body))
	return b, nil
}

// general is like call, for arguments of any type.
func general(b []byte, to string, serial uint32, q Question, dot int) ([]byte, error) {
	m := dbus.Message{Type: dbus.TypeMethodCall, Flags: dbus.FlagNoAutoStart, Body: q.Args, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldPath: dbus.MakeVariant(q.Path), dbus.FieldDestination: dbus.MakeVariant(to), dbus.FieldInterface: dbus.MakeVariant(q.Method[:dot]),
		dbus.FieldMember: dbus.MakeVariant(q.Method[dot+1:]), dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf(q.Args...)),
	}}
	var out bytes.Buffer
	if err := m.EncodeTo(&out, le); err != nil {
		return b, fmt.Errorf("asking %s: %w", q.Method, err)
	}
	le.PutUint32(out.Bytes()[8:], serial)
	return append(b, out.Bytes()...), nil
}

// size returns the size of the message at the start of b, which contains at least [fixed] bytes.
func size(b []byte) (n int, ok bool) {
	order := binary.ByteOrder(le)
	if b[0] == 'B' {
		order = binary.BigEndian
	}
	body, fields := order.Uint32(b[4:]), order.Uint32(b[12:])
	return fixed + align(int(fields), 8) + int(body), (b[0] == 'l' || b[0] == 'B') && body <= maxMessage && fields <= maxMessage
}

// answer decodes a complete message: its type, the serial number of the question, and its values. It
// decodes the usual forms itself and leaves the others to [slow].
func answer(b []byte) (kind dbus.Type, serial uint32, values []any, err error) {
	kind = dbus.Type(b[1])
	if kind == dbus.TypeSignal || kind == dbus.TypeMethodCall {
		return kind, 0, nil, nil
	}
	end := fixed + int(le.Uint32(b[12:]))
	if b[0] != 'l' || kind != dbus.TypeMethodReply {
		return slow(b)
	}
	signature := ""
	r := reader{b: b[:end:end], at: fixed}
	for r.at < end {
		r.align(8)
		code, one, form, nul := r.byte(), r.byte(), r.byte(), r.byte()
		if r.bad || one != 1 || nul != 0 {
			return slow(b)
		}
		switch form {
		case 'u':
			if v := r.uint32(); dbus.HeaderField(code) == dbus.FieldReplySerial {
				serial = v
			}
		case 'g':
			if v := r.signature(); dbus.HeaderField(code) == dbus.FieldSignature {
				signature = v
			}
		case 's', 'o':
			r.skip(int(r.uint32()) + 1)
		default:
			return slow(b)
		}
	}
	if r.bad || serial == 0 {
		return slow(b)
	}
	body := reader{b: b[align(end, 8):]}
	v, ok := body.value(signature)
	if !ok || body.bad || body.at != len(body.b) {
		return slow(b)
	}
	return kind, serial, []any{v}, nil
}
