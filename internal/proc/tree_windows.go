package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"goated/internal/sandbox"
)

// ErrPipe is the system's error for a write to a pipe that has no reader: ERROR_NO_DATA, "The pipe
// is being closed".
const ErrPipe = syscall.Errno(232)

// HasKeepers is false on Windows, because a job object replaces the keeper.
const HasKeepers = false

func startKept(context.Context, Command, [3]*os.File) (*tree, error) {
	return nil, errors.ErrUnsupported
}

// Keep exits: Windows has no keepers.
func Keep() { os.Exit(1) }

// A tree is a process with its descendants, in a job object. The system ends the job when its last
// handle closes. Only goated has a handle, so the tree ends with goated, even if goated is killed.
type tree struct {
	cmd   *exec.Cmd
	job   windows.Handle
	ended chan Exit
	once  sync.Once

	sandbox sandbox.Status // always zero: Windows has no sandbox yet
	env     []string       // the variables that the sandbox added
	refused refused        // always zero: Windows has no sandbox yet
}

// startTree starts a process in a new job. The process enters the job before it runs, so no
// descendant is outside the job.
func startTree(cmd *exec.Cmd, _ *sandbox.Policy) (*tree, error) {
	job, err := newJob()
	if err != nil {
		return nil, fmt.Errorf("making a job object: %w", err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.CREATE_SUSPENDED,
	}
	if err := cmd.Start(); err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	t := &tree{cmd: cmd, job: job, ended: make(chan Exit, 1)}
	if err := assign(job, uint32(cmd.Process.Pid)); err == nil {
		err = resume(uint32(cmd.Process.Pid))
	} else {
		err = fmt.Errorf("putting the server into a job object: %w", err)
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = windows.CloseHandle(job)
		return nil, err
	}
	go func() { // ends with the process
		_ = cmd.Wait() // ProcessState has the result
		t.ended <- Exit{Code: cmd.ProcessState.ExitCode()}
	}()
	return t, nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := jobLimits()
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

func jobLimits() windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION {
	return windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: jobFlags()},
	}
}

func assign(job windows.Handle, pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

// resume resumes the only thread of a suspended process.
func resume(pid uint32) error {
	threads, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("listing threads: %w", err)
	}
	defer windows.CloseHandle(threads)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(threads, &entry); err == nil; err = windows.Thread32Next(threads, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return fmt.Errorf("opening the server's thread: %w", err)
		}
		_, err = windows.ResumeThread(thread)
		_ = windows.CloseHandle(thread)
		return err
	}
	return fmt.Errorf("finding the server's thread: %w", err)
}

// wait waits for the process to exit. It is called once.
func (t *tree) wait() Exit { return <-t.ended }

// terminate does nothing, because Windows has no SIGTERM. A server that does not exit when its
// input ends is killed.
func (t *tree) terminate() {}

// kill kills the tree. It may be called several times.
func (t *tree) kill() {
	t.once.Do(func() {
		_ = windows.TerminateJobObject(t.job, 1)
		_ = windows.CloseHandle(t.job)
	})
}

// release does nothing: there is no keeper to wait for.
func (t *tree) release() {}
