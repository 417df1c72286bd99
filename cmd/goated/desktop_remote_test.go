package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"

	"goated/servers/desktop/link"
	"goated/servers/desktop/macosusesdk"
)

// A mac is another computer's desktop.
type mac struct {
	macosusesdk.UnimplementedMacosUseServer
}

func (mac) Operations() longrunningpb.OperationsServer { return nil }
func (mac) Close() error                               { return nil }

func (mac) ListDisplays(context.Context, *macosusesdk.ListDisplaysRequest) (*macosusesdk.ListDisplaysResponse, error) {
	return &macosusesdk.ListDisplaysResponse{Displays: []*macosusesdk.Display{{Name: "displays/7", DisplayId: 7, IsMain: true, Frame: &macosusesdk.Region{Width: 1440, Height: 900}}}}, nil
}

func (mac) ListApplications(context.Context, *macosusesdk.ListApplicationsRequest) (*macosusesdk.ListApplicationsResponse, error) {
	return &macosusesdk.ListApplicationsResponse{Applications: []*macosusesdk.Application{{Name: "applications/7", Pid: 7, DisplayName: "TextEdit"}}}, nil
}

func (mac) ListWindows(context.Context, *macosusesdk.ListWindowsRequest) (*macosusesdk.ListWindowsResponse, error) {
	return &macosusesdk.ListWindowsResponse{}, nil
}

// Even from goated's sandbox, the desktop server reaches the service in the environment, by a port
// or by a socket.
func TestRemoteDesktop(t *testing.T) {
	p := newPlace(t)
	for kind, address := range map[string]string{"tcp": "127.0.0.1:0", "unix": filepath.Join(p.home, "mac.sock")} {
		l, err := net.Listen(kind, address)
		if err != nil {
			t.Fatal(err)
		}
		if kind == "unix" {
			if err := os.Chmod(address, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := link.NewServer(mac{})
		go func() { _ = s.Serve(l) }()
		t.Cleanup(s.Stop)
		at := "MACOS_USE_SERVER_ADDR=" + l.Addr().String()
		if kind == "unix" {
			at = "MACOS_USE_SERVER_SOCKET_PATH=" + address
		}
		q := *p // so that it shares nothing with the next one
		q.env = append(q.env, at)
		out, aside, code := q.run("call", "see", "--yes", "--with", "desktop")
		if code != 0 || !strings.Contains(out, "1440") {
			t.Errorf("%s: status %d, %q\n%s", kind, code, out, aside)
		}
	}
}
