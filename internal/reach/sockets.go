//go:build linux

package main

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"net"
	"sync"
)

// A talker serves connections for a protocol other than HTTP. It handles the requests of a
// connection one at a time.
type talker struct {
	listener net.Listener
	wg       sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// talk serves a protocol on a new port until close.
func talk(serve func(net.Conn)) (*talker, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &talker{listener: l, conns: make(map[net.Conn]bool)}
	t.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.mu.Lock()
			t.conns[c] = true
			t.mu.Unlock()
			t.wg.Go(func() {
				serve(c)
				_ = c.Close()
				t.mu.Lock()
				delete(t.conns, c)
				t.mu.Unlock()
			})
		}
	})
	return t, nil
}

// port returns the port as text.
func (t *talker) port() string {
	_, port, _ := net.SplitHostPort(t.listener.Addr().String())
	return port
}

func (t *talker) close() {
	_ = t.listener.Close()
	t.mu.Lock()
	for c := range t.conns {
		_ = c.Close()
	}
	t.mu.Unlock()
	t.wg.Wait()
}

// blender responds like Blender's add-on, to each command with a scene.
func blender(c net.Conn) {
	in := json.NewDecoder(c)
	for {
		var command map[string]any
		if in.Decode(&command) != nil {
			return
		}
		if _, err := io.WriteString(c, `{"status":"success","result":{"name":"Basket","object_count":1,"objects":[{"name":"Whiskers","type":"MESH","location":[0,0,0]}],"materials_count":0}}`); err != nil {
			return
		}
	}
}

// mongo responds like a MongoDB server with one database: it handles the handshake and lists the
// database.
func mongo(c net.Conn) {
	for n := int32(1); ; n++ {
		head := make([]byte, 16)
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		size, id, code := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[12:])
		if size < 16 || size > 1<<20 {
			return
		}
		body := make([]byte, size-16)
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		answer := document("isWritablePrimary", true, "ismaster", true, "helloOk", true, "minWireVersion", int32(0), "maxWireVersion", int32(25),
			"maxBsonObjectSize", int32(16<<20), "maxMessageSizeBytes", int32(48<<20), "maxWriteBatchSize", int32(100000), "readOnly", false, "version", "8.0.0",
			"databases", list(document("name", "whiskers", "sizeOnDisk", 9.0, "empty", false)), "totalSize", 9.0, "ok", 1.0)
		out := binary.LittleEndian.AppendUint32(nil, uint32(n))
		out = binary.LittleEndian.AppendUint32(out, id)
		const query, reply, message = 2004, 1, 2013
		if code == query { // the handshake of old and new clients
			out = binary.LittleEndian.AppendUint32(out, reply)
			out = append(out, make([]byte, 4+8+4)...) // flags, cursor, first
			out = binary.LittleEndian.AppendUint32(out, 1)
		} else {
			out = binary.LittleEndian.AppendUint32(out, message)
			out = append(out, 0, 0, 0, 0, 0) // flags, and one section
		}
		out = append(out, answer...)
		if _, err := c.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(out)+4)), out...)); err != nil {
			return
		}
	}
}

// A list is an array of BSON with one document.
type list []byte

// document encodes names and values as BSON.
func document(pairs ...any) []byte {
	var out []byte
	for i := 0; i < len(pairs); i += 2 {
		name := append([]byte(pairs[i].(string)), 0)
		element := func(kind byte, value ...byte) { out = append(append(append(out, kind), name...), value...) }
		switch v := pairs[i+1].(type) {
		case bool:
			if v {
				element(8, 1)
			} else {
				element(8, 0)
			}
		case int32:
			element(16, binary.LittleEndian.AppendUint32(nil, uint32(v))...)
		case float64:
			element(1, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))...)
		case string:
			element(2, append(binary.LittleEndian.AppendUint32(nil, uint32(len(v)+1)), append([]byte(v), 0)...)...)
		case list:
			element(4, document("0", []byte(v))...)
		case []byte:
			element(3, v...)
		}
	}
	out = append(out, 0)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(out)+4)), out...)
}
