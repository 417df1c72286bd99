package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

func sized(m message) {
	head, tail := `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"content":[{"type":"text","text":"`, `"}]}}`
	want := number(1 << 20)
	if n, ok := m.Params.Arguments["size"].(float64); ok {
		want = int(n)
	}
	send(head + fill(want-len(head)-len(tail)) + tail)
}

func split(s string) {
	for _, b := range []byte(s) {
		os.Stdout.Write([]byte{b})
		time.Sleep(time.Millisecond)
	}
}

func noise() {
	for {
		if _, err := os.Stdout.WriteString("I am not a message\n"); err != nil {
			os.Exit(1)
		}
	}
}

// flood writes text repeatedly until stdout is closed.
func flood(text string) {
	block := []byte(strings.Repeat(text, 1<<16/len(text)+1))
	for {
		if _, err := os.Stdout.Write(block); err != nil {
			os.Exit(1)
		}
	}
}

func stderr(n int) {
	block := []byte(fill(1<<16-1) + "\n")
	for ; n > 0; n -= len(block) {
		os.Stderr.Write(block)
	}
}

func progress(m message) {
	token, _ := json.Marshal(m.Params.Meta.Token)
	for i := range number(1000000) {
		fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`+"\n", token, i+1)
	}
	result(m.ID, text("done"))
}
