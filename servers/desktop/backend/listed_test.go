package backend

import (
	"os"
	"os/exec"
	"testing"

	pb "goated/servers/desktop/macosusesdk"
)

// After an application is removed from the list and ends, another application may get its PID. That
// one is on the list.
func TestAnEndedApplicationIsHiddenNoMore(t *testing.T) {
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	pid := ended.Process.Pid
	a := &applicationService{hidden: map[int]bool{pid: true, os.Getpid(): true}}
	list := a.listed([]*pb.Application{{Pid: int32(pid)}, {Pid: int32(os.Getpid())}})
	if len(list) != 1 || int(list[0].GetPid()) != pid || len(a.hidden) != 1 {
		t.Errorf("listed %v, hidden %v", list, a.hidden)
	}
}
