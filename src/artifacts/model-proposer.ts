import { z } from 'zod';
import { CsvError } from '../csv/model/csv-error.js';
import type { ProposedTypes, SampleRow, SchemaField } from '../csv/model/data-schema.js';
import { type OutboundClient, OutboundError, type OutboundReply } from '../kernel/outbound/outbound-client.js';
import type { OutboundFailure } from '../kernel/outbound/outbound-error.js';
import { parseJsonResponse } from '../kernel/outbound/read-response.js';
import { buildModelPrompt, type ModelPrompt } from './model-prompt.js';
import { parseModelResponse, RESPONSE_SCHEMA, unusableResponse } from './model-response.js';

/** Somebody who proposes types of columns by a few rows; the verifier decides. */
export interface TypeProposer {
  /** As it is kept with the schema. */
  readonly model: string;
  /** Throws `CsvError` 026, 027 and 028, after a minute at the latest. */
  propose(sample: {
    fields: readonly SchemaField[];
    rows: readonly SampleRow[];
  }): Promise<{ proposals: ProposedTypes; tokenInputCount: number; tokenOutputCount: number }>;
}

export interface ModelSettings {
  /** Base of an OpenAI-compatible endpoint, without a slash at its end. */
  readonly url: string;
  readonly name: string;
  readonly apiKey: string | undefined;
  /** For one inference, question and answer together. */
  readonly tokenBudget: number;
}

/** Milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Enough for models that think a little first, and no more than the older ones allow; a wide table asks for more. */
const DEFAULT_RESPONSE_TOKENS = 4_096;

/** Statuses of servers that do not know a parameter, or do not take its value. */
const UNSUPPORTED_PARAMETER_STATUSES = [400, 422];

/** What a status means to people; nothing is quoted of the reply. */
const STATUS_REASONS: Readonly<Record<number, string>> = {
  401: 'it refuses the key',
  403: 'it refuses the key',
  404: 'it does not know the address or the model',
  429: 'it has no capacity left for this service',
};

const REDIRECTED = 'it redirects';
const FAILURE_REASONS: Partial<Record<OutboundFailure, string>> = {
  timeout: 'it does not answer in time',
  too_many_redirects: REDIRECTED,
  redirect_not_allowed: REDIRECTED,
};

const choice = z.object({
  finish_reason: z.string().nullish(),
  message: z.object({ content: z.string().nullish() }),
});
const usage = z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) });
const completion = z.object({ choices: z.tuple([choice], z.unknown()), usage: usage.nullish() });

/** Of servers that count nothing. */
const NO_USAGE: z.infer<typeof usage> = { prompt_tokens: 0, completion_tokens: 0 };

/**
 * A language model behind the chat completions of OpenAI (https://platform.openai.com/docs/api-reference/chat), which other vendors and
 * local servers speak as well. Key, question and answer are in no log and no error.
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
      throw new CsvError('WA-AF-028', `The language model took more than ${tokenBudget} tokens.`);
    }
    if (choice.finish_reason === 'length') throw unusableResponse('it is cut off');
    const proposals = parseModelResponse(choice.message.content ?? '', prompt.names);
    return { proposals, tokenInputCount, tokenOutputCount };
  }

  async #requestCompletion({
    messages,
    promptTokens,
    responseTokens: answerTokens,
  }: ModelPrompt): Promise<OutboundReply> {
    const { name: model, tokenBudget } = this.#settings;
    const deadline = performance.now() + this.timeoutMs;
    const left = tokenBudget - promptTokens;
    const response_format = { type: 'json_schema', json_schema: { name: 'columns', schema: RESPONSE_SCHEMA } };
    const max_tokens = Math.max(answerTokens, Math.min(left, DEFAULT_RESPONSE_TOKENS));
    const request = { model, messages, temperature: 0, max_tokens, response_format };
    const reply = await this.#post(request, deadline);
    if (!UNSUPPORTED_PARAMETER_STATUSES.includes(reply.status)) return reply;
    // Reasoning models take neither temperature nor max_tokens, and some servers no response_format.
    return this.#post({ model, messages, max_completion_tokens: left }, deadline);
  }

  async #post(request: object, deadline: number): Promise<OutboundReply> {
    const { url, apiKey } = this.#settings;
    const address = `${url}/chat/completions`;
    const headers = { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
    const timeout = Math.max(deadline - performance.now(), 0);
    try {
      const reply = await this.outbound.request(address, {
        method: 'POST',
        headers,
        body: JSON.stringify(request),
        timeoutMs: timeout,
      });
      // What a redirected question was answered with is not the answer of the model.
      if (reply.url !== new URL(address).href) throw modelUnavailable(REDIRECTED);
      return reply;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.reason === 'reply_too_large') throw unusableResponse('it is too large');
      throw modelUnavailable(FAILURE_REASONS[error.reason] ?? 'it cannot be reached');
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
      `${STATUS_REASONS[status] ?? (status >= 500 ? 'it fails' : 'it refuses the question')} (${status})`,
    );
  }
  const { data } = completion.safeParse(parseJsonResponse(reply));
  if (!data) throw unusableResponse('it is no chat completion');
  const { prompt_tokens: tokenInputCount, completion_tokens: tokenOutputCount } = data.usage ?? NO_USAGE;
  return { choice: data.choices[0], tokenInputCount, tokenOutputCount };
}

function modelUnavailable(why: string): CsvError {
  return new CsvError('WA-AF-026', `The language model is not available: ${why}.`);
}
