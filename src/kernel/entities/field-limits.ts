import { Extensions } from 'type-graphql';
import { AppError } from '../errors.js';

/**
 * Bounds of an argument or input field. The keys except `says` and `notNull` are JSON Schema keywords, which the
 * OpenAPI document copies.
 */
export interface Bounds {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  /** Error message for `pattern`. Completes a sentence that starts with the field name. */
  says?: string;
  minItems?: number;
  maxItems?: number;
  /** A client may omit the field, but must not set it to null. */
  notNull?: true;
}

export const NOT_BLANK = { pattern: '\\S', says: 'must not be blank' } as const satisfies Bounds;

export const NAME_BOUNDS = { minLength: 1, maxLength: 200, ...NOT_BLANK } as const satisfies Bounds;

const boundsOf = new Map<unknown, Map<string, Bounds>>();

/**
 * The service checks the bounds on every call and prints them in the schema. For a list of strings, text bounds apply
 * to each item.
 */
export function Limits(bounds: Bounds): PropertyDecorator {
  const extend = Extensions({ limits: bounds });
  return (target, key) => {
    extend(target, key);
    const fields = boundsOf.get(target) ?? new Map<string, Bounds>();
    boundsOf.set(target, fields.set(key as string, bounds));
  };
}

/**
 * Throws BAD_REQUEST for arguments and nested inputs outside their bounds, and for texts that PostgreSQL cannot store
 * unchanged. The message contains the name of the field, but not its value.
 */
export function checkLimits(input: unknown): void {
  if (typeof input === 'object' && input !== null) checkBelow(input, '');
}

function checkBelow(input: object, place: string): void {
  for (const [name, value] of Object.entries(input)) {
    const texts = [value].flat().filter((text) => typeof text === 'string');
    // PostgreSQL cannot store a NUL, and the conversion to UTF-8 would change an unpaired surrogate.
    if (texts.some((text) => text.includes('\0')))
      throw new AppError('BAD_REQUEST', `${place}${name} must not contain a NUL character.`);
    if (!texts.every((text) => text.isWellFormed()))
      throw new AppError('BAD_REQUEST', `${place}${name} is not well-formed Unicode.`);
  }
  for (let shape = Object.getPrototypeOf(input); shape; shape = Object.getPrototypeOf(shape)) {
    for (const [name, bounds] of boundsOf.get(shape) ?? []) {
      const fault = findBoundsFault((input as Record<string, unknown>)[name], bounds);
      if (fault) throw new AppError('BAD_REQUEST', `${place}${name} ${fault}.`);
    }
  }
  for (const [name, value] of Object.entries(input)) {
    if (isBounded(value)) checkBelow(value, `${place}${name}.`);
    for (const [at, item] of (Array.isArray(value) ? value : []).entries())
      if (isBounded(item)) checkBelow(item, `${place}${name}[${at}].`);
  }
}

/** JSON objects, times and files have no bounds. */
function isBounded(value: unknown): value is object {
  return typeof value === 'object' && value !== null && boundsOf.has(Object.getPrototypeOf(value));
}

/**
 * Returns undefined if the value is within the bounds. The error message completes a sentence that starts with the
 * field name.
 */
export function findBoundsFault(value: unknown, bounds: Bounds): string | undefined {
  if (value === null) return bounds.notNull && 'may be omitted, but must not be null';
  if (typeof value === 'number') return faultOfNumber(value, bounds);
  if (typeof value === 'string') return faultOfText(value, bounds);
  if (!Array.isArray(value)) return undefined;
  const { minItems, maxItems } = bounds;
  if (minItems !== undefined && value.length < minItems) return `must have ${minItems} or more items`;
  if (maxItems !== undefined && value.length > maxItems) return `must have ${maxItems} or fewer items`;
  return value.map((item) => findBoundsFault(item, bounds)).find((fault) => fault !== undefined);
}

function faultOfNumber(value: number, { minimum, maximum }: Bounds): string | undefined {
  if (minimum !== undefined && value < minimum) return `must be ${minimum} or more`;
  if (maximum !== undefined && value > maximum) return `must be ${maximum} or less`;
  return undefined;
}

function faultOfText(value: string, { minLength, maxLength, pattern, says }: Bounds): string | undefined {
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) return `must have ${minLength} or more characters`;
  if (maxLength !== undefined && length > maxLength) return `must have ${maxLength} or fewer characters`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return says ?? `must match ${pattern}`;
  return undefined;
}
