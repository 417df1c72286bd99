"""A server whose tools ask the user from another file, after they did a part of their work."""
import os
from pathlib import Path

from mcp.server.mcpserver import Context, MCPServer

from asking import ask

app = MCPServer("pizza")


@app.tool()
async def order(ctx: Context) -> str:
    """Orders a pizza, then asks for a tip."""
    with (Path(os.environ["STATE"]) / "orders").open("a") as f:
        f.write("ordered\n")
    return await ask(ctx)


app.run()
