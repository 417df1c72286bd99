"""../asks_elsewhere.py without the SDK, whose start takes a second. Like the SDK, it has no request to
the client in the newer protocol."""
import json
import os
import sys
from pathlib import Path

from asking import ask

NO_BACK_CHANNEL = "Cannot send 'elicitation/create': this transport context has no back-channel for server-initiated requests."
TOOLS = {"tools": [{"name": "order", "inputSchema": {"type": "object"}}], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
SERVER = {"name": "pizza", "version": "1"}


class NoBackChannel(Exception):
    pass


class Refused(Exception):
    pass


class Context:
    """The context of one call."""
    modern = False

    def elicit(self, message, schema):
        if self.modern:
            raise NoBackChannel(NO_BACK_CHANNEL)
        send({"id": "ask", "method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}})
        while (answer := json.loads(sys.stdin.readline())).get("id") != "ask":
            pass
        if "error" in answer:
            raise Refused(answer["error"]["message"])
        return answer["result"]["action"]


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def order(context):
    """Orders a pizza, then asks for a tip."""
    with (Path(os.environ["STATE"]) / "orders").open("a") as f:
        f.write("ordered\n")
    try:
        return {"content": [{"type": "text", "text": ask(context)}]}
    except Refused as e:
        return {"content": [{"type": "text", "text": f"Error executing tool order: {e}"}], "isError": True}


def answer(method, context):
    if method == "server/discover":
        context.modern = True
        return {"supportedVersions": ["2026-07-28"], "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
                "capabilities": {"tools": {}}, "_meta": {"io.modelcontextprotocol/serverInfo": SERVER}}
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": SERVER}
    return TOOLS if method == "tools/list" else order(context) if method == "tools/call" else {}


context = Context()
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    try:
        send({"id": request["id"], "result": answer(request["method"], context)})
    except NoBackChannel as e:
        send({"id": request["id"], "error": {"code": -32600, "message": str(e)}})
