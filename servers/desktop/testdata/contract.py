"""Drives the desktop server with the official Python SDK: contract.py RUNS

RUNS is a JSON list of [mode, calls, command]; calls is a list of [tool, arguments]. It prints a JSON
object for each run."""
import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def run(mode, calls, command):
    out = {"calls": {}}
    async with Client(StdioServerParameters(command=command[0], args=command[1:]), mode=mode) as client:
        out["protocol"] = client.protocol_version
        out["tools"] = len((await client.list_tools()).tools)
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)  # checks the output schema
            kinds = [c.type for c in result.content]
            out["calls"][tool] = [bool(result.is_error), kinds, isinstance(result.structured_content, dict)]
    print(json.dumps(out))


async def main():
    for each in json.loads(sys.argv[1]):
        await run(*each)


asyncio.run(main())
