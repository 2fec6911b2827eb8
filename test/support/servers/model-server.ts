import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import { type Loopback, listenOnLoopback } from './loopback.js';

export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly messages?: readonly { readonly role: string; readonly content: string }[];
    readonly max_tokens?: number;
    readonly response_format?: unknown;
  };
}

type ModelHandler = (response: ServerResponse) => unknown;

const PARAMETERS = ['model', 'messages', 'temperature', 'max_tokens', 'max_completion_tokens', 'response_format'];
const NOT_OF_REASONING = ['temperature', 'max_tokens', 'response_format'];

/** Text of every simulated error. The service must not repeat this text, because vendors may quote keys and prompts. */
export const VENDOR_TEXT = 'text-of-the-vendor';

export class ModelServer {
  readonly name = 'played/model:1';
  apiKey: string | undefined = 'key-of-the-model';
  /** If true, the server rejects parameters that OpenAI's reasoning models do not support. */
  isReasoning = false;
  readonly requests: ModelRequest[] = [];
  readonly outbound = new OutboundClient({ allow: ['127.0.0.0/8'] });
  #loopback: Loopback;

  constructor(public answer: ModelHandler) {}

  get url(): string {
    return `${this.#loopback.origin}/v1`;
  }

  get prompt(): { instructions: string; columns: { name: string; values: string[] }[] } {
    const [system, user] = this.requests.at(-1)?.body.messages ?? [];
    return { instructions: system?.content ?? '', ...JSON.parse(user?.content ?? '') };
  }

  async open(): Promise<this> {
    this.#loopback = await listenOnLoopback(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString();
      const body = text ? JSON.parse(text) : {};
      this.requests.push({ path: `${request.method} ${request.url}`, headers: request.headers, body });
      const refusal = this.#refusal(request.headers, body);
      return refusal ? errorReply(refusal)(response) : this.answer(response);
    });
    return this;
  }

  async close(): Promise<void> {
    await this.outbound.close();
    await this.#loopback.close();
  }

  #refusal({ authorization }: IncomingHttpHeaders, body: object): number | undefined {
    if (authorization !== (this.apiKey && `Bearer ${this.apiKey}`)) return 401;
    const known = PARAMETERS.filter((name) => !this.isReasoning || !NOT_OF_REASONING.includes(name));
    return Object.keys(body).every((name) => known.includes(name)) ? undefined : 400;
  }
}

/** `content` maps columns to types, or is any text. `more` overrides parts of the response. */
export function completion(content: unknown, more: object = {}, finish_reason = 'stop'): ModelHandler {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const choices = [{ index: 0, finish_reason, message: { role: 'assistant', content: text } }];
  const usage = { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320 };
  return jsonReply({ id: 'chatcmpl-1', object: 'chat.completion', choices, usage, ...more });
}

/** Sends a string unchanged. */
export function jsonReply(body: unknown, status = 200, headers: Record<string, string> = {}): ModelHandler {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

export function errorReply(status: number): ModelHandler {
  return jsonReply({ error: { message: VENDOR_TEXT, code: VENDOR_TEXT } }, status);
}

export function redirectReply(location: string, status = 302): ModelHandler {
  return jsonReply('', status, { location });
}

/** Sends a byte every few milliseconds. The response never ends. */
export function dripReply(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 5);
  response.once('close', () => clearInterval(timer));
}
