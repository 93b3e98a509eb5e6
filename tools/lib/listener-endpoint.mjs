// The webhook endpoint of `npm run listen`, which exists while the listener runs.
import { Fault } from './fault.mjs';

const ANSWER_LIMIT_MS = 10_000;

export class ListenerEndpoint {
  #id = null;

  /** @param {{ api: string, key: string, url: string }} target */
  constructor({ api, key, url }) {
    this.api = api.replace(/\/+$/, '');
    this.key = key;
    this.url = url;
  }

  /** @returns {Promise<string>} the secret that signs its deliveries */
  async register() {
    await this.#removeFormer();
    const { id, secret } = await this.#call('POST', '/webhooks', { url: this.url, events: ['*'] });
    this.#id = id;
    return secret;
  }

  async remove() {
    if (this.#id !== null) await this.#call('DELETE', `/webhooks/${this.#id}`);
    this.#id = null;
  }

  /** Removes the endpoint of a killed listener. */
  async #removeFormer() {
    const { data } = await this.#call('GET', '/webhooks');
    for (const { id } of data.filter((endpoint) => endpoint.url === this.url))
      await this.#call('DELETE', `/webhooks/${id}`);
  }

  async #call(method, path, body) {
    const headers = { authorization: `Bearer ${this.key}` };
    if (body) headers['content-type'] = 'application/json';
    const response = await fetch(this.api + path, {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    }).catch((error) => {
      throw new Fault(
        `no answer from ${this.api} (${error.cause?.code ?? error.message}): is npm start running?`,
      );
    });
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) return answer;
    throw new Fault(this.#explain(response.status, answer));
  }

  /** The service's error body is `{ success: false, code, error }`. */
  #explain(status, answer) {
    if (status === 401)
      return `${this.api} does not know this key: give one with --key, or set COUNTERFOIL_API_KEY`;
    if (status === 403) return 'this key may not register endpoints: use one of an owner';
    if (answer?.code === 'URL_NOT_ALLOWED') {
      return `the service may not call ${this.url}: it does so in the embedded default only, on the LISTEN_PORT it was started with`;
    }
    if (!answer?.code)
      return `${this.api} is not Counterfoil (it answered ${status}): give its address with --api`;
    return `the service refused: ${answer.code}: ${answer.error}`;
  }
}
