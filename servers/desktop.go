package servers

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/desktop"
)

// The switches of the desktop server.
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

// desktopVariables returns the variables that lead to the user's display and to the bus of
// their session.
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

// desktopFolder holds the journal of what the server did.
func desktopFolder(o Options) string {
	if o.Data == "" {
		return ""
	}
	return filepath.Join(o.Data, "desktop")
}

// desktopReads returns the files that say which applications there are, and those that open the
// display.
func desktopReads(Options) []string {
	paths := []string{filepath.Join(xdg.Home, ".Xauthority"), os.Getenv("XAUTHORITY"), filepath.Join(xdg.DataHome, "applications"), os.Getenv("MACOS_USE_SERVER_CERT_FILE")}
	for _, dir := range xdg.DataDirs {
		paths = append(paths, filepath.Join(dir, "applications"))
	}
	return slices.DeleteFunc(paths, func(p string) bool { return p == "" })
}

// desktopSummary says what the server does, and what stops it in the user's session: on Wayland
// not every desktop gives a key.
func desktopSummary(getenv func(string) string) string {
	const does = "Sees and operates the applications on your desktop. "
	if getenv("XDG_SESSION_TYPE") == "wayland" {
		return does + "Stop everything in goated's window stops it at once, and a key where your desktop gives one."
	}
	return does + "Ctrl+Alt+Escape stops it at once."
}
