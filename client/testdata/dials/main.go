// Command dials connects to the daemon at DOCKER_HOST, like docker does, and exits.
package main

import (
	"fmt"
	"net"
	"os"
	"strings"
)

func main() {
	c, err := net.Dial("unix", strings.TrimPrefix(os.Getenv("DOCKER_HOST"), "unix://"))
	if err != nil {
		fmt.Fprintf(os.Stderr, "docker: permission denied while trying to connect to the Docker daemon socket at %s: %v\n\nRun 'docker run --help' for more information\n", os.Getenv("DOCKER_HOST"), err)
		os.Exit(126)
	}
	c.Close()
}
