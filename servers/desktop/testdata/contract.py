"""Drives the desktop server with the official Python SDK: contract.py MODE CALLS COMMAND ARGS…

CALLS is a JSON list of [tool, arguments]. It prints one JSON object."""
import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def main():
    mode, calls, command, args = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3], sys.argv[4:]
    out = {"calls": {}}
    async with Client(StdioServerParameters(command=command, args=args), mode=mode) as client:
        out["protocol"] = client.protocol_version
        out["tools"] = len((await client.list_tools()).tools)
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)  # checks the output schema
            kinds = [c.type for c in result.content]
            out["calls"][tool] = [bool(result.is_error), kinds, isinstance(result.structured_content, dict)]
    print(json.dumps(out))


asyncio.run(main())
