"""An HTTP server of the official Python SDK, at /mcp and with the oldest transport at /sse. The
arguments may be "stateless" and "json"."""
import sys

import anyio
import uvicorn

try:
    from mcp.server.mcpserver import Context, MCPServer as Server  # version 2
    from mcp.server.streamable_http import EventStore
    modern = True
except ImportError:
    from mcp.server.fastmcp import Context, FastMCP as Server  # version 1
    modern = False

server = Server("web")


@server.tool()
def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


@server.tool()
async def count(ctx: Context, to: int) -> str:
    """Count, and report each step."""
    for i in range(to):
        await ctx.report_progress(i + 1, to, f"step {i + 1}")
    return "counted"


@server.tool()
async def slow(seconds: float, mark: str) -> str:
    """Write the file mark with .running, sleep, and write mark when cancelled."""
    open(mark + ".running", "w").close()
    try:
        await anyio.sleep(seconds)
    except anyio.get_cancelled_exc_class():
        open(mark, "w").close()
        raise
    return "slept"


flags = {"stateless_http": "stateless" in sys.argv, "json_response": "json" in sys.argv}
if modern:
    app = server.streamable_http_app(**flags)
else:
    server.settings.stateless_http, server.settings.json_response = flags["stateless_http"], flags["json_response"]
    app = server.streamable_http_app()
app.routes.extend(server.sse_app().routes)
uvicorn.run(app, host="127.0.0.1", port=0, log_level="info")
