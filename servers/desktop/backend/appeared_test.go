package backend_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"goated/servers/desktop/apps"
	pb "goated/servers/desktop/macosusesdk"
)

// The X server keeps the window of a program that ended for a moment. Whoever opens the application
// then gets a new window, unless the window stays. A program in a container has a window that stays
// and a PID that does not run here.
func TestTheWindowOfAnEndedProgramIsNotOpened(t *testing.T) {
	desk.Need(t, "xterm", "xprop")
	d := desk.Open(t, nil)
	b := open(t, nil)
	opened := func() int {
		t.Helper()
		o, err := b.OpenApplication(soon(t), &pb.OpenApplicationRequest{Id: "xterm"})
		return int(result(t, b, o, err, new(pb.OpenApplicationResponse)).GetApplication().GetPid())
	}
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	w := desk.Terminal(t, d, "of an ended program")
	desk.Output(t, "xprop", "-id", fmt.Sprint(w.ID), "-f", "_NET_WM_PID", "32c", "-set", "_NET_WM_PID", fmt.Sprint(ended.Process.Pid))
	if pid := opened(); pid != ended.Process.Pid {
		t.Errorf("the window stays, but opening its application starts %d", pid)
	}
	kill := func(pid int) {
		if p, err := os.FindProcess(pid); err != nil || p.Kill() != nil {
			t.Errorf("the process %d does not run", pid)
		}
	}
	time.AfterFunc(300*time.Millisecond, func() { kill(w.PID) })
	pid := opened()
	if !apps.Running(pid) {
		t.Fatalf("opened the ended process %d", pid)
	}
	kill(pid)
}
