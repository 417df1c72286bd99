package answers

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/jsonscan"
	"goated/internal/lazyregexp"
	"goated/internal/truncate"
)

// Apply checks the result of a response to a method. It replaces the result with the checked one,
// or with an error. The notes list what it left out. [ForSDK] converts an error of the server.
func Apply(method string, r *jsonrpc.Response) (notes []string) {
	if r.Error != nil || len(r.Result) == 0 {
		r.Error = ForSDK(r.Error)
		return nil
	}
	checked, err := Check(method, r.Result)
	if err != nil {
		r.Result, r.Error = nil, Unusable(err)
		return nil
	}
	r.Result = checked.Result
	return checked.Notes
}

// A Checked is the result of a request in a form that the SDK can decode.
type Checked struct {
	Result []byte
	Notes  []string // what Check left out, and why
}

// Check checks a JSON result of a method before the SDK decodes it. It leaves out members of a tool
// that violate MCP, so that the other tools work. The error describes how the result as a whole
// violates MCP.
func Check(method string, result []byte) (Checked, error) {
	switch method {
	case "tools/call":
		return Checked{Result: WithContent(result)}, CheckResult(result)
	case "prompts/get", "resources/read":
		return Checked{Result: withoutEmptyRequests(result)}, nil
	case "tools/list":
		return checkList(result)
	case "initialize", "server/discover":
		return Checked{Result: result}, checkGreeting(result)
	}
	return Checked{Result: result}, nil
}

// WithContent adds a note to a tools/call result without content. Otherwise the result looks like a
// success without output.
func WithContent(result []byte) []byte {
	result = withoutEmptyRequests(result)
	m := members(result)
	switch {
	case isNull(result):
		result = []byte("{}")
	case kindOf(result[0]) != '{', m["content"] != nil && !isNull(m["content"]), m["structuredContent"] != nil && !isNull(m["structuredContent"]),
		m["inputRequests"] != nil, m["resultType"] != nil && string(m["resultType"]) != `"complete"`, string(m["isError"]) == "true":
		return result
	}
	has := "It has no members."
	if names := slices.Sorted(maps.Keys(m)); len(names) > 0 {
		has = "Its members: " + truncate.Bytes(strings.Join(names, ", "), 200) + "."
	}
	note, _ := json.Marshal([]map[string]string{{"type": "text", "text": "Note of goated: the server's result has no `content`, which MCP requires. " + has}}) // of strings
	var all map[string]json.RawMessage
	if json.Unmarshal(result, &all) != nil {
		return result
	}
	all["content"] = note
	return encodedOr(result, all)
}

// withoutEmptyRequests removes an empty list of questions to the user. The SDK would retry such a
// request three times at once, although the server is busy. goated retries it after pauses.
func withoutEmptyRequests(result []byte) []byte {
	questions := members(result)["inputRequests"]
	if len(questions) == 0 || questions[0] != '{' || len(members(questions)) > 0 {
		return result
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(result, &all) != nil {
		return result
	}
	delete(all, "inputRequests")
	return encodedOr(result, all)
}

// checkList checks a result of tools/list.
func checkList(result []byte) (Checked, error) {
	c := Checked{Result: result}
	if err := checkType(result, "the result", '{', "an object with `tools`"); err != nil {
		return c, err
	}
	m := members(result)
	if err := checkType(m["tools"], "`tools`", '[', "a list of tools"); err != nil {
		return c, err
	}
	if err := checkType(m["nextCursor"], "`nextCursor`", '"', "a string"); err != nil {
		return c, err
	}
	var tools []json.RawMessage
	n := 0
	jsonscan.Elements(m["tools"], func(value []byte) bool {
		n++
		fixed, notes := checkTool(value, n)
		tools, c.Notes = append(tools, fixed), append(c.Notes, notes...)
		return true
	})
	if len(c.Notes) == 0 {
		return c, nil
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(result, &all) != nil {
		return c, nil
	}
	var err error
	if all["tools"], err = json.Marshal(tools); err == nil {
		c.Result = encodedOr(result, all)
	}
	return c, nil
}

// checkTool removes the members of a tool that violate MCP. n is the tool's place in the list.
func checkTool(value []byte, n int) (fixed []byte, notes []string) {
	if kindOf(value[0]) != '{' {
		if !isNull(value) {
			notes = []string{fmt.Sprintf("goated ignores tool %d, which must be an object; it is %s", n, describe(value))}
		}
		return []byte("null"), notes
	}
	wrong := make(map[string]error)
	jsonscan.Fields(value, func(key, value []byte) bool {
		name := string(key)
		var err error
		switch name {
		case "name", "title", "description":
			err = checkType(value, "`"+name+"`", '"', "a string")
		case "_meta":
			err = checkType(value, "`_meta`", '{', "an object")
		case "annotations":
			err = checkHints(value)
		case "icons":
			err = checkIcons(value)
		}
		if err != nil {
			wrong[name] = err
		}
		return true
	})
	if len(wrong) == 0 {
		return value, nil
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(value, &all) != nil {
		return value, nil
	}
	called := fmt.Sprintf("tool %d", n)
	if name, ok := jsonscan.Text(all["name"]); ok {
		called = fmt.Sprintf("the tool %q", truncate.Bytes(name, 100))
	}
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		notes = append(notes, fmt.Sprintf("goated ignores a member of %s: %v", called, wrong[name]))
		if name == "annotations" && kindOf(all[name][0]) == '{' {
			all[name] = validHints(all[name])
			continue
		}
		delete(all, name)
	}
	return encodedOr(value, all), notes
}

// checkHints returns an error if the annotations of a tool are invalid.
func checkHints(value []byte) (fault error) {
	if err := checkType(value, "`annotations`", '{', "an object"); err != nil {
		return err
	}
	jsonscan.Fields(value, func(key, value []byte) bool {
		fault = checkHint(string(key), value)
		return fault == nil
	})
	return fault
}

func checkHint(name string, value []byte) error {
	switch name {
	case "title":
		return checkType(value, "`annotations.title`", '"', "a string")
	case "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
		return checkType(value, "`annotations."+name+"`", 't', "true or false")
	}
	return nil
}

// validHints returns annotations without the invalid ones.
func validHints(value []byte) []byte {
	var all map[string]json.RawMessage
	if json.Unmarshal(value, &all) != nil {
		return []byte("{}")
	}
	maps.DeleteFunc(all, func(name string, value json.RawMessage) bool { return checkHint(name, value) != nil })
	return encodedOr([]byte("{}"), all)
}

// checkIcons returns an error if a list of icons is invalid.
func checkIcons(value []byte) (fault error) {
	if err := checkType(value, "`icons`", '[', "a list"); err != nil {
		return err
	}
	jsonscan.Elements(value, func(icon []byte) bool {
		if fault = checkType(icon, "`icons[]`", '{', "an object with `src`"); fault != nil {
			return false
		}
		jsonscan.Fields(icon, func(key, value []byte) bool {
			switch name := string(key); name {
			case "src", "mimeType", "theme":
				fault = checkType(value, "`icons[]."+name+"`", '"', "a string")
			case "sizes":
				fault = checkType(value, "`icons[].sizes`", '[', "a list of strings")
			}
			return fault == nil
		})
		return fault == nil
	})
	return fault
}

// checkGreeting returns an error if the result of initialize or server/discover is invalid.
func checkGreeting(result []byte) error {
	if err := checkType(result, "the result", '{', "an object with `protocolVersion`"); err != nil {
		return err
	}
	m := members(result)
	for name, begins := range map[string]byte{"protocolVersion": '"', "instructions": '"', "supportedVersions": '[', "serverInfo": '{', "capabilities": '{'} {
		if err := checkType(m[name], "`"+name+"`", begins, map[byte]string{'"': "a string", '[': "a list of strings", '{': "an object"}[begins]); err != nil {
			return err
		}
	}
	for name, value := range members(m["serverInfo"]) {
		if slices.Contains([]string{"name", "title", "version", "description", "websiteUrl"}, name) {
			if err := checkType(value, "`serverInfo."+name+"`", '"', "a string"); err != nil {
				return err
			}
		}
	}
	for name, value := range members(m["capabilities"]) {
		if !slices.Contains([]string{"tools", "prompts", "resources", "logging", "completions", "experimental", "extensions"}, name) {
			continue
		}
		if err := checkType(value, "`capabilities."+name+"`", '{', "an object such as {}"); err != nil {
			return err
		}
		for _, flag := range []string{"listChanged", "subscribe"} {
			if err := checkType(members(value)[flag], "`capabilities."+name+"."+flag+"`", 't', "true or false"); err != nil {
				return err
			}
		}
	}
	return nil
}

// encodedOr returns an object as JSON, or the fallback otherwise if the encoding fails.
func encodedOr(otherwise []byte, object map[string]json.RawMessage) []byte {
	if out, err := json.Marshal(object); err == nil {
		return out
	}
	return otherwise
}

// member finds the JSON member in a decoder's error, which names it by this program's types.
var member = lazyregexp.New(`Go struct field .*?\.((?:[a-z][A-Za-z0-9_]*|\d+)(?:\.(?:[a-z_][A-Za-z0-9_]*|\d+))*) of type \S+`)

// Unreadable describes in MCP's terms why a result cannot be decoded. err is the decoder's error.
func Unreadable(result []byte, err error) error {
	if fault := CheckResult(result); fault != nil {
		return Unusable(fault)
	}
	return Unusable(WithoutTypeNames(err))
}

// WithoutTypeNames returns a decoder's error without the names of this program's types.
func WithoutTypeNames(err error) error {
	if !strings.Contains(err.Error(), "Go struct field") && !strings.Contains(err.Error(), "Go value of type") {
		return err
	}
	if m := member.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("`%s` has a value of another type than MCP prescribes", m[1])
	}
	return errors.New("it has a value of another type than MCP prescribes")
}
