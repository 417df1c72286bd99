"""A server without an SDK, that misbehaves as its first argument says."""
import json
import os
import sys
import time

mode = sys.argv[1] if len(sys.argv) > 1 else "plain"
out = sys.stdout


def send(message):
    out.write(json.dumps(message) + "\n")
    out.flush()


def tool(name, **more):
    return {"name": name, "description": name, "inputSchema": {"type": "object"}, **more}


tools = [tool("one"), tool("two")]
if mode == "duplicates":
    tools += [tool("one"), tool(""), tool("three")]
if mode == "chatty":
    out.write("\ufeffstarting up...\n\n[DEBUG] hello {\n")
    out.flush()
if mode == "crash":
    print("raw.py: no such module", file=sys.stderr)
    sys.exit(3)
if mode == "hang":
    time.sleep(3600)
if mode == "stderr":
    sys.stderr.write("x" * (4 << 20) + "\nthe end\n")
if mode == "ignores-sigterm":
    signal = __import__("signal")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if mode == "child":
    import subprocess  # here, because its import takes a fifth of the start

    child = subprocess.Popen(["sleep", "3600"])
    with open(sys.argv[2], "w") as f:
        f.write(str(child.pid))

for line in sys.stdin:
    request = json.loads(line)
    method, id = request.get("method"), request.get("id")
    if method == "server/discover":
        if mode == "silent":
            continue
        if mode == "exits":
            print("raw.py: unknown request", file=sys.stderr)
            sys.exit(2)
        send({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}})
    elif method == "initialize":
        if mode == "refuses":
            send({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": "not today"}})
            continue
        if mode == "chatty":
            out.write("print() debugging\r\n")
        send({"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": True}}, "serverInfo": {"name": "raw", "version": "1"}}})
    elif method == "tools/list":
        result = {"tools": tools}
        if mode == "circles":
            result["nextCursor"] = "again"
        send({"jsonrpc": "2.0", "id": id, "result": result})
    elif method == "tools/call":
        if mode == "chatty":
            out.write("calling...\n")
        if mode == "unread":
            time.sleep(3600)
        if mode == "rpcerror":
            send({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "out of ink"}})
            continue
        send({"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": "done"}]}})

if mode == "ignores-sigterm":
    while True:
        time.sleep(1)
