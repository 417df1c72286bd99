package main

import (
	"fmt"
	"os"
	"time"
)

var discover = map[string]func(message){
	"silent": func(message) {},
	"exits":  func(message) { fmt.Fprintln(os.Stderr, "unknown request"); os.Exit(2) },
	"hang":   forever,
	"slowmodern": func(m message) {
		time.Sleep(3500 * time.Millisecond)
		modern(m)
	},
	"newest":    modern, // its calls work as in any version
	"modern":    modern,
	"postpones": modern,
}

func modern(m message) {
	result(m.ID, `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"misbehave","version":"1"},"ttlMs":0,"cacheScope":"private","resultType":"complete"}`)
}

var initialize = map[string]func(message){
	"hang":       forever,
	"utf16":      func(m message) { utf16(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{}}`) },
	"slowmodern": func(m message) { fail(m.ID, -32600, "initialize is not accepted") },
	"refuses":    func(m message) { fail(m.ID, -32000, "not today") },
	"drip":       func(m message) { drip(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{}}`) },
	"wrongmail":  func(m message) { send(`{"jsonrpc":"2.0","id":"` + string(m.ID) + `","result":{}}`) },
}

func utf16(s string) {
	for _, b := range []byte(s + "\n") {
		out.Write([]byte{b, 0})
	}
	out.Flush()
}

func drip(s string) {
	for _, b := range []byte(s) {
		raw(string([]byte{b}))
		time.Sleep(time.Second)
	}
}
