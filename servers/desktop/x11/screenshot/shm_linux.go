package screenshot

import (
	"errors"

	"github.com/jezek/xgb/shm"
	"github.com/jezek/xgb/xproto"
	"golang.org/x/sys/unix"

	"goated/servers/desktop/x11/wire"
)

// A segment is shared memory that the X server writes pictures into. It is allocated on first use, and
// again when a picture needs more memory.
type segment struct {
	memory []byte
	id     shm.Seg
	failed bool // the server is on another machine or in another namespace
}

var errNoSegment = errors.New("no shared memory")

// grab reads a rectangle. The result is valid until the next call.
func (s *segment) grab(c *wire.Conn, from xproto.Drawable, x, y, w, h int) ([]byte, error) {
	size := 4 * w * h
	if s.failed || !c.Has("MIT-SHM") {
		return nil, errNoSegment
	}
	if len(s.memory) < size {
		s.free(c)
		if err := s.make(c, size); err != nil {
			s.failed = true
			return nil, err
		}
	}
	if _, err := shm.GetImage(c.X, from, int16(x), int16(y), uint16(w), uint16(h), ^uint32(0), xproto.ImageFormatZPixmap, s.id, 0).Reply(); err != nil {
		return nil, err
	}
	return s.memory[:size], nil
}

func (s *segment) make(c *wire.Conn, size int) error {
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, size, unix.IPC_CREAT|0o600)
	if err != nil {
		return err
	}
	// Because the segment is marked for removal at once, it disappears with the last process that uses
	// it.
	defer func() { _, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil) }()
	memory, err := unix.SysvShmAttach(id, 0, 0)
	if err != nil {
		return err
	}
	seg, err := shm.NewSegId(c.X)
	if err == nil {
		err = shm.AttachChecked(c.X, seg, uint32(id), false).Check()
	}
	if err != nil {
		_ = unix.SysvShmDetach(memory)
		return err
	}
	s.memory, s.id = memory, seg
	return nil
}

// free releases the memory.
func (s *segment) free(c *wire.Conn) {
	if s.memory == nil {
		return
	}
	_ = shm.DetachChecked(c.X, s.id).Check()
	_ = unix.SysvShmDetach(s.memory)
	s.memory = nil
}
