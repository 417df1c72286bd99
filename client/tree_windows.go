package client

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

// errPipe is the system's error for writing to a process that has ended:
// ERROR_NO_DATA, "The pipe is being closed".
const errPipe = syscall.Errno(232)

// keepers is false: a job object does here what a keeper does elsewhere.
const keepers = false

func startKept(context.Context, invocation, [3]*os.File) (*tree, error) {
	return nil, errors.ErrUnsupported
}

// Keep ends the program: Windows has no keepers.
func Keep() { os.Exit(1) }

// A tree is a server's process in a job object, with all that it starts. The
// system ends the job with its last handle, which is goated's: so the tree ends
// with goated, whatever ends it.
type tree struct {
	cmd   *exec.Cmd
	job   windows.Handle
	ended chan exit
	once  sync.Once

	sandbox sandbox.Status // nothing, so far
	env     []string       // what that added to its environment
	refused refused        // nothing, so far
}

// startTree starts a process in a job of its own. It is put there before it
// runs, so that nothing it starts is outside.
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
	t := &tree{cmd: cmd, job: job, ended: make(chan exit, 1)}
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
		_ = cmd.Wait() // the state has it
		t.ended <- exit{code: cmd.ProcessState.ExitCode()}
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

// resume lets the one thread of a suspended process run.
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

// wait returns how the server ended. It is called once.
func (t *tree) wait() exit { return <-t.ended }

// terminate does nothing: Windows has no SIGTERM, and a server that does not
// heed the end of its input is killed.
func (t *tree) terminate() {}

// kill ends the tree. It may be called several times.
func (t *tree) kill() {
	t.once.Do(func() {
		_ = windows.TerminateJobObject(t.job, 1)
		_ = windows.CloseHandle(t.job)
	})
}

// release does nothing: kill has waited for nobody, and nobody is left.
func (t *tree) release() {}
