import { Extensions } from 'type-graphql';
import { AppError } from './errors.js';

/** Bounds of an argument or input field, in the words of JSON Schema; the OpenAPI document shows them as they are. */
export interface Bounds {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

const boundsOf = new Map<unknown, Map<string, Bounds>>();

/** States the bounds of a field once: they are checked on every call and printed with the schema. */
export function Limits(bounds: Bounds): PropertyDecorator {
  const extend = Extensions({ limits: bounds });
  return (target, key) => {
    extend(target, key);
    const fields = boundsOf.get(target) ?? new Map<string, Bounds>();
    boundsOf.set(target, fields.set(key as string, bounds));
  };
}

/** Refuses arguments and inputs outside their bounds, naming the field and never its value. */
export function checkLimits(input: unknown): void {
  if (typeof input !== 'object' || input === null) return;
  for (let shape = Object.getPrototypeOf(input); shape; shape = Object.getPrototypeOf(shape)) {
    for (const [name, bounds] of boundsOf.get(shape) ?? []) {
      const fault = faultOf((input as Record<string, unknown>)[name], bounds);
      if (fault) throw new AppError('BAD_REQUEST', `${name} ${fault}.`);
    }
  }
}

function faultOf(value: unknown, { minimum, maximum, minLength, maxLength, pattern }: Bounds): string | undefined {
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return `must be ${minimum} or more`;
    if (maximum !== undefined && value > maximum) return `must be ${maximum} or less`;
  }
  if (typeof value === 'string') {
    const length = [...value].length;
    if (minLength !== undefined && length < minLength) return `must have ${minLength} or more characters`;
    if (maxLength !== undefined && length > maxLength) return `must have ${maxLength} or fewer characters`;
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return `must match ${pattern}`;
  }
  return undefined;
}
