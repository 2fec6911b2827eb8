import { resolve } from 'node:path';
import { z } from 'zod';

export const path = z
  .string()
  .min(1)
  .transform((given) => resolve(given));
export const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port number, 0 to 65535')
  .transform(Number);
export const onOff = (value: 'true' | 'false') => value === 'true';
export const onOrOff = z
  .enum(['on', 'off'], { error: 'must be "on" or "off"' })
  .default('on')
  .transform((value) => value === 'on');
export const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be a URL such as ${example}` });

export const databaseUrl = (example: string) =>
  url(/^postgres(ql)?$/, example).refine(isDecodable, 'must encode each literal % as %25');

export function isCount(text: string, most: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) <= most;
}

export function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

/** Accepts an origin as browsers send it: scheme, host and port, without a trailing slash. */
export function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text;
}

function isDecodable(address: string): boolean {
  try {
    return Boolean(decodeURIComponent(address));
  } catch {
    return false;
  }
}

/** If `parse` throws a `Fault`, its message becomes the error of the environment variable. */
export function parsed<Value>(parse: (text: string) => Value, Fault: new (message: string) => Error) {
  return (text: string, context: z.RefinementCtx): Value => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  };
}

function isBase(address: string): boolean {
  const url = URL.parse(address);
  return !url || (!url.search && !url.hash && !url.username && !url.password);
}

/** The service appends paths to a base URL. */
export const base = (example: string) =>
  url(/^https?$/, example)
    .refine(isBase, 'must be a URL without a user name, password, query or fragment')
    .transform((address) => address.replace(/\/+$/, ''));

export const visibleAscii = z.string().regex(/^[\x21-\x7e]+$/, 'must consist of visible ASCII characters');

export const vaultPath = z
  .string()
  .regex(/^[\w-]+(\/[\w-]+)*\/?$/, 'must be a path of letters, digits, - and _, such as team/secret')
  .transform((given) => given.replace(/\/$/, ''));
