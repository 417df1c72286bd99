package launch

import (
	"encoding/json"
	"encoding/xml"
	"strings"

	"goated/internal/lazyregexp"
)

// optionOfXML matches an option in a settings file of JetBrains.
var optionOfXML = lazyregexp.New(`<option\s+name="`)

// An element is an XML element in a settings file of JetBrains.
type element struct {
	XMLName  xml.Name
	Name     string    `xml:"name,attr"`
	Key      string    `xml:"key,attr"`
	Value    string    `xml:"value,attr"`
	Elements []element `xml:",any"`
}

// optionKeys maps JetBrains' option names to the keys of a configuration.
var optionKeys = map[string]string{"programPath": "command", "arguments": "args", "workingDirectory": "cwd"}

// xml reads a settings file of JetBrains. Either its list of servers is JSON in an option, or each
// server is an element with options. encoding/xml limits the nesting depth of elements.
func (s configs) xml(text, name string) (Reading, error) {
	var root element
	if err := xml.Unmarshal([]byte(text), &root); err != nil {
		return Reading{}, &Problem{Kind: BadSyntax, Subject: name, Detail: strings.TrimPrefix(err.Error(), "XML syntax error on ")}
	}
	r := Reading{Form: File}
	var left leftOut
	var walk func(e element) error
	walk = func(e element) error {
		if list := strings.TrimSpace(e.Value); strings.HasPrefix(list, "[{") && json.Valid([]byte(list)) {
			inner, err := s.json(list, "the JSON in "+name)
			r.Servers = append(r.Servers, inner.Servers...)
			return err
		}
		if m := e.options(); isEntry(m) && str(m["name"]) != "" {
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

// options returns the options of an element with the keys of a configuration.
func (e element) options() map[string]any {
	m := make(map[string]any)
	for _, o := range e.Elements {
		switch key := o.Name; {
		case o.XMLName.Local == "envs":
			m["env"] = o.pairs()
		case key == "env" || key == "headers":
			m[key] = o.pairs()
		case key == "enabled":
			m[key] = o.Value == "true"
		case o.XMLName.Local == "option" && o.Value != "":
			if usual := optionKeys[key]; usual != "" {
				key = usual
			}
			m[key] = o.Value
		case o.XMLName.Local == "option":
			for _, inner := range o.Elements { // the transport
				for k, v := range inner.options() {
					m[k] = v
				}
			}
		}
	}
	return m
}

// pairs returns the names and values in an element.
func (e element) pairs() map[string]any {
	m := make(map[string]any)
	for _, p := range e.Elements {
		if p.Name+p.Key != "" {
			m[p.Name+p.Key] = p.Value
		}
		for k, v := range p.pairs() {
			m[k] = v
		}
	}
	return m
}
