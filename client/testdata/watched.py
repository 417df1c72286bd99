"""A server whose only resource changes as often as its tool is called."""
import json
import sys

count, followed = 0, set()


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


for line in sys.stdin:
    request = json.loads(line)
    method, params = request.get("method"), request.get("params", {})
    result = {}
    if method == "initialize":
        result = {"protocolVersion": "2025-06-18", "serverInfo": {"name": "watched", "version": "1"},
                  "capabilities": {"tools": {}, "resources": {"subscribe": True}}}
    elif method == "tools/list":
        result = {"tools": [{"name": "count", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call":
        count += 1
        if "note://count" in followed:
            send({"method": "notifications/resources/updated", "params": {"uri": "note://count"}})
        result = {"content": [{"type": "text", "text": ",".join(sorted(followed))}]}
    elif method == "resources/read":
        result = {"contents": [{"uri": "note://count", "text": str(count)}]}
    elif method == "resources/subscribe":
        followed.add(params["uri"])
    elif method == "resources/unsubscribe":
        followed.discard(params["uri"])
    elif method not in ("ping",):
        if "id" in request:
            send({"id": request["id"], "error": {"code": -32601, "message": method}})
        continue
    if "id" in request:
        send({"id": request["id"], "result": result})
