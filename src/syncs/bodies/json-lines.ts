import { failureOf } from '../responses/failure-table.js';
import { JsonTextError, parseLosslessJson } from '../responses/parse-lossless-json.js';

const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

/** Ignores blank lines. Throws `TapReadError` with class `contract` for a line that is invalid or too long. */
export async function* parseJsonLines(texts: AsyncIterable<string>): AsyncGenerator<unknown[]> {
  let rest = '';
  let line = 0;
  const valuesOf = (lines: readonly string[]): unknown[] =>
    lines.flatMap((text) => {
      line += 1;
      return text.trim() === '' ? [] : [parseLine(text, line)];
    });
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    yield valuesOf(lines);
    if (rest.length > MAX_LINE_CHARACTERS) throw failureOf('oversized');
  }
  yield valuesOf([rest]);
}

function parseLine(text: string, line: number): unknown {
  try {
    return parseLosslessJson(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw failureOf('unexpected_shape', { message: `Line ${line} of the response ${error.message}.` });
  }
}
