package configtext

import "encoding/xml"

// An Element is an XML element in a settings file of JetBrains.
type Element struct {
	XMLName  xml.Name
	Name     string    `xml:"name,attr"`
	Key      string    `xml:"key,attr"`
	Value    string    `xml:"value,attr"`
	Elements []Element `xml:",any"`
}

// optionKeys maps JetBrains' option names to the keys of a configuration.
var optionKeys = map[string]string{"programPath": "command", "arguments": "args", "workingDirectory": "cwd"}

// Options returns the options of an element with the keys of a configuration.
func (e Element) Options() map[string]any {
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
				for k, v := range inner.Options() {
					m[k] = v
				}
			}
		}
	}
	return m
}

// pairs returns the names and values in an element.
func (e Element) pairs() map[string]any {
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
