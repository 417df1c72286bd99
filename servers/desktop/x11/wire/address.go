package wire

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// An address is a parsed display name.
type address struct {
	name    string
	host    string // "" for a socket of this machine
	socket  string // the path of a socket that is part of the name
	display int
	screen  int
}

// parse parses names like ":0", "host:1.2" and "/tmp/launch-12/:0".
func parse(name string) (address, error) {
	if name == "" {
		name = os.Getenv("DISPLAY")
	}
	if name == "" {
		return address{}, errors.New("no display is named: set DISPLAY, or start goated in a graphical session")
	}
	a := address{name: name}
	bad := fmt.Errorf("the display name %q is not of the form [host]:number[.screen]", name)
	colon := strings.LastIndexByte(name, ':')
	if colon < 0 {
		return a, bad
	}
	number, screen, dotted := strings.Cut(name[colon+1:], ".")
	var err error
	if a.display, err = strconv.Atoi(number); err != nil || a.display < 0 || a.display > 59535 {
		return a, bad
	}
	if dotted {
		if a.screen, err = strconv.Atoi(screen); err != nil || a.screen < 0 {
			return a, bad
		}
	}
	switch host := name[:colon]; {
	case strings.HasPrefix(host, "/"):
		a.socket = host + ":" + number
	case host != "unix":
		a.host = strings.TrimPrefix(host, "tcp/")
	}
	return a, nil
}

// dial opens the socket of the display.
func (a address) dial(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	switch {
	case a.socket != "":
		return d.DialContext(ctx, "unix", a.socket)
	case a.host != "":
		return d.DialContext(ctx, "tcp", net.JoinHostPort(a.host, strconv.Itoa(6000+a.display)))
	}
	path := fmt.Sprintf("/tmp/.X11-unix/X%d", a.display)
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil { // servers on Linux also listen on an abstract socket
		if abstract, err := d.DialContext(ctx, "unix", "@"+path); err == nil {
			return abstract, nil
		}
	}
	return c, err
}

// greeting returns the first message to the server. It contains the byte order, the version of the
// protocol, and the cookie from the authority file.
func (a address) greeting(authority string) []byte {
	const method = "MIT-MAGIC-COOKIE-1"
	cookie := a.cookie(authority, method)
	name := method
	if cookie == nil {
		name = ""
	}
	b := []byte{'l', 0}
	for _, n := range []int{11, 0, len(name), len(cookie), 0} {
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
	}
	b = append(b, pad([]byte(name))...)
	return append(b, pad(cookie)...)
}

func pad(b []byte) []byte { return append(b, make([]byte, (4-len(b)%4)%4)...) }

// cookie looks up the display in the authority file (Xau(3)). It returns nil if there is no entry,
// because many servers accept the user's own programs without a cookie.
func (a address) cookie(path, method string) []byte {
	if path == "" {
		path = os.Getenv("XAUTHORITY")
	}
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		path = filepath.Join(home, ".Xauthority")
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	host := a.host
	if host == "" || host == "localhost" {
		host, _ = os.Hostname()
	}
	const local, wild = 256, 65535
	for r := bytes.NewReader(file); ; {
		var family uint16
		if binary.Read(r, binary.BigEndian, &family) != nil {
			return nil
		}
		var fields [4]string // address, display, method, cookie
		for i := range fields {
			var n uint16
			if binary.Read(r, binary.BigEndian, &n) != nil {
				return nil
			}
			b := make([]byte, n)
			if k, _ := r.Read(b); k != int(n) {
				return nil
			}
			fields[i] = string(b)
		}
		here := family == wild || family == local && fields[0] == host
		same := fields[1] == "" || fields[1] == strconv.Itoa(a.display)
		if here && same && fields[2] == method && len(fields[3]) == 16 {
			return []byte(fields[3])
		}
	}
}
