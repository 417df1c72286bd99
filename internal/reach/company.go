//go:build linux

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// A company is a company's proxy. It decrypts connections with certificates of its own authority,
// and responds in place of the public hosts for servers whose host cannot be configured. Servers
// use it like in a company: through HTTPS_PROXY and the file with its authority.
type company struct {
	authority *x509.Certificate
	key       *ecdsa.PrivateKey
	opened    chan net.Conn // decrypted connections, for the server
	ended     chan struct{}
	end       sync.Once
	answers   http.Handler
}

// newCompany creates a proxy, and writes its authority's certificate to a file.
func newCompany(file string, answers http.Handler) (*company, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	c := &company{key: key, opened: make(chan net.Conn), ended: make(chan struct{}), answers: answers}
	c.authority = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Stand-in authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	raw, err := x509.CreateCertificate(rand.Reader, c.authority, c.authority, key.Public(), key)
	if err != nil {
		return nil, err
	}
	if c.authority, err = x509.ParseCertificate(raw); err != nil {
		return nil, err
	}
	all := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})
	for _, name := range []string{"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"} { // this computer may be in a company too
		if own, err := os.ReadFile(os.Getenv(name)); err == nil {
			all = append(append(all, own...), '\n')
		}
	}
	if err := os.WriteFile(file, all, 0o644); err != nil {
		return nil, err
	}
	inner := &http.Server{Handler: answers}
	go func() { _ = inner.Serve(tls.NewListener(c, &tls.Config{GetCertificate: c.certificate})) }() // until Close
	return c, nil
}

// certificate creates a certificate for the host that a client requests.
func (c *company) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	one := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: hello.ServerName}, DNSNames: []string{hello.ServerName},
		NotBefore: c.authority.NotBefore, NotAfter: c.authority.NotAfter, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	raw, err := x509.CreateCertificate(rand.Reader, one, c.authority, c.key.Public(), c.key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: c.key}, nil
}

// ServeHTTP responds to a request, or opens the connection that it requests.
func (c *company) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	if in.Method != http.MethodConnect {
		c.answers.ServeHTTP(out, in)
		return
	}
	if !publicHosts[in.URL.Hostname()] { // for example a package registry
		c.tunnel(out, in)
		return
	}
	conn, _, err := http.NewResponseController(out).Hijack()
	if err != nil {
		http.Error(out, err.Error(), http.StatusInternalServerError)
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		_ = conn.Close()
		return
	}
	select {
	case c.opened <- conn:
	case <-c.ended:
		_ = conn.Close()
	}
}

// tunnel connects a client to the host that it requests.
func (c *company) tunnel(out http.ResponseWriter, in *http.Request) {
	far, err := net.DialTimeout("tcp", in.Host, 20*time.Second)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadGateway)
		return
	}
	defer far.Close()
	near, _, err := http.NewResponseController(out).Hijack()
	if err != nil {
		http.Error(out, err.Error(), http.StatusInternalServerError)
		return
	}
	defer near.Close()
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	back := make(chan struct{})
	go func() { // until one side ends
		defer close(back)
		_, _ = io.Copy(near, far)
		_ = near.Close()
	}()
	_, _ = io.Copy(far, near)
	_ = far.Close()
	<-back
}

// Accept returns the next decrypted connection.
func (c *company) Accept() (net.Conn, error) {
	select {
	case conn := <-c.opened:
		return conn, nil
	case <-c.ended:
		return nil, fmt.Errorf("the proxy: %w", net.ErrClosed)
	}
}

// Addr only completes the listener interface.
func (c *company) Addr() net.Addr { return &net.TCPAddr{} }

// Close closes the proxy. It may be called more than once.
func (c *company) Close() error {
	c.end.Do(func() { close(c.ended) })
	return nil
}
