package outline

import (
	"slices"
	"strings"
)

func javaSpec() *languageSpec {
	return &languageSpec{
		comments: []string{"line_comment", "block_comment"},
		idents:   []string{"identifier", "type_identifier"},
		rules: map[string]rule{
			"class_declaration":                   {kind: Class, opens: inClass},
			"interface_declaration":               {kind: Interface, opens: inClass},
			"annotation_type_declaration":         {kind: Interface, opens: inClass},
			"enum_declaration":                    {kind: Enum, opens: inClass},
			"record_declaration":                  {kind: Class, opens: inClass},
			"method_declaration":                  {kind: Method, opens: inFunc},
			"constructor_declaration":             {kind: Constructor, opens: inFunc},
			"compact_constructor_declaration":     {kind: Constructor, opens: inFunc},
			"annotation_type_element_declaration": {kind: Method},
			"field_declaration":                   {kind: Property, custom: javaField},
			"constant_declaration":                {kind: Constant, custom: javaField},
			"import_declaration": {custom: func(x *extractor, n int, _ scope, _ rule) {
				x.importing(n, strings.TrimPrefix(strings.TrimSpace(strings.Trim(strings.TrimPrefix(x.text(n), "import"), "; \t")), "static "))
			}},
		},
	}
}

func javaField(x *extractor, n int, s scope, r rule) {
	if d := x.child(n, "type"); r.kind == Property && d != 0 && x.before(n, d, "static") && x.before(n, d, "final") {
		r.kind = Constant
	}
	for c := n + 1; c < int(x.nodes[n].Next); c = int(x.nodes[c].Next) {
		if name := x.child(c, "name"); x.kindOf(c) == "variable_declarator" && name != 0 {
			x.add(n, x.text(name), s, r)
		}
	}
	x.children(n, s.inside())
}

func csharpSpec() *languageSpec {
	field := func(x *extractor, n int, s scope, r rule) {
		if d := x.find(n, "variable_declaration"); d != 0 {
			if x.before(n, d, "const") {
				r.kind = Constant
			}
			javaField(x, d, s, rule{}) // visits the children
			for c := d + 1; c < int(x.nodes[d].Next); c = int(x.nodes[c].Next) {
				if name := x.child(c, "name"); x.kindOf(c) == "variable_declarator" && name != 0 {
					x.add(n, x.text(name), s, r)
				}
			}
		}
	}
	titled := func(title string) func(x *extractor, n int, s scope, r rule) {
		return func(x *extractor, n int, s scope, r rule) { x.defineAs(n, title, s, r) }
	}
	return &languageSpec{
		comments: []string{"comment"},
		idents:   []string{"identifier"},
		rules: map[string]rule{
			"namespace_declaration":             {kind: Namespace, opens: inPackage},
			"file_scoped_namespace_declaration": {kind: Namespace},
			"class_declaration":                 {kind: Class, opens: inClass},
			"struct_declaration":                {kind: Struct, opens: inClass},
			"interface_declaration":             {kind: Interface, opens: inClass},
			"enum_declaration":                  {kind: Enum},
			"record_declaration": {kind: Class, opens: inClass, custom: func(x *extractor, n int, s scope, r rule) {
				if name := x.child(n, "name"); name != 0 && x.before(n, name, "struct") {
					r.kind = Struct
				}
				x.define(n, s, r)
			}},
			"delegate_declaration":    {kind: Type},
			"method_declaration":      {kind: Method, opens: inFunc},
			"constructor_declaration": {kind: Constructor, opens: inFunc},
			"destructor_declaration": {kind: Method, opens: inFunc, custom: func(x *extractor, n int, s scope, r rule) {
				if name := x.child(n, "name"); name != 0 {
					x.defineAs(n, "~"+x.text(name), s, r)
				}
			}},
			"local_function_statement":        {kind: Function, opens: inFunc},
			"operator_declaration":            {kind: Method, opens: inFunc, custom: csharpOperator},
			"conversion_operator_declaration": {kind: Method, opens: inFunc, custom: csharpOperator},
			"indexer_declaration":             {kind: Property, opens: inFunc, custom: titled("this[]")},
			"property_declaration":            {kind: Property, opens: inFunc},
			"event_declaration":               {kind: Property, opens: inFunc},
			"field_declaration":               {kind: Property, custom: field},
			"event_field_declaration":         {kind: Property, custom: field},
			"using_directive": {custom: func(x *extractor, n int, _ scope, _ rule) {
				if fields := strings.Fields(strings.Trim(x.text(n), "; \r\n\t")); len(fields) > 0 {
					x.importing(n, fields[len(fields)-1])
				}
			}},
		},
	}
}

// csharpOperator names an operator by its symbol, and a conversion by its type.
func csharpOperator(x *extractor, n int, s scope, r rule) {
	name := "operator"
	if p := x.child(n, "parameters"); p != 0 {
		head := string(x.src[x.nodes[n].Start:x.nodes[p].Start])
		if i := strings.LastIndex(head, "operator"); i >= 0 {
			name += " " + head[i+len("operator"):]
		}
	}
	x.defineAs(n, name, s, r)
}

func kotlinSpec() *languageSpec {
	return &languageSpec{
		comments: []string{"line_comment", "block_comment"},
		idents:   []string{"identifier"},
		rules: map[string]rule{
			"class_declaration": {kind: Class, opens: inClass, custom: func(x *extractor, n int, s scope, r rule) {
				if name := x.child(n, "name"); name != 0 {
					head := strings.Fields(string(x.src[x.nodes[n].Start:x.nodes[name].Start]))
					switch {
					case slices.Contains(head, "interface"):
						r.kind = Interface
					case slices.Contains(head, "enum"):
						r.kind = Enum
					}
				}
				x.define(n, s, r)
			}},
			"object_declaration": {kind: Class, opens: inClass},
			"companion_object": {kind: Class, opens: inClass, custom: func(x *extractor, n int, s scope, r rule) {
				if x.child(n, "name") != 0 {
					x.define(n, s, r)
					return
				}
				below := s.inside()
				below.kind = inClass
				x.children(n, below)
			}},
			"function_declaration":  {kind: Function, member: Method, opens: inFunc},
			"secondary_constructor": {kind: Constructor, opens: inFunc, custom: func(x *extractor, n int, s scope, r rule) { x.defineAs(n, "constructor", s, r) }},
			"type_alias": {kind: Type, custom: func(x *extractor, n int, s scope, r rule) {
				if name := x.child(n, "type"); name != 0 {
					x.add(n, x.text(name), s, r)
				}
				x.children(n, s.inside())
			}},
			"property_declaration": {kind: Variable, member: Property, custom: func(x *extractor, n int, s scope, r rule) {
				if d := x.find(n, "variable_declaration"); d != 0 && !s.local && x.find(d, "identifier") != 0 {
					if x.before(n, d, "const") {
						r.kind, r.member = Constant, ""
					}
					x.add(n, x.text(x.find(d, "identifier")), s, r)
				}
				below := s.inside()
				below.local = true // accessors and initialisers
				x.children(n, below)
			}},
			"import": {custom: func(x *extractor, n int, _ scope, _ rule) {
				if name := x.find(n, "qualified_identifier", "identifier"); name != 0 {
					x.importing(n, x.text(name))
				}
			}},
		},
	}
}

func rustSpec() *languageSpec {
	return &languageSpec{
		comments: []string{"line_comment", "block_comment"},
		idents:   []string{"identifier", "type_identifier", "field_identifier", "shorthand_field_identifier"},
		leads:    []string{"attribute_item"},
		rules: map[string]rule{
			"function_item":           {kind: Function, member: Method, opens: inFunc},
			"function_signature_item": {kind: Function, member: Method},
			"struct_item":             {kind: Struct},
			"union_item":              {kind: Struct},
			"enum_item":               {kind: Enum},
			"trait_item":              {kind: Trait, opens: inClass},
			"type_item":               {kind: Type},
			"associated_type":         {kind: Type},
			"macro_definition":        {kind: Macro},
			"const_item":              {kind: Constant, custom: rustConstant},
			"static_item":             {kind: Variable, custom: rustConstant},
			"mod_item": {kind: Module, opens: inPackage, custom: func(x *extractor, n int, s scope, r rule) {
				if name := x.child(n, "name"); name != 0 && x.child(n, "body") == 0 {
					x.importing(n, "self::"+x.text(name))
				}
				x.define(n, s, r)
			}},
			"impl_item": {opens: inClass, custom: func(x *extractor, n int, s scope, r rule) {
				name := ""
				if t := x.child(n, "type"); t != 0 {
					name, _, _ = strings.Cut(x.text(t), "<")
				}
				x.children(n, x.within(strings.TrimLeft(name, "&*"), s, r))
			}},
			"use_declaration": {custom: func(x *extractor, n int, s scope, _ rule) {
				if arg := x.child(n, "argument"); arg != 0 {
					var paths strings.Builder
					x.usedPaths(arg, &paths)
					x.importing(n, strings.Join(strings.Fields(paths.String()), ""))
				}
				x.children(n, s.inside())
			}},
		},
	}
}

func rustConstant(x *extractor, n int, s scope, r rule) {
	if name := x.child(n, "name"); name != 0 && !s.local {
		x.add(n, x.text(name), s, r)
	}
	x.children(n, s.inside())
}

// cSpec returns the rules for C and C++.
func cSpec() *languageSpec {
	typed := func(kind string) rule {
		return rule{kind: kind, opens: inClass, custom: func(x *extractor, n int, s scope, r rule) {
			if x.child(n, "body") == 0 { // only mentions the type
				x.children(n, s.inside())
				return
			}
			name := x.child(n, "name")
			if name == 0 {
				below := s.inside()
				below.kind = inClass
				x.children(n, below)
				return
			}
			s, text := cName(x.text(name), s)
			x.defineAs(n, text, s, r)
		}}
	}
	return &languageSpec{
		comments: []string{"comment"},
		idents:   []string{"identifier", "type_identifier", "field_identifier", "namespace_identifier"},
		wraps:    []string{"template_declaration", "declaration", "field_declaration", "type_definition"},
		starts:   []string{"template_declaration"},
		rules: map[string]rule{
			"function_definition":  {kind: Function, member: Method, opens: inFunc, custom: cFunction},
			"declaration":          {kind: Function, member: Method, custom: cDeclaration},
			"field_declaration":    {kind: Method, custom: cDeclaration},
			"type_definition":      {kind: Type, custom: cTypedef},
			"class_specifier":      typed(Class),
			"struct_specifier":     typed(Struct),
			"union_specifier":      typed(Struct),
			"enum_specifier":       typed(Enum),
			"namespace_definition": {kind: Namespace, opens: inPackage, custom: defineNested},
			"alias_declaration":    {kind: Type},
			"concept_definition":   {kind: Type},
			"preproc_def":          {kind: Macro},
			"preproc_function_def": {kind: Macro},
			"preproc_include": {custom: func(x *extractor, n int, _ scope, _ rule) {
				if p := x.child(n, "path"); p != 0 {
					x.importing(n, x.text(p))
				}
			}},
		},
	}
}

// cName splits "A::B::c" into its parents and its name.
func cName(text string, s scope) (scope, string) {
	text = strings.Join(strings.Fields(text), " ")
	depth, cutAt := 0, -1
	for i := 0; i+1 < len(text); i++ {
		switch text[i] {
		case '<':
			if strings.HasPrefix(text[max(0, i-8):], "operator") {
				i = len(text)
				continue
			}
			depth++
		case '>':
			depth--
		case ':':
			if depth == 0 && text[i+1] == ':' {
				cutAt = i
			}
		}
	}
	if cutAt < 0 {
		return s, text
	}
	for _, p := range strings.Split(text[:cutAt], "::") {
		if p, _, _ = strings.Cut(p, "<"); p != "" {
			s.parent = join(s.parent, p)
		}
	}
	return s, strings.TrimSpace(text[cutAt+2:])
}

// declared follows the declarators of n to its function and its name. Each is 0 if there is none.
func (x *extractor) declared(n int) (function, name int) {
	for {
		next := x.child(n, "declarator")
		if next == 0 {
			next = x.find(n, "function_declarator", "pointer_declarator", "reference_declarator", "parenthesized_declarator",
				"attributed_declarator", "init_declarator", "array_declarator", "identifier", "field_identifier", "type_identifier", "qualified_identifier", "operator_cast")
		}
		if next == 0 {
			return function, 0
		}
		switch x.kindOf(next) {
		case "function_declarator":
			if inner := x.child(next, "declarator"); inner != 0 && x.kindOf(inner) == "parenthesized_declarator" && x.find(inner, "pointer_declarator") != 0 {
				if x.find(x.find(inner, "pointer_declarator"), "function_declarator") == 0 {
					return 0, 0 // a pointer to a function
				}
				n = next // a function that returns a function pointer
				continue
			}
			function = next
		case "identifier", "field_identifier", "type_identifier", "primitive_type", "qualified_identifier", "destructor_name", "operator_name", "operator_cast", "template_function", "template_method":
			return function, next
		}
		n = next
	}
}

func cFunction(x *extractor, n int, s scope, r rule) {
	function, name := x.declared(n)
	if name == 0 || function == 0 && x.kindOf(name) != "operator_cast" {
		x.children(n, s.inside())
		return
	}
	outer := s
	s, text := cName(x.text(name), s)
	if x.kindOf(name) == "operator_cast" {
		text, _, _ = strings.Cut(text, "(")
	}
	if s.parent != outer.parent {
		r.kind = Method
	}
	markConstructor(text, s, &r)
	x.defineAs(n, text, s, r)
}

// markConstructor makes a method that has the name of its class a constructor.
func markConstructor(name string, s scope, r *rule) {
	class := s.parent[strings.LastIndexByte(s.parent, '.')+1:]
	if class, _, _ = strings.Cut(class, "<"); class != "" && class == name {
		r.kind, r.member = Constructor, Constructor
	}
}

// cDeclaration extracts prototypes, and visits types that a declaration defines.
func cDeclaration(x *extractor, n int, s scope, r rule) {
	if function, name := x.declared(n); name != 0 && !s.local && (function != 0 || x.kindOf(name) == "operator_cast") {
		_, text := cName(x.text(name), s)
		if s.kind == inClass {
			markConstructor(text, s, &r)
		}
		x.add(n, text, s, r)
	} else if name != 0 && s.kind != inClass && !s.local && function == 0 {
		r.kind = Variable
		_, text := cName(x.text(name), s)
		x.add(n, text, s, r)
	}
	doc := s.doc
	below := s.inside()
	below.doc = doc
	x.children(n, below)
}

func cTypedef(x *extractor, n int, s scope, r rule) {
	if !s.local {
		for c := n + 1; c < int(x.nodes[n].Next); c = int(x.nodes[c].Next) {
			if x.nodes[c].Field != x.field["declarator"] {
				continue
			}
			name := c
			for k := x.kindOf(name); name != 0 && k != "type_identifier" && k != "primitive_type"; k = x.kindOf(name) {
				inner := x.child(name, "declarator")
				if inner == 0 {
					inner = x.find(name, "type_identifier", "pointer_declarator", "function_declarator", "parenthesized_declarator")
				}
				name = inner
				if name == 0 {
					break
				}
			}
			if name != 0 {
				x.add(n, x.text(name), s, r)
			}
		}
	}
	below := s.inside()
	below.doc = s.doc
	x.children(n, below)
}
