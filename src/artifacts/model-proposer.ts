import { z } from 'zod';
import { CsvError } from '../csv/model/csv-error.js';
import type { ProposedTypes, SampleRow, SchemaField } from '../csv/model/data-schema.js';
import { type OutboundClient, OutboundError, type OutboundReply } from '../kernel/outbound/outbound-client.js';
import type { OutboundFailure } from '../kernel/outbound/outbound-error.js';
import { parseJsonResponse } from '../kernel/outbound/read-response.js';
import { buildModelPrompt, type ModelPrompt } from './model-prompt.js';
import { parseModelResponse, RESPONSE_SCHEMA, unusableResponse } from './model-response.js';

export interface TypeProposer {
  /** Stored with the schema. */
  readonly model: string;
  /** Times out after 60 s. Throws `CsvError` WA-AF-026, 027 or 028. */
  propose(sample: {
    fields: readonly SchemaField[];
    rows: readonly SampleRow[];
  }): Promise<{ proposals: ProposedTypes; tokenInputCount: number; tokenOutputCount: number }>;
}

export interface ModelSettings {
  /** Base URL of an OpenAI-compatible endpoint, without a trailing slash. */
  readonly url: string;
  readonly name: string;
  readonly apiKey: string | undefined;
  /** Maximum number of tokens of one inference, for prompt and response together. */
  readonly tokenBudget: number;
}

const REQUEST_TIMEOUT_MS = 60_000;

/** Allows for reasoning tokens, and does not exceed the limit of older models. */
const DEFAULT_RESPONSE_TOKENS = 4_096;

/** Statuses that servers return for an unknown parameter or an unsupported value. */
const UNSUPPORTED_PARAMETER_STATUSES = [400, 422];

/** Fixed strings, because an error must not contain the response body. */
const STATUS_REASONS: Readonly<Record<number, string>> = {
  401: 'the endpoint requires a valid API key',
  403: 'the endpoint denies access',
  404: 'the URL or the model does not exist',
  429: 'the rate limit of the endpoint is exceeded',
};

const REDIRECTED = 'the endpoint redirects';
const FAILURE_REASONS: Partial<Record<OutboundFailure, string>> = {
  timeout: 'the request timed out',
  address_not_allowed: 'the service blocked the call to the endpoint. The log of the service contains the reason',
  broken_reply: 'the response of the endpoint is incomplete or invalid',
  closed: 'the service is stopping',
  too_many_redirects: REDIRECTED,
  redirect_not_allowed: REDIRECTED,
};

const choice = z.object({
  finish_reason: z.string().nullish(),
  message: z.object({ content: z.string().nullish() }),
});
const usage = z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) });
const completion = z.object({ choices: z.tuple([choice], z.unknown()), usage: usage.nullish() });

/** Used if the server does not report the usage. */
const NO_USAGE: z.infer<typeof usage> = { prompt_tokens: 0, completion_tokens: 0 };

/**
 * Uses OpenAI's chat completions API (https://platform.openai.com/docs/api-reference/chat), which other servers also
 * implement. Logs and errors never contain the API key, the prompt or the response.
 */
export class ModelProposer implements TypeProposer {
  readonly #settings: ModelSettings;

  constructor(
    settings: ModelSettings,
    private readonly outbound: OutboundClient,
    private readonly timeoutMs = REQUEST_TIMEOUT_MS,
  ) {
    this.#settings = settings;
  }

  get model(): string {
    return this.#settings.name;
  }

  async propose(sample: {
    fields: readonly SchemaField[];
    rows: readonly SampleRow[];
  }): ReturnType<TypeProposer['propose']> {
    const { tokenBudget } = this.#settings;
    const prompt = buildModelPrompt(sample, tokenBudget);
    const { choice, tokenInputCount, tokenOutputCount } = readCompletion(await this.#requestCompletion(prompt));
    if (tokenInputCount + tokenOutputCount > tokenBudget) {
      throw new CsvError(
        'WA-AF-028',
        `The language model exceeded the budget of ${tokenBudget.toLocaleString('en')} tokens. The operator can increase MODEL_TOKEN_BUDGET.`,
      );
    }
    if (choice.finish_reason === 'length') throw unusableResponse('it is truncated');
    const proposals = parseModelResponse(choice.message.content ?? '', prompt.names);
    return { proposals, tokenInputCount, tokenOutputCount };
  }

  async #requestCompletion({ messages, promptTokens, responseTokens }: ModelPrompt): Promise<OutboundReply> {
    const { name: model, tokenBudget } = this.#settings;
    const deadline = performance.now() + this.timeoutMs;
    const left = tokenBudget - promptTokens;
    const response_format = { type: 'json_schema', json_schema: { name: 'columns', schema: RESPONSE_SCHEMA } };
    const max_tokens = Math.max(responseTokens, Math.min(left, DEFAULT_RESPONSE_TOKENS));
    const request = { model, messages, temperature: 0, max_tokens, response_format };
    const reply = await this.#post(request, deadline);
    if (!UNSUPPORTED_PARAMETER_STATUSES.includes(reply.status)) return reply;
    // Reasoning models reject `temperature` and `max_tokens`, and some servers reject `response_format`.
    return this.#post({ model, messages, max_completion_tokens: left }, deadline);
  }

  async #post(request: object, deadline: number): Promise<OutboundReply> {
    const { url, apiKey } = this.#settings;
    const address = `${url}/chat/completions`;
    const headers = { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
    const timeoutMs = Math.max(deadline - performance.now(), 0);
    try {
      const reply = await this.outbound.request(address, {
        method: 'POST',
        headers,
        body: JSON.stringify(request),
        timeoutMs,
      });
      if (reply.url !== new URL(address).href) throw modelUnavailable(REDIRECTED);
      return reply;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.reason === 'reply_too_large') throw unusableResponse('it is too large');
      throw modelUnavailable(FAILURE_REASONS[error.reason] ?? 'the endpoint is unreachable');
    }
  }
}

function readCompletion(reply: OutboundReply): {
  choice: z.infer<typeof choice>;
  tokenInputCount: number;
  tokenOutputCount: number;
} {
  const { status } = reply;
  if (status !== 200) {
    throw modelUnavailable(
      `${STATUS_REASONS[status] ?? (status >= 500 ? 'the endpoint failed' : 'the endpoint rejects the request')} (${status})`,
    );
  }
  const { data } = completion.safeParse(parseJsonResponse(reply));
  if (!data) throw unusableResponse('it is not a chat completion');
  const { prompt_tokens: tokenInputCount, completion_tokens: tokenOutputCount } = data.usage ?? NO_USAGE;
  return { choice: data.choices[0], tokenInputCount, tokenOutputCount };
}

function modelUnavailable(why: string): CsvError {
  return new CsvError('WA-AF-026', `The language model is unavailable: ${why}.`);
}
