package jsonscan

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// An oracle is a second reader of messages. It is recursive and uses encoding/json's tokens. It
// finds every fault before the first syntax error.
type oracle struct {
	in    *json.Decoder
	wrong map[error]bool
}

func faultsOf(line []byte) map[error]bool {
	o := oracle{json.NewDecoder(bytes.NewReader(line)), make(map[error]bool)}
	o.in.UseNumber()
	o.value("", 1, 0)
	return o.wrong
}

// places contains the paths of the objects whose keys must not differ in case, with the keys of the
// protocol.
var places = []struct {
	path *regexp.Regexp
	keys string
}{
	{regexp.MustCompile(`^$`), "jsonrpc id method params result error"},
	{regexp.MustCompile(`^/error$`), "code message data"},
	{regexp.MustCompile(`^/result$`), "content structuredContent isError tools nextCursor protocolVersion supportedVersions capabilities serverInfo resultType"},
	{regexp.MustCompile(`^/params$|^/(result|params)(/(contents?|tools|resources?|resourceTemplates|prompts|messages|annotations|icons|serverInfo|capabilities))+$`), ""},
}

// value reads a value. It returns false at the end of the input.
func (o *oracle) value(path string, depth, around int) bool {
	token, err := o.in.Token()
	if err != nil {
		return false
	}
	open, ok := token.(json.Delim)
	if !ok {
		return true
	}
	if depth > maxDepth {
		o.wrong[ErrTooDeep] = true
	}
	if depth > 2*maxDepth { // deeper levels only repeat the same fault
		return false
	}
	if open == '[' {
		for o.in.More() {
			if !o.value(path, depth+1, around) {
				return false
			}
		}
		_, err := o.in.Token()
		return err == nil
	}
	keys := make(map[string]bool)
	for o.in.More() {
		token, err := o.in.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return false
		}
		o.key(path, key, keys)
		if around+len(keys) > maxKeys {
			o.wrong[ErrTooManyKeys] = true
		}
		if !o.value(path+"/"+strings.ReplaceAll(key, "/", "?"), depth+1, around+len(keys)) {
			return false
		}
	}
	_, err = o.in.Token()
	return err == nil
}

func (o *oracle) key(path, key string, before map[string]bool) {
	if before[key] {
		o.wrong[ErrDuplicateKey] = true
	}
	before[key] = true
	if strings.Contains(key, "\x00") {
		o.wrong[ErrNULKey] = true
	}
	if len(key) > maxKey {
		o.wrong[ErrLongKey] = true
	}
	for _, p := range places {
		if !p.path.MatchString(path) {
			continue
		}
		for other := range before {
			if other != key && alike(other) == alike(key) {
				o.wrong[ErrKeyCase] = true
			}
		}
		for _, known := range strings.Fields(p.keys) {
			if known != key && strings.EqualFold(known, key) {
				o.wrong[ErrKeyCase] = true
			}
		}
	}
}

func alike(key string) string { return strings.ToLower(strings.ReplaceAll(key, "ſ", "s")) }
