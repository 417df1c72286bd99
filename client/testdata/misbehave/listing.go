package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// paged returns the name of the tool on a page.
func paged() string {
	if lists <= 2 {
		return []string{"one", "stat"}[lists-1]
	}
	return "t" + strconv.Itoa(lists)
}

var listing = map[string]func(message){
	"circles":   func(m message) { result(m.ID, `{"tools":[],"nextCursor":"again"}`) },
	"pages":     func(m message) { result(m.ID, fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, lists)) },
	"manypages": func(m message) { result(m.ID, fmt.Sprintf(`{"tools":[%s],"nextCursor":"%d"}`, tool(paged()), lists)) },
	"monster": func(m message) {
		all := []string{tool("one"), tool("stat")}
		for i := range 10000 {
			all = append(all, tool("t"+strconv.Itoa(i)))
		}
		result(m.ID, `{"tools":[`+strings.Join(all, ",")+`]}`)
	},
	"fatpages": func(m message) {
		result(m.ID, fmt.Sprintf(`{"tools":[{"name":%q,"description":%q,"inputSchema":{"type":"object"}}],"nextCursor":"%d"}`, paged(), fill(300<<10), lists))
	},
	"looping": func(m message) { // it exits soon after its first list
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
	"listless": func(m message) { // its second list fails
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
	"cyclic": func(m message) { // an output schema that refers to itself
		result(m.ID, `{"tools":[{"name":"one","inputSchema":{"type":"object"},"outputSchema":{"$ref":"#"}},`+tool("stat")+`]}`)
	},
	"schema": func(m message) {
		result(m.ID, `{"tools":[{"name":"one","inputSchema":{"type":"object","$ref":"http://127.0.0.1:`+extra+`/schema","properties":{"a":{"$ref":"#/properties/a"},"b":{"type":"string","pattern":"(a+)+$"}}}},`+tool("stat")+`]}`)
	},
}
