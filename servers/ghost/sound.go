package ghost

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/paths"
)

// sounds plays the three system sounds.
type sounds struct {
	goos   string
	themes []string      // data directories that may contain a sound theme
	cache  string        // the folder for the unpacked bundled sounds
	tty    string        // the terminal whose bell is the last fallback
	window time.Duration // a player that runs for this long counts as working

	speaker *speaker
}

type soundArgs struct {
	Type string `json:"type"`
}

// play does not wait for the end of the sound. It watches each player for a moment and tries the
// next one if it fails. For example, paplay fails without an audio server.
func (s *sounds) play(ctx context.Context, _ *mcp.CallToolRequest, args soundArgs) (*mcp.CallToolResult, any, error) {
	var tried []string
	for _, p := range players(s.goos, args.Type) {
		file, err := s.file(p, args.Type)
		if err != nil {
			tried = append(tried, fmt.Sprintf("%s: %v", p.argv[0], err))
			continue
		}
		ended, err := s.speaker.start(ctx, p.command(file), s.window)
		switch {
		case errors.Is(err, errNotInstalled):
			continue
		case errors.Is(err, errTooMany), err != nil && ctx.Err() != nil:
			return nil, nil, err
		case err != nil:
			tried = append(tried, fmt.Sprintf("%s: %v", p.argv[0], paths.WithoutPath(err)))
		case ended:
			return text(fmt.Sprintf("Successfully played %s sound", args.Type)), nil, nil
		default:
			return text(fmt.Sprintf("Playing %s sound", args.Type)), nil, nil
		}
	}

	trouble := "no audio player was found"
	if len(tried) > 0 {
		trouble = "no audio player worked (" + strings.Join(tried, "; ") + ")"
	}
	if s.ringBell() {
		return text(fmt.Sprintf("Rang the terminal bell for %s instead of a sound: %s", args.Type, trouble)), nil, nil
	}
	return nil, nil, fmt.Errorf("playing %s sound: %s; %s", args.Type, trouble, advice(s.goos))
}

// file returns the sound for p: the system's sound, otherwise the bundled one.
func (s *sounds) file(p player, kind string) (string, error) {
	if filepath.IsAbs(p.sound) || s.goos == "windows" {
		if paths.IsFile(p.sound) {
			return p.sound, nil
		}
	} else if p.sound != "" {
		for _, dir := range s.themes {
			if f := filepath.Join(dir, p.sound); filepath.IsAbs(f) && paths.IsFile(f) {
				return f, nil
			}
		}
	}
	return unpack(s.cache, kind)
}

// ringBell writes to the terminal device, because standard output is for the protocol.
func (s *sounds) ringBell() bool {
	if s.goos == "windows" {
		return false
	}
	tty, err := os.OpenFile(s.tty, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	_, err = tty.WriteString("\a")
	return err == nil
}
