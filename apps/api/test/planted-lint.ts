/** Returns an OpenAPI description whose only operation `change` has changed. Without it, every linter accepts it. */
export function planted(change: (operation: Record<string, unknown>) => void = () => undefined): object {
  const operation: Record<string, unknown> = {
    operationId: 'notes.get',
    summary: 'Get a note',
    description: 'Returns a note.',
    tags: ['Notes'],
    responses: { '200': { description: 'The note.' }, '404': { description: 'No such note.' } },
  };
  change(operation);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Notes',
      description: 'Notes.',
      version: '1',
      contact: { name: 'Notes', url: 'https://notes.example.com' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'https://notes.test' }],
    security: [],
    tags: [{ name: 'Notes', description: 'Notes.' }],
    paths: { '/notes': { get: operation } },
  };
}
