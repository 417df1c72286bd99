package launch

import (
	"encoding/json"
	"encoding/xml"
	"strings"

	"goated/internal/launch/configtext"
	"goated/internal/lazyregexp"
)

// optionOfXML matches an option in a settings file of JetBrains.
var optionOfXML = lazyregexp.New(`<option\s+name="`)

// xml reads a settings file of JetBrains. Either its list of servers is JSON in an option, or each
// server is an element with options. encoding/xml limits the nesting depth of elements.
func (s configs) xml(text, name string) (Reading, error) {
	var root configtext.Element
	if err := xml.Unmarshal([]byte(text), &root); err != nil {
		return Reading{}, &Problem{Kind: BadSyntax, Subject: name, Detail: strings.TrimPrefix(err.Error(), "XML syntax error on ")}
	}
	r := Reading{Form: File}
	var left leftOut
	var walk func(e configtext.Element) error
	walk = func(e configtext.Element) error {
		if list := strings.TrimSpace(e.Value); strings.HasPrefix(list, "[{") && json.Valid([]byte(list)) {
			inner, err := s.json(list, "the JSON in "+name)
			r.Servers = append(r.Servers, inner.Servers...)
			return err
		}
		if m := e.Options(); isEntry(m) && str(m["name"]) != "" {
			server, err := s.entry(m, "")
			if err != nil {
				left.add(str(m["name"]), err)
				return nil
			}
			r.Servers = append(r.Servers, server)
			return nil
		}
		for _, inner := range e.Elements {
			if err := walk(inner); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(root); err != nil {
		return Reading{}, err
	}
	return r, left.note(&r, name)
}
