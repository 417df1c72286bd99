package backend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/fault"
	"goated/servers/desktop/inputaction"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/remark"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/userpath"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/drop"
	"goated/servers/desktop/x11/input"
)

// A fileDialogService answers file dialogs. It types the whole path, which GTK and Qt dialogs
// accept at once.
type fileDialogService struct {
	c        *core
	inputs   *inputService
	elements *elementService
}

// wholePath is the reason why a dialog needs no other field.
const wholePath = "the dialog gets the whole file_path"

// dialogTimeout is how long a dialog may take to open and to close.
const dialogTimeout = 10 * time.Second

// AutomateOpenFileDialog selects a file in the open dialog of an application.
func (p *fileDialogService) AutomateOpenFileDialog(ctx context.Context, r *pb.AutomateOpenFileDialogRequest) (*pb.AutomateOpenFileDialogResponse, error) {
	path := r.GetFilePath()
	if path == "" {
		return nil, fault.Invalid("the file_path is missing")
	}
	if err := userpath.Check(path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, status.Errorf(codes.FailedPrecondition, "the file %q cannot be opened: %v", path, err)
	}
	if err := p.answer(ctx, "AutomateOpenFileDialog", r, r.GetApplication(), path, r.GetTimeout(), false, false); err != nil {
		return nil, err
	}
	remark.Unused(ctx, r, wholePath, "default_directory", "file_filters", "allow_multiple")
	return &pb.AutomateOpenFileDialogResponse{Success: true, SelectedPaths: []string{path}}, nil
}

// AutomateSaveFileDialog enters a file name in the save dialog of an application. It replaces an
// existing file only if the caller allows it.
func (p *fileDialogService) AutomateSaveFileDialog(ctx context.Context, r *pb.AutomateSaveFileDialogRequest) (*pb.AutomateSaveFileDialogResponse, error) {
	path := r.GetFilePath()
	if err := userpath.Check(path); err != nil {
		return nil, err
	}
	there, err := userpath.Exists(path)
	if !r.GetConfirmOverwrite() {
		switch {
		case err != nil:
			return nil, err
		case there:
			return nil, status.Errorf(codes.FailedPrecondition, "the file %q exists; set confirm_overwrite to replace it, or choose another name", path)
		}
	}
	if err := p.answer(ctx, "AutomateSaveFileDialog", r, r.GetApplication(), path, r.GetTimeout(), true, there); err != nil {
		return nil, err
	}
	remark.Unused(ctx, r, wholePath, "default_directory", "default_filename")
	return &pb.AutomateSaveFileDialogResponse{Success: true, SavedPath: path}, nil
}

// answer waits until an application's dialog is open, types a path into it, and waits until it
// closes. replaces allows the application to replace a file.
func (p *fileDialogService) answer(ctx context.Context, method string, r proto.Message, application, path string, timeout float64, save, replaces bool) error {
	s, err := p.c.screen()
	if err != nil {
		return err
	}
	pid, err := resourcename.ParseApplication(application)
	if err != nil {
		return err
	}
	limit, err := inputaction.Seconds("a timeout", timeout)
	if err != nil {
		return err
	}
	if limit == 0 {
		limit = dialogTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, status.Errorf(codes.DeadlineExceeded, "%s showed no file dialog that closed within %v", application, limit))
	defer cancel()
	return p.c.act(ctx, action{method: method, request: r, target: "the file dialog of " + application}, func(ctx context.Context) (string, error) {
		dialog, err := p.dialog(ctx, s, pid)
		if err != nil {
			return "", err
		}
		if dialog, err = s.desktop.Activate(ctx, dialog.ID); err != nil {
			return "", err
		}
		p.c.ready(ctx, s, pid)
		ctx = withExpectedPID(ctx, pid)
		if save { // select the name that the program suggests, so that the path replaces it
			if err := s.input.Key(ctx, "a", 0, input.Control); err != nil {
				return "", err
			}
		}
		var known []uint32
		before, err := s.dialogs(pid)
		if err != nil {
			return "", err
		}
		for _, w := range before {
			known = append(known, w.ID)
		}
		// GTK opens an entry for the path at its first character. It loses any that arrive too early.
		for _, part := range []string{path[:1], path[1:]} {
			if err := s.input.Type(ctx, part, 0); err != nil {
				return "", err
			}
			s.waitIdle(ctx, pid)
		}
		if err := s.input.Key(ctx, "Return", 0); err != nil {
			return "", err
		}
		err = p.waitClosed(ctx, s, dialog, known, replaces)
		if err != nil {
			return "", fmt.Errorf("the dialog %q did not close: %w", dialog.Title, err)
		}
		return "the dialog closed", nil
	})
}

// dialog waits for an application's dialog.
func (p *fileDialogService) dialog(ctx context.Context, s *screen, pid int) (found x11.Window, err error) {
	err = s.desktop.Await(ctx, func() (bool, error) {
		all, err := s.dialogs(pid)
		if len(all) > 0 {
			found = all[0]
		}
		return len(all) > 0, err
	})
	return found, err
}

// SelectDirectory checks that a folder exists, and creates it if the caller requests that. Linux
// has no Finder whose selection could change.
func (p *fileDialogService) SelectDirectory(ctx context.Context, r *pb.SelectDirectoryRequest) (*pb.SelectDirectoryResponse, error) {
	path := r.GetDirectoryPath()
	if err := userpath.Check(path); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return nil, status.Errorf(codes.FailedPrecondition, "%q is not a folder", path)
	case err == nil:
		remark.Add(ctx, userpath.Unselected)
		return &pb.SelectDirectoryResponse{Success: true, SelectedPath: path}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, userpath.Unseen(path, err)
	case !r.GetCreateMissing():
		return nil, fault.NotFound("there is no folder %q; set create_missing to make it", path)
	}
	err = p.c.act(ctx, action{method: "SelectDirectory", request: r, target: path}, func(ctx context.Context) (string, error) {
		if p.c.o.Folders != nil {
			return "made", p.c.o.Folders(ctx, path)
		}
		return "made", os.MkdirAll(path, 0o755)
	})
	if err != nil {
		return nil, err
	}
	remark.Add(ctx, userpath.Unselected)
	return &pb.SelectDirectoryResponse{Success: true, SelectedPath: path, Created: true}, nil
}

// SelectFile checks that a file exists.
func (p *fileDialogService) SelectFile(ctx context.Context, r *pb.SelectFileRequest) (*pb.SelectFileResponse, error) {
	path := r.GetFilePath()
	if err := userpath.Check(path); err != nil {
		return nil, err
	}
	if err := userpath.CheckFile(path); err != nil {
		return nil, err
	}
	if r.GetRevealFinder() {
		return nil, status.Error(codes.Unimplemented, "Linux has no Finder; open the folder with open_application")
	}
	remark.Add(ctx, userpath.Unselected)
	return &pb.SelectFileResponse{Success: true, SelectedPath: path}, nil
}

// maxFiles is the maximum number of files in one drag.
const maxFiles = 1000

// DragFiles drops files on an element, like a file manager does.
func (p *fileDialogService) DragFiles(ctx context.Context, r *pb.DragFilesRequest) (*pb.DragFilesResponse, error) {
	if len(r.GetFilePaths()) == 0 || len(r.GetFilePaths()) > maxFiles {
		return nil, fault.Invalid("file_paths has %d files: give 1 to %d", len(r.GetFilePaths()), maxFiles)
	}
	for _, path := range r.GetFilePaths() {
		if err := userpath.Check(path); err != nil {
			return nil, err
		}
		if err := userpath.CheckFile(path); err != nil {
			return nil, err
		}
	}
	d, err := inputaction.Seconds("a duration", r.GetDuration())
	if err != nil {
		return nil, err
	}
	pid, err := resourcename.ParseApplication(r.GetApplication())
	if err != nil {
		return nil, err
	}
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	_, _, e, err := p.elements.chooseOperable(ctx, r.GetApplication(), r.GetTargetElementId(), nil)
	if err != nil {
		return nil, err
	}
	if !e.Placed || e.Bounds.Empty() {
		return nil, status.Errorf(codes.FailedPrecondition, "the element %s has no place on the screen", r.GetTargetElementId())
	}
	at := e.Bounds.Center()
	x, y := int(at.X), int(at.Y)
	err = p.c.act(ctx, action{method: "DragFiles", request: r, target: e.Description()}, func(ctx context.Context) (string, error) {
		ctx = withExpectedPID(ctx, pid)
		if err := s.Press(ctx, x, y); err != nil {
			return "", err
		}
		w, _, err := s.desktop.At(x, y)
		if err != nil {
			return "", err
		}
		return "dropped", drop.Files(ctx, p.c.display(), p.c.o.Authority, drop.Target{Window: w.ID, X: x, Y: y}, r.GetFilePaths(), d, func() error { return s.Drop(ctx, x, y) })
	})
	if err != nil {
		return nil, err
	}
	return &pb.DragFilesResponse{Success: true, FilesDropped: int32(len(r.GetFilePaths()))}, nil
}
