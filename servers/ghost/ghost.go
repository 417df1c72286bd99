// Package ghost is the MCP server "Clippy's Ghost" (seed 000). Its tools let a model write notes on
// the user's desktop, play sounds, list the files of the project, and remember and forget facts
// between conversations. The tool that forgets facts is an addition to the seed.
//
// It owns the desktop directory, one project root, one memory file and the processes of the audio
// player. It must not know the client that runs it:
//
//	err := ghost.New(ghost.Options{}).Run(ctx, &stdio.Transport{In: os.Stdin, Out: os.Stdout, Log: os.Stderr})
//
// Only protocol messages go to standard output. The log goes to [Options.Log].
package ghost

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/adrg/xdg"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/paths"
	"goated/servers/arguments"
	"goated/servers/serverlog"
)

// Options configure the server. The zero value is usable.
type Options struct {
	// Root is the directory that read_project_context may list. Relative paths start there. Empty
	// means the working directory.
	Root string

	// Memory is the path of the memory file. Empty means clippy_memory.json in the working directory.
	Memory string

	// Desktop is the directory in which haunt_desktop writes. Empty means the user's desktop: the
	// XDG desktop directory if one is set, otherwise Desktop in the home directory.
	Desktop string

	// Log gets one line per event, "[time] [LEVEL] message", with the stack trace below each
	// failure. Nil means standard error.
	Log io.Writer
}

// ghost is the tools' view of the operating system. Tests replace fields between the calls of
// newGhost and server.
type ghost struct {
	log     *serverlog.Log
	desktop desktop
	project project
	memory  memory
	sounds  sounds
}

// New returns the server. It makes all paths absolute, so later changes of the working directory
// have no effect. When the last session ends, Run stops the sounds before it returns.
func New(opts Options) *mcp.Server {
	return newGhost(opts).server()
}

func newGhost(opts Options) *ghost {
	log := serverlog.New(opts.Log)
	return &ghost{
		log:     log,
		desktop: desktop{dir: paths.Absolute(cmp.Or(opts.Desktop, xdg.UserDirs.Desktop))},
		project: project{root: paths.Absolute(cmp.Or(opts.Root, ".")), max: maxEntries},
		memory: memory{
			path: paths.Absolute(cmp.Or(opts.Memory, "clippy_memory.json")),
			now:  time.Now,
			wait: lockWait,
			link: (*os.Root).Link,
		},
		sounds: sounds{
			goos:    runtime.GOOS,
			themes:  append([]string{xdg.DataHome}, xdg.DataDirs...),
			cache:   filepath.Join(xdg.CacheHome, "clippy-ghost"),
			tty:     "/dev/tty",
			window:  300 * time.Millisecond,
			speaker: &speaker{limit: 5 * time.Second, log: log},
		},
	}
}

func (g *ghost) server() *mcp.Server {
	s := mcp.NewServer(
		&mcp.Implementation{Name: "ghost", Title: "Clippy's Ghost", Version: "1.0.0"},
		&mcp.ServerOptions{
			Instructions: "Tools for the user's own machine: write a note on the desktop, play a sound, " +
				"list the files of the project, and remember or forget facts between conversations.",
			// The tools never change, and MCP logging is deprecated.
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
			// A process that exits after Run would leave the players behind.
			Logger: g.log.Sessions(g.sounds.speaker.stop),
		},
	)
	haunt, play, read, manage, forget := hauntDesktop(), playSystemSound(), readProjectContext(), manageMemory(), forgetFact()
	s.AddReceivingMiddleware(g.errorMiddleware, arguments.Middleware(haunt, play, read, manage, forget))
	mcp.AddTool(s, haunt, g.desktop.haunt)
	mcp.AddTool(s, play, g.sounds.play)
	mcp.AddTool(s, read, g.project.read)
	mcp.AddTool(s, manage, g.memory.manage)
	mcp.AddTool(s, forget, g.memory.forget)
	return s
}

// text returns a result with a single text.
func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// encode is [json.MarshalIndent] without the escapes for HTML.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return out.Bytes(), err
}
