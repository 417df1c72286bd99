"""Lists the definitions of Python files with Python's own parser: one path per line on
stdin, one JSON array of [name, first line, last line] per line on stdout, or null."""
import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")
for path in sys.stdin.read().splitlines():
    try:
        with open(path, "rb") as f:
            tree = ast.parse(f.read())
    except (SyntaxError, ValueError, RecursionError):
        print("null")
        continue
    print(json.dumps([[n.name, n.lineno, n.end_lineno] for n in ast.walk(tree)
                      if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]))
