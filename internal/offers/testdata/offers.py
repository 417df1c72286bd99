"""A small MCP server over stdio with prompts, resources and completion."""
import json
import sys

ARGUMENTS = [{"name": "topic", "description": "The subject.", "required": True}, {"name": "tone"}]
PROMPTS = [
    {"name": "greet", "title": "Greet somebody", "description": "Begins a friendly letter."},
    {"name": "report", "title": "Write a report", "arguments": ARGUMENTS},
    {"name": "empty"},
    {"name": "two words", "arguments": [{"name": "topic"}]},
    {"name": "chart", "title": "Draw it"},
    {"name": "dialogue"},
]
PNG = "iVBORw0KGgo="
PDF = "JVBERi0xLjQ="
MESSAGES = {
    "chart": [("user", {"type": "text", "text": "Look at this."}), ("user", {"type": "image", "mimeType": "image/png", "data": PNG}),
              ("user", {"type": "resource_link", "name": "data", "uri": "memo://data.csv"}),
              ("user", {"type": "resource", "resource": {"uri": "memo://paper.pdf", "mimeType": "application/pdf", "blob": PDF}})],
    "dialogue": [("user", {"type": "text", "text": "Hello"}), ("assistant", {"type": "text", "text": "Which one?"}), ("user", {"type": "text", "text": "Both"})],
}
RESOURCES = [
    {"name": "plan", "title": "The plan", "uri": "memo://plan.md", "mimeType": "text/markdown"},
    {"name": "huge", "uri": "memo://huge"},
    {"name": "dir", "uri": "memo://dir"},
]
if sys.argv[1:] == ["many"]:
    RESOURCES = [{"name": "r%d" % n, "uri": "memo://r%d" % n} for n in range(298)]
TEMPLATES = [
    {"name": "note", "title": "A note by its day", "uriTemplate": "memo://notes/{day}"},
    {"name": "rows", "uriTemplate": "memo://tables/{table}{?limit,where}"},
]


def read(uri):
    if uri == "memo://huge":
        return "x" * (21 << 20)
    if uri == "memo://plan.md":
        return "# Plan\nBuy bread."
    return "Note of " + uri.rsplit("/", 1)[1]


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "serverInfo": {"name": "offers", "version": "1"},
                "capabilities": {"tools": {}, "prompts": {}, "resources": {}, "completions": {}}}
    if method == "tools/list":
        return {"tools": [{"name": "add", "description": "Adds a prompt.", "inputSchema": {"type": "object"}}]}
    if method == "tools/call":
        PROMPTS.append({"name": "added"})
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/prompts/list_changed"}), flush=True)
        return {"content": []}
    if method == "prompts/list":
        return {"prompts": PROMPTS}
    if method == "prompts/get":
        if params["name"] in MESSAGES:
            return {"messages": [{"role": role, "content": content} for role, content in MESSAGES[params["name"]]]}
        args = params.get("arguments", {})
        text = {"greet": "Dear reader,", "empty": ""}.get(params["name"], "Report on %s (%s)" % (args.get("topic"), args.get("tone", "plain")))
        return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
    if method == "completion/complete":
        values = [v for v in ("bread", "butter", "wine") if v.startswith(params["argument"]["value"])]
        return {"completion": {"values": values if params["argument"]["name"] in ("topic", "day") else []}}
    if method == "resources/list":
        return {"resources": RESOURCES}
    if method == "resources/templates/list":
        return {"resourceTemplates": TEMPLATES}
    if method == "resources/read" and params["uri"] == "memo://dir":
        return {"contents": [{"uri": "memo://dir/a.txt", "text": "first"}, {"uri": "memo://dir/b.png", "mimeType": "image/png", "blob": PNG},
                             {"uri": "memo://dir/c.txt", "text": "second"}]}
    if method == "resources/read" and params["uri"].startswith("none://"):
        return None
    if method == "resources/read":
        return {"contents": [{"uri": params["uri"], "mimeType": "text/plain", "text": read(params["uri"])}]}
    if method == "ping":
        return {}
    return None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    result = answer(request["method"], request.get("params") or {})
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] == "resources/list" and sys.argv[1:] == ["refuse"]:
        reply["error"] = {"code": -32000, "message": "not logged in: run foo login"}
    elif result is None:
        reply["error"] = {"code": -32601, "message": "method not found"}
    else:
        reply["result"] = result
    print(json.dumps(reply), flush=True)
