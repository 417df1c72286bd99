package outline

import (
	"slices"
	"strings"
)

// javascriptSpec returns the rules for JavaScript, TypeScript and JSX in both.
func javascriptSpec() *languageSpec {
	return &languageSpec{
		comments: []string{"comment"},
		idents: []string{"identifier", "type_identifier", "property_identifier", "shorthand_property_identifier",
			"private_property_identifier", "shorthand_property_identifier_pattern"},
		wraps:   []string{"export_statement", "ambient_declaration", "lexical_declaration", "variable_declaration", "expression_statement"},
		starts:  []string{"export_statement", "ambient_declaration"},
		leads:   []string{"decorator"},
		leading: true,
		rules: map[string]rule{
			"function_declaration":           {kind: Function, opens: inFunc},
			"generator_function_declaration": {kind: Function, opens: inFunc},
			"function_signature":             {kind: Function},
			"class_declaration":              {kind: Class, opens: inClass},
			"abstract_class_declaration":     {kind: Class, opens: inClass},
			"interface_declaration":          {kind: Interface, opens: inClass},
			"type_alias_declaration":         {kind: Type},
			"enum_declaration":               {kind: Enum},
			"internal_module":                {kind: Namespace, opens: inPackage, custom: jsNamespace},
			"module":                         {kind: Namespace, opens: inPackage, custom: jsNamespace},
			"method_definition":              {kind: Method, opens: inFunc, custom: jsMethod},
			"method_signature":               {kind: Method, custom: jsMethod},
			"abstract_method_signature":      {kind: Method, custom: jsMethod},
			"property_signature":             {kind: Property, custom: jsProperty},
			"public_field_definition":        {kind: Property, custom: jsProperty},
			"field_definition":               {kind: Property, custom: jsProperty},
			"class_heritage": {custom: func(x *extractor, n int, s scope, _ rule) { // its types also have members
				s.kind = plain
				x.children(n, s.inside())
			}},
			"variable_declarator":   {kind: Variable, custom: jsVariable},
			"pair":                  {kind: Method, custom: jsPair},
			"assignment_expression": {kind: Function, custom: jsAssignment},
			"import_statement":      {custom: jsImport},
			"export_statement":      {custom: jsExport},
			"call_expression":       {custom: jsCall},
			"arrow_function":        {opens: inFunc, custom: jsAnonymous},
			"function_expression":   {opens: inFunc, custom: jsAnonymous},
			"generator_function":    {opens: inFunc, custom: jsAnonymous},
			"class":                 {opens: inClass, custom: jsAnonymous},
		},
	}
}

func jsFunction(kind string) bool {
	return slices.Contains([]string{"arrow_function", "function_expression", "generator_function"}, kind)
}

// jsAnonymous visits a function or class without a name.
func jsAnonymous(x *extractor, n int, s scope, r rule) {
	below := s.inside()
	below.local = s.local || r.opens == inFunc
	below.kind = r.opens
	if name := x.child(n, "name"); name != 0 && r.opens == inClass {
		below.parent = join(s.parent, x.text(name))
	}
	x.children(n, below)
}

func jsNamespace(x *extractor, n int, s scope, r rule) {
	name := x.child(n, "name")
	if name == 0 {
		x.children(n, s.inside())
		return
	}
	// "namespace" may be in a separate statement.
	if s.wrapper != 0 && x.kindOf(s.wrapper) == "expression_statement" && !s.hasFrom {
		s.from, s.hasFrom = x.nodes[s.wrapper].Start, true
	}
	x.defineAs(n, strings.Trim(x.text(name), `"'`), s, r)
}

func jsMethod(x *extractor, n int, s scope, r rule) {
	name := x.child(n, "name")
	if name == 0 {
		x.children(n, s.inside())
		return
	}
	text := x.text(name)
	if text == "constructor" {
		r.kind = Constructor
	}
	x.defineAs(n, strings.Trim(text, `"'`), s, r)
}

func jsProperty(x *extractor, n int, s scope, r rule) {
	name := x.child(n, "name")
	if name == 0 {
		name = x.child(n, "property")
	}
	value := x.child(n, "value")
	switch {
	case name == 0 || s.kind != inClass:
		x.children(n, s.inside())
	case value != 0 && jsFunction(x.kindOf(value)):
		r.kind, r.opens = Method, inFunc
		x.defineAs(n, strings.Trim(x.text(name), `"'`), s, r)
	default:
		x.add(n, strings.Trim(x.text(name), `"'`), s, r)
		below := s.inside()
		below.kind = plain
		x.children(n, below)
	}
}

func jsVariable(x *extractor, n int, s scope, r rule) {
	name, value := x.child(n, "name"), x.child(n, "value")
	if name == 0 || x.kindOf(name) != "identifier" {
		x.children(n, s.inside())
		return
	}
	s.hasFrom = false // the lines of a variable begin with its name
	if v := value; v != 0 {
		switch kind := x.kindOf(v); {
		case jsFunction(kind):
			r.kind, r.opens = Function, inFunc
			x.defineAs(n, x.text(name), s, r)
			return
		case kind == "class":
			r.kind, r.opens = Class, inClass
			x.defineAs(n, x.text(name), s, r)
			return
		}
	}
	below := s.inside()
	if !s.local {
		if s.wrapper != 0 && strings.Contains(string(x.src[x.nodes[s.wrapper].Start:x.nodes[n].Start]), "const") {
			r.kind = Constant
		}
		x.add(n, x.text(name), s, r)
		below.parent = join(s.parent, x.text(name))
	}
	x.children(n, below)
}

// jsPair extracts a function that is a member of an object.
func jsPair(x *extractor, n int, s scope, r rule) {
	key, value := x.child(n, "key"), x.child(n, "value")
	if key == 0 || value == 0 || !jsFunction(x.kindOf(value)) || x.kindOf(key) == "computed_property_name" {
		x.children(n, s.inside())
		return
	}
	r.opens = inFunc
	x.defineAs(n, strings.Trim(x.text(key), `"'`), s, r)
}

// jsAssignment extracts "a.b = function () {}".
func jsAssignment(x *extractor, n int, s scope, r rule) {
	left, right := x.child(n, "left"), x.child(n, "right")
	if left == 0 || right == 0 || x.kindOf(left) != "member_expression" {
		x.children(n, s.inside())
		return
	}
	switch kind := x.kindOf(right); {
	case jsFunction(kind):
		r.opens = inFunc
	case kind == "class":
		r.kind, r.opens = Class, inClass
	default:
		x.children(n, s.inside())
		return
	}
	s.hasFrom = false
	object, property := x.child(left, "object"), x.child(left, "property")
	if object == 0 || property == 0 {
		x.children(n, s.inside())
		return
	}
	owner := strings.TrimSuffix(x.text(object), ".prototype")
	switch {
	case owner == "exports", owner == "module.exports":
	case owner == "module" && x.text(property) == "exports":
		x.children(n, s.inside())
		return
	default:
		if owner != x.text(object) {
			r.kind = Method
		}
		if owner != "this" && len(owner) < 80 && !strings.ContainsAny(owner, "\n(") {
			s.parent = join(s.parent, owner)
		}
	}
	x.defineAs(n, x.text(property), s, r)
}

func jsImport(x *extractor, n int, s scope, _ rule) {
	source := x.child(n, "source")
	var names []string
	for c := n + 1; c < int(x.nodes[n].Next); c++ {
		switch x.kindOf(c) {
		case "import_specifier":
			if name := x.child(c, "name"); name != 0 {
				names = append(names, x.text(name))
			}
		case "namespace_import":
			names = append(names, "*")
		case "import_clause":
			if x.find(c, "identifier") != 0 {
				names = append(names, "default")
			}
		case "import_require_clause":
			source = x.child(c, "source")
		}
	}
	if source != 0 {
		x.importing(n, x.text(source), names...)
	}
	x.children(n, s.inside())
}

// jsExport extracts a re-export, or wraps a definition.
func jsExport(x *extractor, n int, s scope, _ rule) {
	if source := x.child(n, "source"); source != 0 {
		x.importing(n, x.text(source))
	}
	value := x.child(n, "value")
	if s.wrapper == 0 {
		s.wrapper = n
	}
	if !s.hasFrom {
		s.from, s.hasFrom = x.nodes[n].Start, true
	}
	if value != 0 && (jsFunction(x.kindOf(value)) || x.kindOf(value) == "class") {
		r := rule{kind: Function, opens: inFunc}
		if x.kindOf(value) == "class" {
			r = rule{kind: Class, opens: inClass}
		}
		name := "default"
		if own := x.child(value, "name"); own != 0 {
			name = x.text(own)
		}
		x.defineAs(value, name, s, r)
		return
	}
	x.children(n, s)
}

// jsCall extracts require and import with a constant name.
func jsCall(x *extractor, n int, s scope, _ rule) {
	function, args := x.child(n, "function"), x.child(n, "arguments")
	if function != 0 && args != 0 && x.nodes[function].End-x.nodes[function].Start <= 7 && args+1 < int(x.nodes[args].Next) && x.kindOf(args+1) == "string" {
		if f := x.text(function); f == "require" || f == "import" {
			x.importing(n, x.text(args+1))
		}
	}
	x.children(n, s.inside())
}
