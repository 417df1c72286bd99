package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// beginnings are the faults that happen before the first message.
var beginnings = map[string]func(){
	"junk":     func() { send("starting up...\n\n[DEBUG] hello {") },
	"crlf":     func() { eol = "\r\n" },
	"oldbatch": func() { version = "2025-03-26" },
	"exit0":    func() { os.Exit(0) },
	"exit1": func() {
		for i := range 30 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
		fmt.Fprintln(os.Stderr, "it is broken")
		os.Exit(1)
	},
	"crash": func() { // raised in another program, because Go turns the signal into an exit
		_ = syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -SEGV $$"}, nil)
	},
	"oom":             func() { syscall.Kill(os.Getpid(), syscall.SIGKILL); forever(message{}) },
	"banner":          noise,
	"early":           func() { result(json.RawMessage("4"), text("too early")) },
	"ignores-sigterm": func() { signal.Ignore(syscall.SIGTERM) },
	"listfirst": func() {
		for range 1000 {
			send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}
	},
	"family": family,
	"child":  func() { time.Sleep(time.Hour) },
	"daemon": func() { // a grandchild in a separate session, whose parent has exited
		cmd := exec.Command(os.Args[0], "child", extra)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		_ = cmd.Start()
		os.Exit(0)
	},
	"bomb": bomb,
	"spark": func() {
		for range 150 { // bounded, so that a failing test does no harm
			_ = exec.Command(os.Args[0], "child", extra).Start()
			time.Sleep(time.Millisecond)
		}
		forever(message{})
	},
}

// family starts three processes: a child that holds the pipes, one in a separate session, and a
// daemon.
func family() {
	child := exec.Command(os.Args[0], "child", extra)
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	_ = child.Start()
	apart := exec.Command(os.Args[0], "child", extra)
	apart.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	_ = apart.Start()
	_ = exec.Command(os.Args[0], "daemon", extra).Run()
}

// bomb starts processes that start more processes, up to a few hundred.
func bomb() {
	signal.Ignore(syscall.SIGTERM)
	for range 3 {
		_ = exec.Command(os.Args[0], "spark", extra).Start()
	}
}

// afterEOF are the modes that keep running at the end of stdin.
var afterEOF = map[string]func(){
	"ignores-sigterm": func() { forever(message{}) },
	"family":          func() { forever(message{}) },
	"bomb":            func() { forever(message{}) },
	"unread":          func() { forever(message{}) },
}
