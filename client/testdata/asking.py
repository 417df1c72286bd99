"""Asks the user for a server in another file."""
from pydantic import BaseModel


class Tip(BaseModel):
    tip: int


async def ask(ctx) -> str:
    return (await ctx.elicit(message="Which tip?", schema=Tip)).action
