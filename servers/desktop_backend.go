package servers

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"goated/internal/hostcall"
	"goated/servers/desktop/backend"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/live"
	"goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/opener"
	"goated/servers/desktop/x11/hidden"
)

// desktopBackend opens the desktop of this computer or a hidden desktop.
func desktopBackend(o Options) func(context.Context) (macosusesdk.Backend, error) {
	return func(ctx context.Context) (macosusesdk.Backend, error) { return backend.New(ctx, desktopOptions(o)) }
}

// desktopOptions returns the options of the backend. A user who turns the server on agrees to
// accessibility, as docs/desktop.md explains. The backend turns accessibility off again when it
// ends.
func desktopOptions(o Options) backend.Options {
	opts := backend.Options{
		Own:    desktopOwn(os.Getenv),
		Shell:  slices.Contains(o.On, desktopScripting),
		Sign:   true,
		Enable: func(context.Context) (bool, error) { return true, nil },
	}
	if o.host != nil {
		opts.Start, opts.Shoot, opts.Live = opener.Ask(o.host), opener.AskPicture(o.host), o.host
		opts.Run, opts.Folders = opener.AskCommand(o.host), opener.AskFolder(o.host)
	}
	opts.Folder = desktopFolder(o)
	if slices.Contains(o.On, desktopHidden) {
		opts.Hidden = new(hidden.Options)
		if o.host != nil {
			opts.Workplace = opener.AskHidden(o.host)
		}
	}
	return opts
}

// desktopAnswers returns the handler that starts applications and the hidden desktop for the
// desktop server, outside its sandbox. The handler also shows the server's work in shown.
func desktopAnswers(on []string, shown *live.View) hostcall.Handler {
	h := opener.New(opener.Options{Scripts: slices.Contains(on, desktopScripting), Hidden: slices.Contains(on, desktopHidden), Live: shown})
	if shown == nil {
		return h.Answer
	}
	return shown.Answer(h.Answer)
}

// envHost is set if the host of a server answers its requests, which only goated does.
const envHost = "GOATED_HOST"

// These variables contain the processes and the terminal window of goated. The server cannot find
// these itself, because its sandbox hides other processes.
const (
	envOwnPIDs   = "GOATED_OWN_PIDS"
	envOwnWindow = "GOATED_OWN_WINDOW"
)

// desktopGiven returns the variables that identify this goated process and its terminal to the
// desktop server.
func desktopGiven() []string {
	var pids []string
	for _, pid := range guard.Ancestors(os.Getpid(), guard.DesktopShell) {
		pids = append(pids, strconv.Itoa(pid))
	}
	return []string{envHost + "=1", envOwnPIDs + "=" + strings.Join(pids, ","), envOwnWindow + "=" + os.Getenv("WINDOWID")}
}

// desktopOwn reads the variables of desktopGiven. It also includes windows with goated's name as
// their class, whatever process they name.
func desktopOwn(getenv func(string) string) guard.Own {
	own := guard.Own{Classes: []string{"goated"}}
	for text := range strings.SplitSeq(getenv(envOwnPIDs), ",") {
		if pid, err := strconv.Atoi(text); err == nil && pid > 1 {
			own.PIDs = append(own.PIDs, pid)
		}
	}
	if window, err := strconv.ParseUint(getenv(envOwnWindow), 10, 32); err == nil && window > 0 {
		own.Windows = append(own.Windows, window)
	}
	return own
}
