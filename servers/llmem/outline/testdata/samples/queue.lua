local M = {}
local json = require("json")

M.version = "1.0"
LIMIT = 5

-- Keeps items.
function M.new(size)
  local self = setmetatable({}, M)
  local function inner() return 1 end
  return self
end

function M:add(item)
  table.insert(self.items, item)
end

local function helper(a, b)
  return a + b
end

local twice = function(x) return 2 * x end
M.close = function() end

function global_function() end

M.handlers = {
  open = function() end,
  ["close"] = function() end,
}

return {
  run = function() end,
}
