package portaltest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

const boards = "org.freedesktop.portal.Clipboard"

// failed is the name of the error of a call in the wrong state.
const failed = "org.freedesktop.DBus.Error.Failed"

const denied = "org.freedesktop.DBus.Error.AccessDenied"

// Copying configures the clipboard.
type Copying struct {
	// Board reports whether the user also allows the clipboard in the dialog that asks for a keyboard.
	// If nil, they do.
	Board func() bool
	// Stuck delays the contents that another program copied until it is closed. If nil, there is no
	// delay.
	Stuck chan struct{}
	// Wrapped wraps the list of MIME types in a structure, as GNOME up to version 48 does.
	Wrapped bool
	// Delay holds back the signals. If nil, they are sent at once.
	Delay *Delay

	board board
	files []*os.File // the files whose descriptors callers have
}

// A Delay holds back the signals about the clipboard, as a busy desktop does. Its zero value is ready
// to use. Its methods are safe for concurrent use.
type Delay struct {
	mu   sync.Mutex
	held []func()
}

func (d *Delay) hold(tell func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held = append(d.held, tell)
}

// Release sends the oldest signals that are held back, and reports whether there were any.
func (d *Delay) Release() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.held) == 0 {
		return false
	}
	d.held[0]()
	d.held = d.held[1:]
	return true
}

// A board is the clipboard of the session.
type board struct {
	forms    map[string][]byte // what another program copied; nil if a session owns the clipboard, or it is empty
	owner    dbus.ObjectPath   // the session that owns it, or ""
	types    []string          // the types that the owner offers
	serial   uint32
	transfer map[uint32]*handover
}

// A handover is a transfer from the owner to another program.
type handover struct {
	owner    dbus.ObjectPath
	written  chan []byte   // the data that arrived
	done     chan struct{} // closed by SelectionWriteDone
	ok       bool          // valid after done is closed
	given    bool          // the owner has the file descriptor
	finished bool
}

// Copy puts contents on the clipboard, as another program does.
func (p *Portal) Copy(forms map[string][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.board.forms, p.board.owner, p.board.types = forms, "", nil
	p.tell()
}

// tell sends the sessions the contents of the clipboard. The caller holds p.mu.
func (p *Portal) tell() {
	types := slices.Clone(p.board.types)
	for name := range p.board.forms {
		types = append(types, name)
	}
	slices.Sort(types)
	for path, s := range p.sessions {
		if s.clipboard && s.started {
			list := dbus.MakeVariant(append([]string{}, types...))
			if p.Wrapped {
				list = dbus.MakeVariant(struct{ List []string }{append([]string{}, types...)})
			}
			say := options{"mime_types": list, "session_is_owner": dbus.MakeVariant(path == p.board.owner)}
			emit := func() { _ = p.conn.Emit(object, boards+".SelectionOwnerChanged", path, say) }
			if p.Delay == nil {
				emit()
				continue
			}
			p.Delay.hold(emit)
		}
	}
}

// Types returns the MIME types that other programs can paste.
func (p *Portal) Types() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.board.types)
}

// patience is how long another program waits for the owner.
const patience = 10 * time.Second

// ErrPaste means that the owner of the clipboard sent nothing.
var ErrPaste = errors.New("the owner of the clipboard gave nothing")

// Paste reads what a session copied, as another program does.
func (p *Portal) Paste(form string) ([]byte, error) {
	p.mu.Lock()
	owner := p.board.owner
	if owner == "" {
		p.mu.Unlock()
		return nil, fmt.Errorf("%w: no session owns it", ErrPaste)
	}
	p.board.serial++
	serial := p.board.serial
	h := &handover{owner: owner, written: make(chan []byte, 1), done: make(chan struct{})}
	p.board.transfer[serial] = h
	_ = p.conn.Emit(object, boards+".SelectionTransfer", owner, form, serial)
	p.mu.Unlock()
	late := time.After(patience)
	select {
	case <-h.done:
		if !h.ok {
			return nil, ErrPaste
		}
	case <-late:
		return nil, fmt.Errorf("%w: it does not answer", ErrPaste)
	}
	select {
	case b := <-h.written:
		return b, nil
	case <-late:
		return nil, fmt.Errorf("%w: its descriptor stays open", ErrPaste)
	}
}

func (p *Portal) requestClipboard(at dbus.ObjectPath, o options, sender dbus.Sender) *dbus.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, err := p.session(at, sender, remote)
	if err != nil {
		return err
	}
	if len(o) > 0 {
		return p.fault(invalid, "RequestClipboard has no options: %v", o)
	}
	if s.started || s.starting {
		return p.fault(failed, "Invalid state: the clipboard is requested after Start")
	}
	s.wanted = true
	return nil
}

// enabled returns a session that may use the clipboard.
func (p *Portal) enabled(method string, at dbus.ObjectPath, sender dbus.Sender) (*sessionState, *dbus.Error) {
	s, err := p.session(at, sender, remote)
	if err != nil {
		return nil, err
	}
	if !s.started || !s.clipboard {
		return nil, p.fault(denied, "Clipboard not enabled: %s", method)
	}
	return s, nil
}

func (p *Portal) setSelection(at dbus.ObjectPath, o options, sender dbus.Sender) *dbus.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.enabled("SetSelection", at, sender); err != nil {
		return err
	}
	if err := p.check("SetSelection", o, map[string]string{"mime_types": "as"}); err != nil {
		return err
	}
	types, _ := o["mime_types"].Value().([]string)
	if len(types) == 0 && p.board.owner != at {
		return nil // what others own stays
	}
	p.board.forms, p.board.owner, p.board.types = nil, at, types
	if len(types) == 0 {
		p.board.owner = ""
	}
	p.tell()
	return nil
}

func (p *Portal) selectionRead(at dbus.ObjectPath, form string, sender dbus.Sender) (dbus.UnixFD, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, err := p.enabled("SelectionRead", at, sender)
	if err != nil {
		return 0, err
	}
	data, ok := p.board.forms[form]
	switch {
	case p.board.owner == at:
		return 0, p.fault(failed, "Tried to read own selection")
	case !ok:
		return 0, p.fault(failed, "Mime type %q not in clipboard", form)
	case s.reading:
		return 0, p.fault(failed, "Tried to read in parallel")
	}
	r, w, fail := os.Pipe()
	if fail != nil {
		return 0, dbus.MakeFailedError(fail)
	}
	s.reading = true
	stuck := p.Stuck
	go func() { // ends when the caller has read everything or closed its end
		defer w.Close()
		if stuck != nil {
			<-stuck
		}
		_ = w.SetWriteDeadline(time.Now().Add(patience))
		_, _ = w.Write(data)
		p.mu.Lock()
		defer p.mu.Unlock()
		s.reading = false
	}()
	return p.give(r), nil
}

// give returns a file descriptor for the caller. The connection sends a copy of it later, so ours stays
// open as long as the portal.
func (c *Copying) give(f *os.File) dbus.UnixFD {
	c.files = append(c.files, f)
	return dbus.UnixFD(f.Fd())
}

func (p *Portal) selectionWrite(at dbus.ObjectPath, serial uint32, sender dbus.Sender) (dbus.UnixFD, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.enabled("SelectionWrite", at, sender); err != nil {
		return 0, err
	}
	h := p.board.transfer[serial]
	if h == nil || h.owner != at || h.given || h.finished {
		return 0, p.fault(failed, "Tried to write selection %d, which nobody asked for", serial)
	}
	r, w, fail := os.Pipe()
	if fail != nil {
		return 0, dbus.MakeFailedError(fail)
	}
	h.given = true
	go func() { // ends when all copies of w are closed
		defer r.Close()
		b, _ := io.ReadAll(r)
		h.written <- b
	}()
	go func() { // the reply has been sent by then
		select {
		case <-h.done:
		case <-time.After(patience):
		}
		_ = w.Close()
	}()
	return dbus.UnixFD(w.Fd()), nil
}

func (p *Portal) selectionWriteDone(at dbus.ObjectPath, serial uint32, success bool, sender dbus.Sender) *dbus.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.enabled("SelectionWriteDone", at, sender); err != nil {
		return err
	}
	h := p.board.transfer[serial]
	if h == nil || h.owner != at || h.finished || success && !h.given {
		return p.fault(failed, "the transfer %d ends, which nobody began", serial)
	}
	h.finished, h.ok = true, success
	close(h.done)
	return nil
}
