// Command misbehave is an MCP server without an SDK that does one thing wrong,
// which its first argument names. With none, it does everything right.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		RequestID json.RawMessage `json:"requestId"`
		Arguments map[string]any  `json:"arguments"`
		Meta      struct {
			Token any `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

var (
	mode, extra string
	out         = bufio.NewWriterSize(os.Stdout, 1<<16)
	in          = bufio.NewReaderSize(os.Stdin, 1<<20)
	calls       int
	cancels     int
	lists       int
	reshaping   json.RawMessage // the call that waits for the list
	waiting     json.RawMessage // the call that waits for something else
	version     = "2025-06-18"
	eol         = "\n"
)

func main() {
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	if len(os.Args) > 2 {
		extra = os.Args[2]
	}
	if begin, ok := beginnings[mode]; ok {
		begin()
	}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if after, ok := afterEOF[mode]; ok {
				after()
			}
			return
		}
		var m message
		if json.Unmarshal(line, &m) == nil {
			handle(m)
		}
		out.Flush()
	}
}

func raw(text string) { out.WriteString(text); out.Flush() }

func send(text string) { raw(text + eol) }

func result(id json.RawMessage, body string) {
	send(`{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + body + `}`)
}

func text(s string) string {
	b, _ := json.Marshal(s)
	return `{"content":[{"type":"text","text":` + string(b) + `}]}`
}

func fail(id json.RawMessage, code int, why string) {
	send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, why))
}

func tool(name string) string {
	return fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`, name, name)
}

func handle(m message) {
	switch m.Method {
	case "server/discover":
		if special, ok := discover[mode]; ok {
			special(m)
			return
		}
		fail(m.ID, -32601, "Method not found")
	case "initialize":
		if special, ok := initialize[mode]; ok {
			special(m)
			return
		}
		result(m.ID, `{"protocolVersion":"`+version+`","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"misbehave","version":"1"}}`)
	case "tools/list":
		lists++
		if special, ok := listing[mode]; ok {
			special(m)
			return
		}
		result(m.ID, `{"tools":[`+tool("one")+`,`+tool("stat")+`]}`)
	case "tools/call":
		calls++
		if m.Params.Name == "stat" && mode == "fickle" {
			result(m.ID, text(tally()))
			return
		}
		if m.Params.Name == "stat" {
			result(m.ID, text(fmt.Sprintf("calls=%d cancels=%d lists=%d", calls, cancels, lists)))
			return
		}
		if special, ok := call[mode]; ok {
			special(m)
			return
		}
		result(m.ID, text("done"))
	case "notifications/cancelled":
		cancels++
		id := string(m.Params.RequestID)
		if _, known := fates[id]; mode == "fickle" && !known {
			astray++
		}
		told[id]++
		if mode == "fickle" && cancels%2 == 0 {
			result(m.Params.RequestID, text("too late"))
		}
	}
}

// What becomes of calls that may be cancelled: by their ids, whether they were
// answered, and how often they were cancelled.
var (
	fates          = make(map[string]bool)
	told           = make(map[string]int)
	reused, astray int
)

// fickle answers some calls, and lets others lie until they are cancelled.
func fickle(m message) {
	id := string(m.ID)
	if _, known := fates[id]; known {
		reused++
	}
	fates[id] = rand.IntN(2) == 0
	if fates[id] {
		result(m.ID, text("done"))
	}
}

func tally() string {
	lying, never, twice := 0, 0, 0
	for id, answered := range fates {
		if !answered {
			lying++
			if told[id] == 0 {
				never++
			}
		}
		if told[id] > 1 {
			twice++
		}
	}
	return fmt.Sprintf("calls=%d lying=%d cancels=%d never=%d twice=%d astray=%d reused=%d", len(fates), lying, cancels, never, twice, astray, reused)
}

// number is the second argument.
func number(otherwise int) int {
	if n, err := strconv.Atoi(extra); err == nil {
		return n
	}
	return otherwise
}

func forever(m message) {
	for {
		time.Sleep(time.Hour)
	}
}

func fill(n int) string { return strings.Repeat("x", n) }

var discover = map[string]func(message){
	"silent": func(message) {},
	"exits":  func(message) { fmt.Fprintln(os.Stderr, "unknown request"); os.Exit(2) },
	"hang":   forever,
	"slowmodern": func(m message) {
		time.Sleep(3500 * time.Millisecond)
		modern(m)
	},
	"modern": modern,
}

func modern(m message) {
	result(m.ID, `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"misbehave","version":"1"},"ttlMs":0,"cacheScope":"private","resultType":"complete"}`)
}

var initialize = map[string]func(message){
	"hang":       forever,
	"utf16":      func(m message) { utf16(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{}}`) },
	"slowmodern": func(m message) { fail(m.ID, -32600, "initialize is not accepted") },
	"refuses":    func(m message) { fail(m.ID, -32000, "not today") },
	"drip":       func(m message) { drip(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{}}`) },
	"wrongmail":  func(m message) { send(`{"jsonrpc":"2.0","id":"` + string(m.ID) + `","result":{}}`) },
}

func utf16(s string) {
	for _, b := range []byte(s + "\n") {
		out.Write([]byte{b, 0})
	}
	out.Flush()
}

func drip(s string) {
	for _, b := range []byte(s) {
		raw(string([]byte{b}))
		time.Sleep(time.Second)
	}
}

var listing = map[string]func(message){
	"circles": func(m message) { result(m.ID, `{"tools":[],"nextCursor":"again"}`) },
	"pages":   func(m message) { result(m.ID, fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, lists)) },
	"monster": func(m message) {
		var all []string
		for i := range 10000 {
			all = append(all, tool("t"+strconv.Itoa(i)))
		}
		result(m.ID, `{"tools":[`+strings.Join(all, ",")+`]}`)
	},
	"fatpages": func(m message) {
		result(m.ID, fmt.Sprintf(`{"tools":[{"name":"t%d","description":%q,"inputSchema":{"type":"object"}}],"nextCursor":"%d"}`, lists, fill(300<<10), lists))
	},
	"looping": func(m message) { // it is connected with this, and ends soon after
		result(m.ID, `{"tools":[`+tool("one")+`,`+tool("stat")+`]}`)
		go func() {
			time.Sleep(20 * time.Millisecond)
			for i := range 31 {
				fmt.Fprintln(os.Stderr, "trying", i)
			}
			fmt.Fprintln(os.Stderr, "not again")
			os.Exit(9)
		}()
	},
	"bigmeanwhile": func(m message) {
		tools := `{"tools":[` + tool("one") + `,` + tool("stat")
		if waiting != nil {
			send(`{"jsonrpc":"2.0","id":` + string(waiting) + `,"result":` + text(fill(number(1<<20))) + `}`)
			tools += `,` + tool("new")
		}
		result(m.ID, tools+`]}`)
	},
	"listless": func(m message) { // the second time
		switch lists {
		case 1:
			result(m.ID, `{"tools":[`+tool("one")+`,`+tool("stat")+`]}`)
		case 2:
			fail(m.ID, -32603, "busy")
		default:
			result(m.ID, `{"tools":[`+tool("one")+`,`+tool("stat")+`,`+tool("new")+`]}`)
		}
	},
	"duplicates": func(m message) { result(m.ID, `{"tools":[`+tool("one")+`,`+tool("one")+`,`+tool("stat")+`]}`) },
	"relist": func(m message) {
		result(m.ID, `{"tools":[`+tool("one")+`,`+tool("stat")+`]}`)
		send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	},
	"reshape": func(m message) {
		if reshaping == nil {
			result(m.ID, `{"tools":[`+tool("one")+`,`+tool("two")+`,`+tool("stat")+`]}`)
			return
		}
		result(m.ID, `{"tools":[{"name":"one","description":"other","inputSchema":{"type":"object","required":["b"],"properties":{"b":{"type":"number"}}}},`+tool("stat")+`]}`)
		if string(reshaping) != "null" {
			result(reshaping, text("done"))
			reshaping = json.RawMessage("null")
		}
	},
	"schema": func(m message) {
		result(m.ID, `{"tools":[{"name":"one","inputSchema":{"type":"object","$ref":"http://127.0.0.1:`+extra+`/schema","properties":{"a":{"$ref":"#/properties/a"},"b":{"type":"string","pattern":"(a+)+$"}}}},`+tool("stat")+`]}`)
	},
}

var call = map[string]func(message){
	"reshape": func(m message) { // answered once the new list was fetched
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
	"bigmeanwhile": func(m message) { // a change, and a big answer before its list
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
	"modern": func(m message) {
		send(`{"jsonrpc":"2.0","id":"q","method":"ping"}`)
		answer, _ := in.ReadString('\n')
		b, _ := json.Marshal(answer)
		send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"resultType":"complete","content":[{"type":"text","text":` + string(b) + `}]}}`)
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
	"boom": func(m message) { // 3,000 processes, unless something stops it
		cmd := exec.Command("/bin/sh", "-c", `f() { if [ $1 -gt 0 ]; then f $(($1-1)) & f $(($1-1)) & wait; else sleep $0 & wait; fi; }; f 10`, extra)
		cmd.Stderr = os.Stderr
		_ = cmd.Start()
		result(m.ID, text("done"))
	},
	"unread": forever,
	"busy": func(m message) {
		if n, ok := m.Params.Arguments["busy"].(float64); ok {
			time.Sleep(time.Duration(n * float64(time.Second)))
		}
		result(m.ID, text("done"))
	},
	"mute":   func(message) { out.Flush(); os.Stdout.Close(); forever(message{}) },
	"deafen": func(m message) { os.Stdin.Close(); result(m.ID, text("done")); forever(m) },
	"deaflate": func(m message) {
		os.Stdin.Close()
		time.Sleep(300 * time.Millisecond)
		result(m.ID, text("done"))
		os.Exit(0)
	},
	"deafidle": func(m message) {
		result(m.ID, text("done"))
		time.Sleep(100 * time.Millisecond)
		os.Stdin.Close()
		forever(m)
	},
	"stderr": func(m message) { stderr(number(64) << 20); result(m.ID, text("done")) },
	"blank":  func(m message) { raw(strings.Repeat("\n", number(1000000))); result(m.ID, text("done")) },
	"die":    func(message) { fmt.Fprintln(os.Stderr, "last words"); os.Exit(7) },
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

func sized(m message) {
	head, tail := `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"content":[{"type":"text","text":"`, `"}]}}`
	want := number(1 << 20)
	if n, ok := m.Params.Arguments["size"].(float64); ok {
		want = int(n)
	}
	send(head + fill(want-len(head)-len(tail)) + tail)
}

func split(s string) {
	for _, b := range []byte(s) {
		os.Stdout.Write([]byte{b})
		time.Sleep(time.Millisecond)
	}
}

func noise() {
	for {
		if _, err := os.Stdout.WriteString("I am not a message\n"); err != nil {
			os.Exit(1)
		}
	}
}

// flood writes the same without end.
func flood(text string) {
	block := []byte(strings.Repeat(text, 1<<16/len(text)+1))
	for {
		if _, err := os.Stdout.Write(block); err != nil {
			os.Exit(1)
		}
	}
}

func stderr(n int) {
	block := []byte(fill(1<<16-1) + "\n")
	for ; n > 0; n -= len(block) {
		os.Stderr.Write(block)
	}
}

func progress(m message) {
	token, _ := json.Marshal(m.Params.Meta.Token)
	for i := range number(1000000) {
		fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`+"\n", token, i+1)
	}
	result(m.ID, text("done"))
}

// beginnings are what goes wrong before the first message.
var beginnings = map[string]func(){
	"junk":     func() { send("starting up...\n\n[DEBUG] hello {") },
	"crlf":     func() { eol = "\r\n" },
	"oldbatch": func() { version = "2025-03-26" },
	"exit0":    func() { os.Exit(0) },
	"exit1":    func() { fmt.Fprintln(os.Stderr, strings.Repeat("line\n", 30)+"it is broken"); os.Exit(1) },
	"crash": func() { // not of Go, which makes an exit of it
		_ = syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -SEGV $$"}, nil)
	},
	"oom":    func() { syscall.Kill(os.Getpid(), syscall.SIGKILL); forever(message{}) },
	"banner": noise,
	"early":  func() { result(json.RawMessage("4"), text("too early")) },
	"deaf":   func() { signal.Ignore(syscall.SIGTERM) },
	"listfirst": func() {
		for range 1000 {
			send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}
	},
	"family": family,
	"child":  func() { time.Sleep(time.Hour) },
	"daemon": func() { // a daemon by the book: a grandchild in a session of its own, whose parent is gone
		cmd := exec.Command(os.Args[0], "child", extra)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		_ = cmd.Start()
		os.Exit(0)
	},
	"bomb": bomb,
	"spark": func() {
		for range 150 { // bounded, so that a test that fails does no harm
			_ = exec.Command(os.Args[0], "child", extra).Start()
			time.Sleep(time.Millisecond)
		}
		forever(message{})
	},
}

// family starts a child that holds the pipes, one in a session of its own, and a
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

// bomb starts processes that start processes, up to a few hundred.
func bomb() {
	signal.Ignore(syscall.SIGTERM)
	for range 3 {
		_ = exec.Command(os.Args[0], "spark", extra).Start()
	}
}

// afterEOF are those that do not heed the end of their input.
var afterEOF = map[string]func(){
	"deaf":   func() { forever(message{}) },
	"family": func() { forever(message{}) },
	"bomb":   func() { forever(message{}) },
	"unread": func() { forever(message{}) },
}
