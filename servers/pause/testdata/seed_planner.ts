mcp.registerTool({
  name: 'planner',
  description: 'Interactive planning dialog with visual output',
  parameters: {
    type: 'object',
    properties: {
      decision_context: {
        type: 'string',
        description: 'Context for the decision'
      },
      visual_output: {
        type: 'string',
        description: 'Markdown content for visual display'
      },
      plan: {
        type: 'string',
        description: 'Implementation plan'
      },
      options: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            label: { type: 'string' },
            value: { type: 'string' },
            description: { type: 'string' }
          }
        }
      }
    },
    required: ['decision_context', 'options']
  },
  handler: async (params) => {
    // Send to parent app via WebSocket
    return await sendToParentApp('planner', params);
  }
});
