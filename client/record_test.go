//go:build unix

package client_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/client"
)

// recorder returns a configuration that runs [record], which is part of this program, as a
// command.
func recorder(t testing.TB, modes ...string) (c client.Config, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	return client.Config{Command: self, Args: append([]string{"record", dir}, modes...), Name: "r", NoSandbox: true}, dir
}

// recorded returns the lines of one direction that a recorder has written down, across all its
// processes. "in" is what it read, and "out" is what it wrote.
func recorded(t testing.TB, dir, direction string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, direction))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// record is a server that writes down each line that it reads or writes, and never returns. The
// arguments of its tool "do" determine what the tool does. The mode "notools" declares no
// tools.
func record(dir string, modes []string) {
	var files [2]*os.File
	for i, name := range []string{"in", "out"} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		files[i] = f
	}
	write := func(format string, args ...any) {
		line := fmt.Sprintf(format, args...) + "\n"
		_, _ = files[1].WriteString(line)
		_, _ = os.Stdout.WriteString(line)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			os.Exit(0)
		}
		_, _ = files[0].WriteString(line)
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Arguments struct {
					Noise, Size int
					Hang, Die   bool
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			panic(err)
		}
		switch {
		case m.ID == nil:
		case m.Method == "initialize":
			capabilities := `{"tools":{}}`
			if slices.Contains(modes, "notools") {
				capabilities = "{}"
			}
			write(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":%s,"serverInfo":{"name":"r","version":"1"}}}`, m.ID, capabilities)
		case m.Method == "tools/list":
			write(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"do","inputSchema":{"type":"object"}}]}}`, m.ID)
		case m.Method == "tools/call":
			do := m.Params.Arguments
			for n := range do.Noise {
				write("line %d with %s", n, os.Getenv("RECORD_TOKEN"))
			}
			switch {
			case do.Die:
				os.Exit(3)
			case !do.Hang:
				write(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`, m.ID, strings.Repeat("x", do.Size))
			}
		default:
			write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
		}
	}
}
