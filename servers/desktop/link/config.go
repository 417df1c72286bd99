// Package link connects the desktop server to the gRPC service that drives a desktop (seed 002).
// The service runs in this process or at an address.
//
// The package owns the address and its checks, deadlines, reconnection, long-running operations,
// and the meaning of gRPC errors. It must not know about tools.
package link

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"goated/internal/weborigin"
)

// The environment variables that configure the connection (seed 002, "Configuration").
const (
	EnvAddress = "MACOS_USE_SERVER_ADDR"
	EnvSocket  = "MACOS_USE_SERVER_SOCKET_PATH"
	EnvTLS     = "MACOS_USE_SERVER_TLS"
	EnvCert    = "MACOS_USE_SERVER_CERT_FILE"
	EnvTimeout = "MACOS_USE_REQUEST_TIMEOUT"
)

// Variables returns the names of the environment variables that [FromEnviron] reads.
func Variables() []string { return []string{EnvAddress, EnvSocket, EnvTLS, EnvCert, EnvTimeout} }

// DefaultAddress is the address of the service if the environment names no other.
const DefaultAddress = "localhost:50051"

// DefaultTimeout is the default timeout of a request.
const DefaultTimeout = 30 * time.Second

// A Config defines where the service is. The zero value is [DefaultAddress].
type Config struct {
	Address string        // host:port; empty: DefaultAddress
	Socket  string        // path of a Unix socket; takes precedence over Address
	TLS     bool          // encrypt; required for other machines
	Cert    string        // PEM file of trusted certificates; empty: the system's certificates
	Timeout time.Duration // of one request; 0: DefaultTimeout
}

// FromEnviron reads the configuration from environment variables. given is false if no variable
// defines where the service is. An error names the wrong variable.
func FromEnviron(getenv func(string) string) (c Config, given bool, err error) {
	c = Config{Address: getenv(EnvAddress), Socket: getenv(EnvSocket), Cert: getenv(EnvCert)}
	given = c.Address != "" || c.Socket != ""
	switch v := strings.ToLower(strings.TrimSpace(getenv(EnvTLS))); v {
	case "true", "1", "yes":
		c.TLS = true
	case "", "false", "0", "no":
	default:
		return c, given, fmt.Errorf("%s is %q. Set it to true or false", EnvTLS, v)
	}
	if v := strings.TrimSpace(getenv(EnvTimeout)); v != "" {
		if c.Timeout, err = seconds(v); err != nil {
			return c, given, fmt.Errorf("%s is %q. Set it to a number of seconds such as 30, or to a duration such as 45s", EnvTimeout, v)
		}
	}
	return c, given, c.Check()
}

// seconds parses a duration with a unit, or a number of seconds.
func seconds(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil {
		n, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return 0, err
		}
		d = time.Duration(n * float64(time.Second))
	}
	if d <= 0 || d > 24*time.Hour {
		return 0, errors.New("out of range")
	}
	return d, nil
}

// Check reports what is wrong with the configuration. Without TLS the service must be on this
// machine. Otherwise anyone on the network could read screenshots and typed text.
func (c Config) Check() error {
	if c.Socket != "" {
		if !filepath.IsAbs(c.Socket) {
			return fmt.Errorf("%s is %q. Set it to an absolute path", EnvSocket, c.Socket)
		}
		if c.TLS {
			return fmt.Errorf("%s and %s are both set. A unix socket needs no TLS: remove one of them", EnvSocket, EnvTLS)
		}
		return nil
	}
	host, port, err := net.SplitHostPort(c.target())
	if err != nil || port == "" || host == "" {
		return fmt.Errorf("%s is %q. Set it to host:port, such as %s", EnvAddress, c.Address, DefaultAddress)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return fmt.Errorf("%s is %q, and %q is no port", EnvAddress, c.Address, port)
	}
	if !c.TLS && !weborigin.IsLoopback(host) { // the dialer also checks the address that localhost resolves to
		return fmt.Errorf("%s is %q, which is another machine, and without TLS others can read your screen and what you type. Set %s=true, or tunnel to localhost", EnvAddress, c.Address, EnvTLS)
	}
	return nil
}

func (c Config) target() string {
	if c.Address == "" {
		return DefaultAddress
	}
	return c.Address
}

func (c Config) timeout() time.Duration {
	if c.Timeout <= 0 {
		return DefaultTimeout
	}
	return c.Timeout
}

// Location returns the location of the service for messages to a person.
func (c Config) Location() string {
	if c.Socket != "" {
		return c.Socket
	}
	return c.target()
}

// tls returns the TLS configuration.
func (c Config) tls() (*tls.Config, error) {
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.Cert == "" {
		return t, nil
	}
	pem, err := os.ReadFile(c.Cert)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate of %s: %w", EnvCert, err)
	}
	t.RootCAs = x509.NewCertPool()
	if !t.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s: %s holds no certificate in PEM form", EnvCert, c.Cert)
	}
	return t, nil
}
