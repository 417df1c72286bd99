"""MCPServer in the form of the official SDK, without the SDK: see servertest.Small."""
import json
import sys


class ToolError(Exception):
    pass


class MCPServer:
    def __init__(self, name):
        self.name, self.tools = name, {}

    def tool(self):
        def add(function):
            self.tools[function.__name__] = function
            return function
        return add

    def listed(self):
        return {"tools": [self.described(f) for f in self.tools.values()]}

    def described(self, function):
        kinds = {str: "string", int: "integer", float: "number", bool: "boolean"}
        names = function.__code__.co_varnames[:function.__code__.co_argcount]
        schema = {"type": "object", "properties": {n: {"type": kinds[function.__annotations__[n]]} for n in names}, "required": names}
        return {"name": function.__name__, "description": function.__doc__ or "", "inputSchema": schema}

    def called(self, name, arguments):
        try:
            text, failed = str(self.tools[name](**arguments)), False
        except Exception as e:
            text, failed = f"Error executing tool {name}: {e}", True
        return {"content": [{"type": "text", "text": text}], "isError": failed}

    def answer(self, method, params):
        if method == "initialize":
            return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": self.name, "version": "1"}}
        if method == "tools/list":
            return self.listed()
        if method == "tools/call":
            return self.called(params["name"], params.get("arguments") or {})
        return {} if method == "ping" else None

    def run(self):
        for line in sys.stdin:
            request = json.loads(line)
            if "id" not in request or "method" not in request:
                continue
            result = self.answer(request["method"], request.get("params") or {})
            answer = {"error": {"code": -32601, "message": "Method not found"}} if result is None else {"result": result}
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}), flush=True)


