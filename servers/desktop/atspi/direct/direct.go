// Package direct asks one application many questions over the application's own D-Bus socket
// (org.a11y.atspi.Application.GetApplicationBusAddress) instead of the accessibility bus. Each question
// and each answer then takes one hop instead of two. Programs with ATK have such a socket: GTK 3,
// Chromium and Electron.
//
// The package owns a connection. It must not depend on elements. It does not trust the application: a
// message that it cannot decode ends the connection, and the caller then uses the bus.
package direct

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

// A Question is a method call.
type Question struct {
	Path   dbus.ObjectPath
	Method string // with its interface
	Args   []any
	Done   func(body []any) // called with the results, on the goroutine of Ask; not called on an error
}

// A Conn is a connection to an application. Its methods are safe for concurrent use. The caller must
// close it.
type Conn struct {
	app  string // its unique name on the bus
	conn net.Conn

	mu     sync.Mutex // held by one Ask
	serial uint32
	in     []byte // read, but not handled yet
	out    []byte // not written yet
	broken error
}

// Dial connects to the application with a unique bus name at an address. connect opens the socket.
func Dial(ctx context.Context, name, address string, connect func(ctx context.Context, path string) (net.Conn, error)) (*Conn, error) {
	path, err := socket(address)
	if err != nil {
		return nil, err
	}
	conn, err := connect(ctx, path)
	if err != nil {
		return nil, err
	}
	c := &Conn{app: name, conn: conn}
	defer c.until(ctx)()
	if err := c.authenticate(); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("authenticating to an application: %w", err)
	}
	return c, nil
}

// socket returns the path in an address. It accepts only the file names that ATK uses, so that an
// application cannot direct questions to a socket of another kind.
func socket(address string) (string, error) {
	for one := range strings.SplitSeq(address, ";") {
		words, _ := strings.CutPrefix(one, "unix:")
		for pair := range strings.SplitSeq(words, ",") {
			key, value, _ := strings.Cut(pair, "=")
			path, err := url.PathUnescape(value)
			if err != nil || key != "path" || !filepath.IsAbs(path) {
				continue
			}
			path = filepath.Clean(path)
			file := filepath.Base(path)
			if strings.HasPrefix(file, "at-spi2-socket-") || file == "socket" && strings.HasPrefix(filepath.Base(filepath.Dir(path)), "at-spi2-") {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("the application has no socket of ATK: its address is %.100q", address)
}

// until makes reads and writes fail when ctx ends. The returned function undoes that.
func (c *Conn) until(ctx context.Context) func() {
	_ = c.conn.SetDeadline(time.Time{})
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		_ = c.conn.SetDeadline(time.Unix(1, 0))
	})
	return func() {
		if !stop() {
			<-ended
		}
	}
}

// authenticate identifies the user to the application, as the D-Bus Specification requires.
func (c *Conn) authenticate() error {
	if _, err := c.conn.Write([]byte("\x00AUTH EXTERNAL " + hex.EncodeToString([]byte(strconv.Itoa(os.Getuid()))) + "\r\n")); err != nil {
		return err
	}
	const most = 1 << 10
	for !strings.HasSuffix(string(c.in), "\r\n") {
		if len(c.in) > most {
			return errors.New("it answers with too long a line")
		}
		if err := c.read(most); err != nil {
			return err
		}
	}
	if !strings.HasPrefix(string(c.in), "OK ") {
		return fmt.Errorf("it answers %.100q", c.in)
	}
	c.in = c.in[:0]
	_, err := c.conn.Write([]byte("BEGIN\r\n"))
	return err
}

// Close ends the connection. A running Ask returns.
func (c *Conn) Close() error { return c.conn.Close() }
