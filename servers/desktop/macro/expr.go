package macro

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// An expression is a Go expression over variables. It supports numbers, strings, + - * / %,
// comparisons, && || !, parentheses, and the functions len, contains and text. Go's own parser and
// its exact constants evaluate it. A variable that looks like a number counts as a number.

// maxExpression is the maximum length of an expression in bytes.
const maxExpression = 4096

// parse parses an expression. ${name} stands for name.
func parse(text string) (ast.Expr, error) {
	if len(text) > maxExpression {
		return nil, fmt.Errorf("the expression has %d bytes; at most %d are allowed", len(text), maxExpression)
	}
	e, err := parser.ParseExpr(variable.ReplaceAllString(text, "$1"))
	if err != nil {
		return nil, fmt.Errorf("the expression %q is wrong: %w", text, err)
	}
	return e, nil
}

// evaluate evaluates an expression and returns the result as text.
func evaluate(text string, value func(string) (string, error)) (out string, err error) {
	e, err := parse(text)
	if err != nil {
		return "", err
	}
	defer func() { // package constant panics on mixed kinds; compute normally checks them first
		if p := recover(); p != nil {
			err = fmt.Errorf("the expression %q cannot be computed: %v", text, p)
		}
	}()
	v, err := compute(e, value)
	if err != nil {
		return "", fmt.Errorf("the expression %q: %w", text, err)
	}
	return formatValue(v), nil
}

// formatValue formats a value as text.
func formatValue(v constant.Value) string {
	switch v.Kind() {
	case constant.String:
		return constant.StringVal(v)
	case constant.Float:
		if i := constant.ToInt(v); i.Kind() == constant.Int {
			return i.ExactString()
		}
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return v.ExactString()
}

// parseValue converts the text of a variable to a value.
func parseValue(s string) constant.Value {
	switch s {
	case "true", "false":
		return constant.MakeBool(s == "true")
	}
	if plain := strings.TrimSpace(s); len(plain) < 64 && plain != "" && strings.Trim(plain, "0123456789.+-") == "" {
		sign := strings.TrimLeft(plain, "+-")
		kind := token.INT
		if strings.Contains(sign, ".") {
			kind = token.FLOAT
		} else if sign = strings.TrimLeft(sign, "0"); sign == "" {
			sign = "0"
		}
		if v := constant.MakeFromLiteral(sign, kind, 0); v.Kind() != constant.Unknown && len(plain)-len(strings.TrimLeft(plain, "+-")) <= 1 {
			if plain[0] == '-' {
				v = constant.UnaryOp(token.SUB, v, 0)
			}
			return v
		}
	}
	return constant.MakeString(s)
}

func compute(e ast.Expr, value func(string) (string, error)) (constant.Value, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.IMAG || e.Kind == token.FLOAT && strings.ContainsAny(e.Value, "eEpP") { // 1e1000000000 fills the memory
			return nil, fmt.Errorf("%s is not possible; write the number in full", e.Value)
		}
		return constant.MakeFromLiteral(e.Value, e.Kind, 0), nil
	case *ast.ParenExpr:
		return compute(e.X, value)
	case *ast.Ident:
		return namedValue(e.Name, value)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return namedValue(x.Name+"."+e.Sel.Name, value)
		}
	case *ast.UnaryExpr:
		x, err := compute(e.X, value)
		if err != nil {
			return nil, err
		}
		if e.Op == token.NOT && x.Kind() == constant.Bool || (e.Op == token.SUB || e.Op == token.ADD) && number(x) {
			return constant.UnaryOp(e.Op, x, 0), nil
		}
		return nil, fmt.Errorf("%s does not fit %s", e.Op, x)
	case *ast.BinaryExpr:
		return binary(e, value)
	case *ast.CallExpr:
		return call(e, value)
	}
	return nil, errors.New("only numbers, texts, variables, operators and the functions len, contains and text are possible")
}

func namedValue(name string, value func(string) (string, error)) (constant.Value, error) {
	if name == "true" || name == "false" {
		return constant.MakeBool(name == "true"), nil
	}
	s, err := value(name)
	return parseValue(s), err
}

func number(v constant.Value) bool { return v.Kind() == constant.Int || v.Kind() == constant.Float }

func binary(e *ast.BinaryExpr, value func(string) (string, error)) (constant.Value, error) {
	x, err := compute(e.X, value)
	if err != nil {
		return nil, err
	}
	if x.Kind() == constant.Bool && (e.Op == token.LAND && !constant.BoolVal(x) || e.Op == token.LOR && constant.BoolVal(x)) {
		return x, nil
	}
	y, err := compute(e.Y, value)
	if err != nil {
		return nil, err
	}
	numbers := number(x) && number(y)
	if !numbers && x.Kind() != y.Kind() { // for example "12" + "a"
		x, y = constant.MakeString(formatValue(x)), constant.MakeString(formatValue(y))
	}
	switch e.Op {
	case token.EQL, token.NEQ:
		return constant.MakeBool(constant.Compare(x, e.Op, y)), nil
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if x.Kind() != constant.Bool {
			return constant.MakeBool(constant.Compare(x, e.Op, y)), nil
		}
	case token.LAND, token.LOR:
		if x.Kind() == constant.Bool {
			return constant.BinaryOp(x, e.Op, y), nil
		}
	case token.ADD:
		if x.Kind() == constant.String && len(constant.StringVal(x))+len(constant.StringVal(y)) > MaxText {
			return nil, fmt.Errorf("the text has more than %d bytes", MaxText)
		}
		if x.Kind() != constant.Bool {
			return constant.BinaryOp(x, e.Op, y), nil
		}
	case token.SUB, token.MUL:
		if numbers {
			return constant.BinaryOp(x, e.Op, y), nil
		}
	case token.QUO, token.REM:
		switch {
		case !numbers:
		case constant.Sign(y) == 0:
			return nil, errors.New("division by zero")
		case e.Op == token.QUO:
			return constant.BinaryOp(constant.ToFloat(x), e.Op, constant.ToFloat(y)), nil
		case x.Kind() == constant.Int && y.Kind() == constant.Int:
			return constant.BinaryOp(x, e.Op, y), nil
		}
	}
	return nil, fmt.Errorf("%s does not fit %s and %s", e.Op, x, y)
}

func call(e *ast.CallExpr, value func(string) (string, error)) (constant.Value, error) {
	f, ok := e.Fun.(*ast.Ident)
	if !ok {
		return nil, errors.New("only the functions len, contains and text are possible")
	}
	var args []string
	for _, a := range e.Args {
		v, err := compute(a, value)
		if err != nil {
			return nil, err
		}
		args = append(args, formatValue(v))
	}
	switch {
	case f.Name == "len" && len(args) == 1:
		return constant.MakeInt64(int64(len([]rune(args[0])))), nil
	case f.Name == "contains" && len(args) == 2:
		return constant.MakeBool(strings.Contains(args[0], args[1])), nil
	case f.Name == "text" && len(args) == 1:
		return constant.MakeString(args[0]), nil
	}
	return nil, fmt.Errorf("%s with %d values is not a function; there are len(a), contains(a, b) and text(a)", f.Name, len(args))
}
