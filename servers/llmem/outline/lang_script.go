package outline

import "strings"

// languageFor returns the extraction rules for a language.
func languageFor(name string) *languageSpec {
	switch name {
	case "python":
		return pythonSpec()
	case "javascript", "typescript", "tsx":
		return javascriptSpec()
	case "java":
		return javaSpec()
	case "c", "cpp":
		return cSpec()
	case "csharp":
		return csharpSpec()
	case "rust":
		return rustSpec()
	case "ruby":
		return rubySpec()
	case "php":
		return phpSpec()
	case "kotlin":
		return kotlinSpec()
	case "bash":
		return bashSpec()
	case "lua":
		return luaSpec()
	}
	return &languageSpec{}
}

func pythonSpec() *languageSpec {
	return &languageSpec{
		comments: []string{"comment"},
		idents:   []string{"identifier"},
		wraps:    []string{"decorated_definition"},
		rules: map[string]rule{
			"function_definition":   {kind: Function, member: Method, opens: inFunc},
			"class_definition":      {kind: Class, opens: inClass},
			"type_alias_statement":  {kind: Type, custom: pythonType},
			"assignment":            {kind: Variable, custom: pythonAssignment},
			"import_statement":      {custom: pythonImport},
			"import_from_statement": {custom: pythonImport},
		},
		docs: pythonDoc,
		end:  pythonEnd,
	}
}

// pythonEnd excludes the comments after the last statement, like Python's ast.
func pythonEnd(x *extractor, n int) uint32 {
	for {
		last := 0
		for c := n + 1; c < int(x.nodes[n].Next); c = int(x.nodes[c].Next) {
			if x.classOf(c)&isComment == 0 {
				last = c
			}
		}
		if k := x.kindOf(n); last == 0 || !strings.HasSuffix(k, "_definition") && !strings.HasSuffix(k, "_statement") && !strings.HasSuffix(k, "_clause") && k != "block" {
			return x.nodes[n].End
		}
		switch k := x.kindOf(last); {
		case k == "block", strings.HasSuffix(k, "_definition"), strings.HasSuffix(k, "_clause"):
		case strings.HasSuffix(k, "_statement") && x.child(last, "body")+x.child(last, "consequence") != 0:
		default:
			return x.nodes[last].End
		}
		n = last
	}
}

// pythonDoc returns the string at the beginning of a body.
func pythonDoc(x *extractor, n int) string {
	body := x.child(n, "body")
	if body == 0 {
		return ""
	}
	first := x.find(body, "expression_statement")
	for c := body + 1; c < first; c = int(x.nodes[c].Next) {
		if x.classOf(c)&isComment == 0 {
			return ""
		}
	}
	if first == 0 || x.kindOf(first+1) != "string" {
		return ""
	}
	return undocstring(x.text(first + 1))
}

func pythonType(x *extractor, n int, s scope, r rule) {
	if left := x.child(n, "left"); left != 0 && !s.local {
		name, _, _ := strings.Cut(x.text(left), "[")
		x.add(n, name, s, r)
	}
	x.children(n, s.inside())
}

func pythonAssignment(x *extractor, n int, s scope, r rule) {
	if left := x.child(n, "left"); left != 0 && !s.local && x.kindOf(left) == "identifier" {
		name := x.text(left)
		switch {
		case s.kind == inClass:
			r.kind = Property
		case strings.ToUpper(name) == name:
			r.kind = Constant
		}
		x.addOnce(n, name, s, r)
	}
	x.children(n, s.inside())
}

// addOnce adds a variable at its first occurrence.
func (x *extractor) addOnce(n int, name string, s scope, r rule) {
	if key := s.parent + "\x00" + name; !x.seen[key] {
		x.seen[key] = true
		x.add(n, name, s, r)
	}
}

func pythonImport(x *extractor, n int, s scope, _ rule) {
	module := x.child(n, "module_name")
	var names []string
	for c := n + 1; c < int(x.nodes[n].Next); c = int(x.nodes[c].Next) {
		name := c
		if x.kindOf(c) == "aliased_import" {
			name = x.child(c, "name")
		}
		switch {
		case c == module || x.classOf(c)&isComment != 0:
		case module == 0:
			x.importing(n, x.text(name))
		case x.kindOf(c) == "wildcard_import":
			names = append(names, "*")
		default:
			names = append(names, x.text(name))
		}
	}
	if module != 0 {
		x.importing(n, x.text(module), names...)
	}
	x.children(n, s.inside())
}

func rubySpec() *languageSpec {
	return &languageSpec{
		comments: []string{"comment"},
		idents:   []string{"identifier", "constant"},
		wraps:    []string{"body_statement"},
		rules: map[string]rule{
			"method":           {kind: Function, member: Method, opens: inFunc},
			"singleton_method": {kind: Function, member: Method, opens: inFunc},
			"class":            {kind: Class, opens: inClass, custom: defineNested},
			"module":           {kind: Module, opens: inClass, custom: defineNested},
			"assignment": {kind: Constant, custom: func(x *extractor, n int, s scope, r rule) {
				if left := x.child(n, "left"); left != 0 && !s.local && x.kindOf(left) == "constant" {
					x.addOnce(n, x.text(left), s, r)
					if right := x.child(n, "right"); right != 0 && x.child(right, "block") != 0 { // Struct.new(:a) do … end
						s = x.within(x.text(left), s, rule{opens: inClass})
					}
				}
				x.children(n, s.inside())
			}},
			"call": {custom: func(x *extractor, n int, s scope, _ rule) {
				method, args := x.child(n, "method"), x.child(n, "arguments")
				if method != 0 && args != 0 && s.kind == inClass && !s.local {
					rubyAttributes(x, n, args, x.text(method), s)
				}
				if method != 0 && args != 0 && strings.HasPrefix(x.text(method), "require") && x.find(args, "string") != 0 {
					source := strings.Trim(x.text(x.find(args, "string")), `"'`)
					if x.text(method) == "require_relative" && !strings.HasPrefix(source, ".") {
						source = "./" + source
					}
					x.importing(n, source)
				}
				x.children(n, s.inside())
			}},
		},
	}
}

// rubyAttributes defines the properties that a class creates with attr_reader and similar methods.
func rubyAttributes(x *extractor, n, args int, method string, s scope) {
	r := rule{kind: Property}
	switch method {
	case "attr_reader", "attr_writer", "attr_accessor":
	case "define_method", "alias_method":
		r.kind = Method
	default:
		return
	}
	for c := args + 1; c < int(x.nodes[args].Next); c = int(x.nodes[c].Next) {
		if x.kindOf(c) == "simple_symbol" {
			x.add(n, strings.TrimPrefix(x.text(c), ":"), s, r)
			if r.kind == Method {
				return // the new name comes first
			}
		}
	}
}

// defineNested defines a class, module or namespace. If its name is A::B, it defines B inside A.
func defineNested(x *extractor, n int, s scope, r rule) {
	name := x.child(n, "name")
	if name == 0 {
		x.children(n, s.inside())
		return
	}
	parts := strings.Split(strings.TrimPrefix(x.text(name), "::"), "::")
	for _, p := range parts[:len(parts)-1] {
		s.parent = join(s.parent, p)
	}
	x.defineAs(n, parts[len(parts)-1], s, r)
}

func phpSpec() *languageSpec {
	each := func(kind string) func(x *extractor, n int, s scope, r rule) {
		return func(x *extractor, n int, s scope, r rule) {
			for c := n + 1; c < int(x.nodes[n].Next); c = int(x.nodes[c].Next) {
				name := x.child(c, "name")
				if name == 0 {
					name = x.find(c, "name")
				}
				if x.kindOf(c) == kind && name != 0 {
					x.add(n, strings.TrimPrefix(x.text(name), "$"), s, r)
				}
			}
			x.children(n, s.inside())
		}
	}
	include := rule{custom: func(x *extractor, n int, s scope, _ rule) {
		if source := x.find(n, "string", "encapsed_string"); source != 0 {
			x.importing(n, x.text(source))
		}
		x.children(n, s.inside())
	}}
	return &languageSpec{
		comments: []string{"comment"},
		idents:   []string{"name"},
		rules: map[string]rule{
			"function_definition":   {kind: Function, opens: inFunc},
			"method_declaration":    {kind: Method, opens: inFunc},
			"class_declaration":     {kind: Class, opens: inClass},
			"interface_declaration": {kind: Interface, opens: inClass},
			"trait_declaration":     {kind: Trait, opens: inClass},
			"enum_declaration":      {kind: Enum, opens: inClass},
			"property_declaration":  {kind: Property, custom: each("property_element")},
			"const_declaration":     {kind: Constant, custom: each("const_element")},
			"namespace_use_declaration": {custom: func(x *extractor, n int, _ scope, _ rule) {
				for c := n + 1; c < int(x.nodes[n].Next); c++ {
					if x.kindOf(c) == "namespace_use_clause" {
						source, _, _ := strings.Cut(x.text(c), " as ")
						x.importing(c, source)
					}
				}
			}},
			"require_expression": include, "require_once_expression": include, "include_expression": include, "include_once_expression": include,
		},
	}
}

func bashSpec() *languageSpec {
	return &languageSpec{
		comments: []string{"comment"},
		idents:   []string{"word", "variable_name"},
		rules: map[string]rule{
			"function_definition": {kind: Function, opens: inFunc},
			"command": {custom: func(x *extractor, n int, s scope, _ rule) {
				name, arg := x.child(n, "name"), x.child(n, "argument")
				if name != 0 && arg != 0 && (x.text(name) == "." || x.text(name) == "source") {
					x.importing(n, x.text(arg))
				}
				x.children(n, s.inside())
			}},
		},
	}
}

func luaSpec() *languageSpec {
	return &languageSpec{
		comments: []string{"comment"},
		idents:   []string{"identifier"},
		wraps:    []string{"variable_declaration"},
		rules: map[string]rule{
			"function_declaration": {kind: Function, opens: inFunc, custom: func(x *extractor, n int, s scope, r rule) {
				if name := x.child(n, "name"); name != 0 {
					luaFunction(x, n, name, s, r)
					return
				}
				x.children(n, s.inside())
			}},
			"assignment_statement": {kind: Function, opens: inFunc, custom: func(x *extractor, n int, s scope, r rule) {
				names, values := x.find(n, "variable_list"), x.find(n, "expression_list")
				if names != 0 && values != 0 {
					switch x.kindOf(values + 1) {
					case "function_definition":
						x.addLua(n, names+1, s, r)
					case "table_constructor": // the functions in it have its name as a prefix
						s.parent = join(s.parent, strings.ReplaceAll(x.text(names+1), ":", "."))
					}
				}
				x.children(n, s.inside())
			}},
			"field": {kind: Function, custom: func(x *extractor, n int, s scope, r rule) {
				name, value := x.child(n, "name"), x.child(n, "value")
				if name != 0 && value != 0 {
					text := strings.Trim(x.text(name), `"'`)
					switch x.kindOf(value) {
					case "function_definition":
						x.add(n, text, s, r)
					case "table_constructor":
						s.parent = join(s.parent, text)
					}
				}
				x.children(n, s.inside())
			}},
			"function_definition": {opens: inFunc, custom: func(x *extractor, n int, s scope, r rule) {
				s.local = true
				x.children(n, s.inside())
			}},
			"function_call": {custom: func(x *extractor, n int, s scope, _ rule) {
				name, args := x.child(n, "name"), x.child(n, "arguments")
				if name != 0 && args != 0 && x.text(name) == "require" && x.find(args, "string") != 0 {
					x.importing(n, x.text(x.find(args, "string")))
				}
				x.children(n, s.inside())
			}},
		},
	}
}

// luaFunction defines "function a.b:c()" as the method c of a.b.
func luaFunction(x *extractor, n, name int, s scope, r rule) {
	s, text := luaName(x, name, s, &r)
	x.defineAs(n, text, s, r)
}

func (x *extractor) addLua(n, name int, s scope, r rule) {
	s, text := luaName(x, name, s, &r)
	x.add(n, text, s, r)
}

func luaName(x *extractor, name int, s scope, r *rule) (scope, string) {
	text := x.text(name)
	if i := strings.LastIndexAny(text, ".:"); i >= 0 {
		if text[i] == ':' {
			r.kind = Method
		}
		s.parent = join(s.parent, strings.ReplaceAll(text[:i], ":", "."))
		text = text[i+1:]
	}
	return s, text
}
