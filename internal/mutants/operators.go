package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An edit replaces the source between two positions.
type edit struct {
	from, to token.Pos
	new      string
}

// An operator returns the edits for one node. text returns the source of a node.
type operator func(n ast.Node, text func(ast.Node) string) []edit

// operators contains the changes from which faults are generated. Each change keeps all variables
// and imports in use, so that the result compiles.
var operators = map[string]operator{
	"negate": negate,
	"drop":   drop,
	"edge":   edge,
	"either": either,
	"hide":   hide,
}

// negate negates the condition of an if statement.
func negate(n ast.Node, text func(ast.Node) string) []edit {
	s, ok := n.(*ast.IfStmt)
	if !ok {
		return nil
	}
	return []edit{{s.Cond.Pos(), s.Cond.End(), "!(" + text(s.Cond) + ")"}}
}

// drop removes a call, a send or a deferred call.
func drop(n ast.Node, text func(ast.Node) string) []edit {
	switch s := n.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return nil
		}
		if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "panic" {
			return nil // the panic may end a function that returns a value
		}
	case *ast.DeferStmt, *ast.SendStmt:
	default:
		return nil
	}
	return []edit{{n.Pos(), n.End(), "if false { " + text(n) + " }"}}
}

// edge moves the limit of a comparison by one. It skips comparisons with a fraction, such as score
// > 0.34: a computed score is almost never exactly that number, so no test could notice.
func edge(n ast.Node, _ func(ast.Node) string) []edit {
	e, ok := n.(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	if fractional(e.X) || fractional(e.Y) {
		return nil
	}
	other, ok := map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}[e.Op]
	if !ok {
		return nil
	}
	return []edit{{e.OpPos, e.OpPos + token.Pos(len(e.Op.String())), other}}
}

// fractional reports whether an expression has a literal with a fraction.
func fractional(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.FLOAT {
			found = true
		}
		return !found
	})
	return found
}

// either exchanges "and" and "or".
func either(n ast.Node, _ func(ast.Node) string) []edit {
	e, ok := n.(*ast.BinaryExpr)
	if !ok || e.Op != token.LAND && e.Op != token.LOR {
		return nil
	}
	other := "||"
	if e.Op == token.LOR {
		other = "&&"
	}
	return []edit{{e.OpPos, e.OpPos + 2, other}}
}

// hide replaces a returned error that has a name with nil.
func hide(n ast.Node, _ func(ast.Node) string) []edit {
	s, ok := n.(*ast.ReturnStmt)
	if !ok || len(s.Results) == 0 {
		return nil
	}
	last, ok := s.Results[len(s.Results)-1].(*ast.Ident)
	if !ok || last.Name != "err" {
		return nil
	}
	return []edit{{last.Pos(), last.End(), "nil"}}
}

// generate generates the mutants of an "each" block.
func generate(root string, b block, functions []string) ([]mutant, error) {
	var dir string
	var by, except []string
	var tests [][]string
	for _, line := range b.lines[1:] {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "in":
			dir = rest
		case "by":
			by = strings.Fields(rest)
		case "except":
			except = append(except, rest)
		case "test":
			tests = append(tests, strings.Fields(rest))
		default:
			return nil, b.errorf("unknown word %q", word)
		}
	}
	if dir == "" || len(by) == 0 || len(tests) == 0 || len(functions) == 0 {
		return nil, b.errorf("generated faults need functions, a folder, operators and a test")
	}
	for _, name := range by {
		if operators[name] == nil {
			return nil, b.errorf("unknown operator %q", name)
		}
	}
	g := generator{root: root, dir: dir, by: by}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	if err != nil {
		return nil, b.errorf("%v", err)
	}
	missing := slices.Clone(functions)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		found, err := g.file(file, functions)
		if err != nil {
			return nil, b.errorf("%v", err)
		}
		missing = slices.DeleteFunc(missing, func(name string) bool { return slices.Contains(found, name) })
	}
	var all []mutant
	used := make([]bool, len(except))
	for _, m := range g.made {
		left := false
		for i, e := range except {
			if strings.HasSuffix(m.id, e) {
				used[i], left = true, true
			}
		}
		if !left {
			m.tests = tests
			all = append(all, m)
		}
	}
	switch unused := slices.Index(used, false); {
	case len(missing) > 0:
		return all, b.errorf("%s has no function %s", dir, strings.Join(missing, ", "))
	case unused >= 0:
		return all, b.errorf("no fault is called %q", except[unused])
	case len(all) == 0:
		return nil, b.errorf("there is nothing to change in %s", strings.Join(functions, ", "))
	}
	return all, nil
}

// A generator generates the mutants of one folder.
type generator struct {
	root, dir string
	by        []string
	made      []mutant
	count     map[string]int // by id
}

// file generates the mutants of the functions in one file, and returns their names.
func (g *generator) file(path string, functions []string) (found []string, err error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	text := func(n ast.Node) string { return string(source[offset(n.Pos()):offset(n.End())]) }
	cases := make(map[ast.Stmt]bool) // of select statements
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || !slices.Contains(functions, functionName(fn)) {
			continue
		}
		found = append(found, functionName(fn))
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if c, ok := n.(*ast.CommClause); ok {
				cases[c.Comm] = true
			}
			if s, ok := n.(ast.Stmt); ok && cases[s] {
				return true // the case of a select allows no other statement
			}
			for _, name := range g.by {
				for _, e := range operators[name](n, text) {
					g.add(mutant{
						id:    fmt.Sprintf("%s.%s %s %s", g.dir, functionName(fn), name, short(n, text)),
						title: "generated",
						file:  g.dir + "/" + filepath.Base(path),
						from:  offset(e.from), to: offset(e.to),
						old: source, new: e.new,
					})
				}
			}
			return true
		})
	}
	return found, nil
}

// add adds a mutant, and numbers mutants with the same id.
func (g *generator) add(m mutant) {
	if g.count == nil {
		g.count = make(map[string]int)
	}
	if g.count[m.id]++; g.count[m.id] > 1 {
		m.id += fmt.Sprint(" #", g.count[m.id])
	}
	g.made = append(g.made, m)
}

// short returns the text that identifies a node in an id: its first line, or the condition of an if
// statement.
func short(n ast.Node, text func(ast.Node) string) string {
	if s, ok := n.(*ast.IfStmt); ok {
		n = s.Cond
	}
	line, _, _ := strings.Cut(text(n), "\n")
	return strings.TrimSpace(line)
}

// functionName returns "Name", or "Type.Name" for a method.
func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}
