import random
from mcp.server.mcpserver import MCPServer

server = MCPServer("dice")

@server.tool()
def roll(sides: int) -> int:
    """Roll a dice with this many sides."""
    return random.randint(1, sides)

server.run()
