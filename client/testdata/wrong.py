"""A server without an SDK that answers some methods wrongly. The arguments are pairs: a method,
and what happens in place of its answer: "silent", "exit 3", "stderr TEXT", or a text for stdout in
which ID stands for the id of the request. After "ends " and such a text, the server exits with 1.
The pair "speaks" and a version refuses every other version of initialize."""
import json
import sys

wrong = dict(zip(sys.argv[1::2], sys.argv[2::2]))


def send(id, **answer):
    print(json.dumps({"jsonrpc": "2.0", "id": id, **answer}), flush=True)


for line in sys.stdin:
    request = json.loads(line)
    method, id = request["method"], request.get("id")
    if method in wrong:
        kind, _, text = wrong[method].partition(" ")
        if kind == "exit":
            sys.exit(int(text))
        if kind == "stderr":
            print(text, file=sys.stderr, flush=True)
        elif kind == "ends":
            print(text, flush=True)
            sys.exit(1)
        elif kind != "silent":
            print(wrong[method].replace("ID", str(id)), flush=True)
    elif method == "initialize" and request["params"]["protocolVersion"] != wrong.get("speaks", request["params"]["protocolVersion"]):
        send(id, error={"code": -32602, "message": "Unsupported protocol version", "data": {"supported": [wrong["speaks"]]}})
    elif method == "initialize" and "speaks" in wrong:
        send(id, result={"protocolVersion": wrong["speaks"], "capabilities": {"tools": {}}, "serverInfo": {"name": "wrong", "version": "1"}})
    elif method == "initialize":
        send(id, result={"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "wrong", "version": "1"}})
    elif method == "tools/list":
        send(id, result={"tools": [{"name": "one", "inputSchema": {"type": "object"}}]})
    elif method == "tools/call":
        send(id, result={"content": [{"type": "text", "text": "done"}]})
    elif id is not None:
        send(id, error={"code": -32601, "message": "Method not found"})
