import type { OutboundReply } from '../../kernel/outbound/outbound-client.js';
import type { TapReading } from '../tap-reading.js';
import { failureOf } from './failure-table.js';
import { JsonTextError, parseLosslessJson } from './parse-lossless-json.js';
import type { ResponseFacts } from './response-facts.js';

/** The body as a JSON value. Throws a contract error without text of the source. */
export function decodeBody({ tap }: TapReading, { body }: OutboundReply, _facts: ResponseFacts): unknown {
  const format = tap.responseExtraction.responseFormat ?? 'json';
  const text = body.toString();
  if (format === 'json') return parseJson(text, 'The response');
  throw failureOf('invalid_definition', { message: `responseFormat ${format} is not supported.` });
}

function parseJson(text: string, place: string): unknown {
  try {
    return parseLosslessJson(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw failureOf('unexpected_shape', { message: `${place} ${error.message}.` });
  }
}
