"""A server of today's Python SDK whose tool asks the user by a request to the client."""
from pydantic import BaseModel
from mcp.server.mcpserver import Context, MCPServer

app = MCPServer("booking")


class Answer(BaseModel):
    table: int


@app.tool()
async def book(ctx: Context) -> str:
    """Books a table."""
    answer = await ctx.elicit(message="Which table?", schema=Answer)
    return f"{answer.action} {answer.data.table if answer.action == 'accept' else ''}"


class Confirm(BaseModel):
    pass


@app.tool()
async def cancel(ctx: Context) -> str:
    """Cancels a table."""
    return (await ctx.elicit(message="Cancel it?", schema=Confirm)).action


app.run()
