// Command reach fetches each URL in its arguments, and prints the results.
package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	c := http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	for _, url := range os.Args[1:] {
		body, err := fetch(&c, url)
		why := ""
		if err != nil {
			why = err.Error()
		}
		_ = json.NewEncoder(os.Stdout).Encode(map[string]string{"url": url, "body": body, "why": why})
	}
}

func fetch(c *http.Client, url string) (string, error) {
	if to, ok := strings.CutPrefix(url, "direct://"); ok {
		conn, err := net.DialTimeout("tcp", to, 20*time.Second)
		if err != nil {
			return "", err
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "GET /direct HTTP/1.0\r\n\r\n")
		all, err := io.ReadAll(conn)
		_, body, _ := strings.Cut(string(all), "\r\n\r\n")
		return body, err
	}
	r, err := c.Get(url)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", r.Status, body)
	}
	return string(body), err
}
