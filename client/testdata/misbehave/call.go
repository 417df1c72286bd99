package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

var call = map[string]func(message){
	"reshape": func(m message) { // answered after the new list was fetched
		reshaping = m.ID
		send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	},
	"junk":  func(m message) { send("calling..."); result(m.ID, text("done")) },
	"noise": func(message) { noise() },
	"crlf":  func(m message) { raw("\ufeff"); result(m.ID, text("done")) },
	"eof": func(m message) {
		raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + text("done") + `}`)
		os.Exit(0)
	},
	"split": func(m message) {
		split(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + text("dön€") + "}\n")
	},
	"size": sized,
	"sizeend": func(m message) {
		send(`{"result":` + text(fill(number(1<<20))) + `,"jsonrpc":"2.0","id":` + string(m.ID) + `}`)
	},
	"last": func(m message) {
		sized(m)
		os.Exit(0)
	},
	"latehuge": func(m message) {
		if waiting == nil {
			waiting = m.ID
			return
		}
		send(`{"jsonrpc":"2.0","id":` + string(waiting) + `,"result":` + text(fill(number(1<<20))) + `}`)
		time.Sleep(300 * time.Millisecond)
		result(m.ID, text("done"))
	},
	"twiceend": func(m message) {
		send(`{"result":{"content":[],"content":[]},"jsonrpc":"2.0","id":` + string(m.ID) + `}`)
	},
	"deepend": func(m message) {
		send(`{"result":{"content":[],"x":` + strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600) + `},"id":` + string(m.ID) + `}`)
	},
	"fraction": func(m message) {
		send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `.0,"result":` + text("done") + `}`)
	},
	"stopkeeper": func(message) { syscall.Kill(os.Getppid(), syscall.SIGSTOP); forever(message{}) },
	"askdie": func(message) {
		send(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`)
		time.Sleep(200 * time.Millisecond)
		os.Exit(3)
	},
	"bigmeanwhile": func(m message) { // the new list arrives after a large answer
		waiting = m.ID
		send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	},
	"listless": func(m message) {
		send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		result(m.ID, text("done"))
	},
	"sizeless": func(m message) {
		send(`{"x":"` + fill(number(1<<20)) + `"}`)
	},
	"endless": func(message) {
		block := []byte(fill(1 << 20))
		raw(`{"jsonrpc":"2.0","id":`)
		for {
			if _, err := os.Stdout.Write(block); err != nil {
				os.Exit(1)
			}
		}
	},
	"deep": func(m message) {
		n := number(200000)
		result(m.ID, `{"content":[],"structuredContent":`+strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n)+`}`)
	},
	"twice":   func(m message) { result(m.ID, `{"content":[],"content":[{"type":"text","text":"evil"}]}`) },
	"escaped": func(m message) { result(m.ID, `{"content":[],"c\u006fntent":[{"type":"text","text":"evil"}]}`) },
	"variant": func(m message) {
		send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + text("good") + `,"Result":` + text("evil") + `}`)
	},
	"badutf8": func(m message) {
		send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"content":[{"type":"text","text":"a` + "\xff" + `b"}]}}`)
	},
	"neither": func(m message) { send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `}`) },
	"both": func(m message) {
		send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{},"error":{"code":1,"message":"x"}}`)
	},
	"noversion": func(m message) { send(`{"id":` + string(m.ID) + `,"result":` + text("done") + `}`) },
	"badid": func(m message) {
		result(json.RawMessage(`"`+string(m.ID)+`"`), text("evil"))
		result(json.RawMessage("99999"), text("evil"))
		result(m.ID, text("done"))
		result(m.ID, text("evil"))
	},
	"early": func(m message) { result(m.ID, text("done")) },
	"asks": func(m message) {
		send(`{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
		answer, _ := in.ReadString('\n')
		result(m.ID, text(answer))
	},
	"opens": func(m message) {
		send(`{"jsonrpc":"2.0","id":"dev.goated/1","method":"dev.goated/desktop/open","params":{"name":"sh"}}`)
		answer, _ := in.ReadString('\n')
		b, _ := json.Marshal(answer)
		result(m.ID, `{"content":[{"type":"text","text":`+string(b)+`}]}`)
	},
	"modern": func(m message) {
		send(`{"jsonrpc":"2.0","id":"q","method":"ping"}`)
		answer, _ := in.ReadString('\n')
		b, _ := json.Marshal(answer)
		send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"resultType":"complete","content":[{"type":"text","text":` + string(b) + `}]}}`)
	},
	"postpones": func(m message) { // extra is the list of questions
		switch m.Params.State {
		case "":
			result(m.ID, `{"resultType":"input_required","requestState":"a"`+extra+`}`)
		case "a":
			result(m.ID, `{"resultType":"input_required","requestState":"b"`+extra+`}`)
		default:
			result(m.ID, `{"resultType":"complete","content":[{"type":"text","text":"done"}]}`)
		}
	},
	"cyclic": func(m message) {
		result(m.ID, `{"content":[{"type":"text","text":"done"}],"structuredContent":{"a":1}}`)
	},
	"cyclicform": func(m message) { // extra is the name of the schema's member
		send(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","` + extra + `":{"type":"object","allOf":[{"$ref":"#"}]}}}`)
		answer, _ := in.ReadString('\n')
		result(m.ID, text(answer))
	},
	"interrogates": func(message) {
		for i := range 1000 {
			send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`, i))
		}
	},
	"repeats": func(m message) {
		for range 100 {
			send(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`)
		}
		answer, _ := in.ReadString('\n')
		result(m.ID, text(answer))
	},
	"batch": func(m message) {
		send(`[{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + text("batched") + `}]`)
		time.Sleep(50 * time.Millisecond)
		result(m.ID, text("single"))
	},
	"oldbatch": func(m message) {
		send(`[{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + text("batched") + `}]`)
	},
	"slow":     func(m message) { drip(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{}}`) },
	"hangcall": func(message) {},
	"fickle":   fickle,
	"boom": func(m message) { // 3,000 processes, unless a limit stops it
		cmd := exec.Command("/bin/sh", "-c", `f() { if [ $1 -gt 0 ]; then f $(($1-1)) & f $(($1-1)) & wait; else sleep $0 & wait; fi; }; f 10`, extra)
		cmd.Stderr = os.Stderr
		_ = cmd.Start()
		result(m.ID, text("done"))
	},
	"unread": forever,
	"busy": func(m message) {
		if n, ok := m.Params.Arguments["busy"].(float64); ok {
			fmt.Fprintln(os.Stderr, "busy") // the test waits for this line
			time.Sleep(time.Duration(n * float64(time.Second)))
		}
		result(m.ID, text("done"))
	},
	"closes-stdout": func(message) { out.Flush(); os.Stdout.Close(); forever(message{}) },
	"closes-stdin":  func(m message) { os.Stdin.Close(); result(m.ID, text("done")); forever(m) },
	"closes-stdin-answers-later": func(m message) {
		os.Stdin.Close()
		time.Sleep(300 * time.Millisecond)
		result(m.ID, text("done"))
		os.Exit(0)
	},
	"closes-stdin-when-idle": func(m message) {
		result(m.ID, text("done"))
		time.Sleep(100 * time.Millisecond)
		os.Stdin.Close()
		forever(m)
	},
	"stderr": func(m message) { stderr(number(64) << 20); result(m.ID, text("done")) },
	"blank":  func(m message) { raw(strings.Repeat("\n", number(1000000))); result(m.ID, text("done")) },
	"die":    func(message) { fmt.Fprintln(os.Stderr, "last words"); os.Exit(7) },
	"panic":  func(message) { panic("boom") },
	"segv":   func(message) { syscall.Kill(os.Getpid(), syscall.SIGSEGV); forever(message{}) },
	"stop":   func(message) { syscall.Kill(os.Getpid(), syscall.SIGSTOP) },
	"storm": func(m message) {
		for range number(200000) {
			out.WriteString(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n")
		}
		result(m.ID, text("done"))
	},
	"flood":     func(message) { flood(strings.ReplaceAll(extra, "|", "\n") + "\n") },
	"progress":  progress,
	"listfirst": func(m message) { result(m.ID, text("done")) },
	"image": func(m message) {
		result(m.ID, `{"content":[{"type":"image","mimeType":"image/png","data":"%%% not base64 %%%"}]}`)
	},
	"unknown": func(m message) { result(m.ID, `{"content":[{"type":"hologram","data":1}]}`) },
}
