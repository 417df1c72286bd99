package servers

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/desktop"
)

// These are the switches of the desktop server.
const (
	desktopScripting = "scripting"
	desktopHidden    = "hidden"
	desktopAllTools  = "all-tools"
)

func desktopSwitches() []Switch {
	return []Switch{
		{Name: desktopScripting, Summary: "It may run shell commands and scripts as you."},
		{Name: desktopHidden, Summary: "It works on a second, hidden desktop. You keep your mouse."},
		{Name: desktopAllTools, Summary: "It offers all 78 tools instead of the ten that reach them. All of them cost a model about 13,000 tokens."},
	}
}

// desktopVariables returns the names of the variables by which a program finds the user's display
// and session bus.
func desktopVariables() []string {
	return []string{"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE"}
}

func newDesktop(o Options) *mcp.Server {
	return desktop.New(desktop.Options{
		AllTools:  slices.Contains(o.On, desktopAllTools),
		Scripting: slices.Contains(o.On, desktopScripting),
		Backend:   desktopBackend(o),
		Remote:    o.Backend == "remote",
		Local:     o.Backend == "x11",
	})
}

// desktopFolder returns the folder of the server's journal.
func desktopFolder(o Options) string {
	if o.Data == "" {
		return ""
	}
	return filepath.Join(o.Data, "desktop")
}

// desktopReads returns the files that describe the installed applications, and those that a program
// needs to open the display.
func desktopReads(Options) []string {
	paths := []string{filepath.Join(xdg.Home, ".Xauthority"), os.Getenv("XAUTHORITY"), filepath.Join(xdg.DataHome, "applications"), os.Getenv("MACOS_USE_SERVER_CERT_FILE")}
	for _, dir := range xdg.DataDirs {
		paths = append(paths, filepath.Join(dir, "applications"))
	}
	return slices.DeleteFunc(paths, func(p string) bool { return p == "" })
}

// desktopSummary describes the server, and how to stop it in the user's session. On Wayland, not
// every desktop provides a key for that.
func desktopSummary(getenv func(string) string) string {
	const does = "Sees and operates the applications on your desktop. "
	if getenv("XDG_SESSION_TYPE") == "wayland" {
		return does + "Stop everything in goated's window stops it at once, and a key where your desktop gives one."
	}
	return does + "Ctrl+Alt+Escape stops it at once."
}
