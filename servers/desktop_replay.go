package servers

import (
	"context"
	"path/filepath"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/backend"
	"goated/servers/desktop/journal"
	"goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/replay"
)

// DesktopJournal returns the path of the journal of the desktop server's actions.
func DesktopJournal(o Options) string { return filepath.Join(desktopFolder(o), backend.JournalFile) }

// These switches of the desktop server also apply to a replay.
const (
	Scripting = desktopScripting
	Hidden    = desktopHidden
)

// ReplayDesktop repeats recorded actions. It uses the same desktop as the desktop server with the
// same options, and the same rules.
func ReplayDesktop(ctx context.Context, o Options, r replay.Options) (n int, err error) {
	r.Program = apps.Name
	r.Open = func(begins func(journal.Entry) error, ends func(journal.Entry)) (macosusesdk.Backend, error) {
		opts := desktopOptions(o)
		opts.Begins, opts.Ends = begins, ends
		return backend.New(ctx, opts)
	}
	return replay.Run(ctx, r)
}
