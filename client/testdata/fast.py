"""A FastMCP server of the official Python SDK, version 1: what most servers are."""
import asyncio
import os
import sys

import anyio
from mcp.server.fastmcp import Context, FastMCP
from pydantic import BaseModel

server = FastMCP("fast")


@server.tool()
def add(a: float, b: float) -> float:
    """Add two numbers."""
    return a + b


@server.tool()
def echo(message: str) -> str:
    """Say the message back."""
    return message


@server.tool()
def fail(why: str) -> str:
    """Fail with a reason."""
    raise ValueError(why)


@server.tool()
async def slow(mark: str, seconds: float = 30) -> str:
    """Sleep, and write the file mark when cancelled."""
    try:
        await anyio.sleep(seconds)
    except anyio.get_cancelled_exc_class():
        with open(mark, "w") as f:
            f.write("cancelled")
        raise
    return "slept"


@server.tool()
def environment() -> dict[str, str]:
    """The server's environment."""
    return dict(os.environ)


@server.tool()
def die(code: int) -> str:
    """Exit at once."""
    print("fast.py: last words", file=sys.stderr, flush=True)
    os._exit(code)


@server.tool()
async def grow(ctx: Context, name: str) -> str:
    """Add a tool at run time."""
    server.add_tool(lambda: name, name=name, description="grown")
    await ctx.session.send_tool_list_changed()
    return "grown"


class Favourite(BaseModel):
    colour: str


@server.tool()
async def ask(ctx: Context) -> str:
    """Ask the user for a favourite colour."""
    answer = await ctx.elicit("What is your favourite colour?", Favourite)
    return f"{answer.action} {answer.data.colour if answer.action == 'accept' else ''}".strip()


@server.tool()
async def count(ctx: Context, to: int, pause: float = 0, late: bool = False) -> str:
    """Count and tell how far it is, and log each number; late tells once more after the answer."""
    token = ctx.request_context.meta.progressToken
    for n in range(1, to + 1):
        await ctx.report_progress(n, to, f"at {n}")
        await ctx.warning(f"counted {n}")
        await anyio.sleep(pause)
    if late:
        async def after(session: object) -> None:
            await anyio.sleep(0.1)
            await session.send_progress_notification(token, to + 1, to)
        asyncio.create_task(after(ctx.session))
    return "counted"


server.run()
