package desktop

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"goated/servers/stdio"
)

// TestMain lets the test program act as the server over stdio if it starts with "serve SOCKET" or
// "serve SOCKET all". The service listens on SOCKET.
func TestMain(m *testing.M) {
	if len(os.Args) >= 3 && os.Args[1] == "serve" {
		err := New(Options{AllTools: len(os.Args) == 4, Scripting: true, Getenv: (&fake{socket: os.Args[2]}).environ}).Run(context.Background(), Lifecycle(&stdio.Transport{In: os.Stdin, Out: os.Stdout, Log: os.Stderr}))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	goleak.VerifyTestMain(m)
}
