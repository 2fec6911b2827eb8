import { fillTemplate, templateVariables } from '../../catalog/template-variables.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import type { TemplateValues } from './template-values.js';

const WHOLE = /^\{(\w+)\}$/;

/** Matches values that a query may contain outside quotes, unless `COMMENT` matches. */
const PLAIN = /^[\p{L}\p{N}_.:@+/-]+$/u;
const COMMENT = /--|\/\//;
/** Matches characters that end a quoted text or change its meaning, in any query language. */
const QUOTING = /['"`\\]|\p{Cc}/u;

/**
 * A text that consists of one variable becomes the value of the variable, with its JSON type. A text with a missing
 * value becomes undefined, and lists and objects omit it. Throws `TapReadError` for a value that could change the
 * meaning of the text around it.
 */
export function fillTemplates(value: unknown, values: TemplateValues, wildcard?: TapReading['wildcard']): unknown {
  if (typeof value === 'string') return fillText(withFields(value, wildcard), values);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value))
    return value.map((item) => fillTemplates(item, values, wildcard)).filter((item) => item !== undefined);
  const filled = Object.entries(value).map(([name, item]) => [name, fillTemplates(item, values, wildcard)]);
  return Object.fromEntries(filled.filter(([, item]) => item !== undefined));
}

export function withFields(text: string, wildcard: TapReading['wildcard']): string {
  return wildcard ? text.replaceAll(wildcard.token, () => wildcard.fieldNames.join(',')) : text;
}

/** `embed` formats each value. Returns undefined if a variable has no value. */
export function fillTextWith(
  template: string,
  values: TemplateValues,
  embed: (name: string, value: unknown) => string,
): string | undefined {
  const names = templateVariables(template);
  if (names.some((name) => values(name) === undefined)) return undefined;
  return fillTemplate(template, (name) => embed(name, values(name)));
}

function fillText(template: string, values: TemplateValues): unknown {
  const whole = WHOLE.exec(template)?.[1];
  if (whole !== undefined) return values(whole);
  let at = 0;
  return fillTextWith(template, values, (name, value) => {
    at = template.indexOf(`{${name}}`, at);
    const isQuoted = isInQuotes(template.slice(0, at));
    at += name.length + 2;
    // The service formats these times itself, so they are safe.
    return name === 'since' || name === 'until' ? `${value}` : embeddable(name, value, isQuoted);
  });
}

function embeddable(name: string, value: unknown, isQuoted: boolean): string {
  const isObject = typeof value === 'object' && value !== null;
  const text = isObject ? '' : `${value ?? ''}`;
  const isSafe = isQuoted ? !QUOTING.test(text) : PLAIN.test(text) && !COMMENT.test(text);
  if (!isObject && text.isWellFormed() && isSafe) return text;
  const message = `The value of {${name}} is an object, or contains characters that could change the meaning of the request.`;
  throw new TapReadError('configuration', 'skip_slice', message);
}

function isInQuotes(text: string): boolean {
  return /['"]/.test(text.replace(/\\.|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs, ''));
}
