import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { Connections } from './connections';
import { acceptOnlyJson } from './json-body';
import type { AuthenticatedRequest } from './route.decorators';

const LARGE = { text: 'x'.repeat(20_000) };

describe('large bodies', () => {
  let server: FastifyInstance;
  let connections: Connections;
  /** The companies of the handled requests in order, and the iterations of the event loop between them. */
  let handled: string[];

  beforeEach(async () => {
    handled = [];
    server = Fastify();
    server.addHook('onRequest', (request: AuthenticatedRequest, _reply, done) => {
      const companyId = Number(request.headers['x-company']);
      request.caller = { companyId, userId: 1, apiKeyId: 1, role: 'owner' };
      done();
    });
    connections = new Connections(100);
    acceptOnlyJson(server, connections);
    server.post('/', (request: AuthenticatedRequest, reply) => {
      handled.push(String(request.caller?.companyId));
      void reply.send({});
    });
    await server.ready();
  });
  afterEach(() => server.close());

  const send = (company: number, payload: object) =>
    server.inject({ method: 'POST', url: '/', headers: { 'x-company': String(company) }, payload });

  it('of several companies are handled in turn, however many of one company wait', async () => {
    const greedy = Array.from({ length: 20 }, () => send(1, LARGE));
    const other = send(2, LARGE);
    await Promise.all([...greedy, other]);
    expect(handled).toHaveLength(21);
    expect(handled.indexOf('2')).toBeLessThanOrEqual(2);
  });

  it('count as arrived as soon as they are read, so that their connections are not closed for others', async () => {
    jest.spyOn(connections, 'arrived').mockImplementation(() => handled.push('arrived'));
    await Promise.all([1, 2, 3].map(() => send(1, LARGE)));
    expect([...handled].sort()).toEqual(['1', '1', '1', 'arrived', 'arrived', 'arrived']);
    const second = handled.indexOf('1', handled.indexOf('1') + 1);
    expect(handled.lastIndexOf('arrived')).toBeLessThan(second);
  });

  it('are handled one per iteration of the event loop', async () => {
    let watching = true;
    const watch = () => {
      handled.push('turn');
      if (watching) setImmediate(watch);
    };
    setImmediate(watch);
    await Promise.all(Array.from({ length: 20 }, () => send(1, LARGE)));
    watching = false;
    expect(handled.join(' ')).not.toContain('1 1');
  });
});
