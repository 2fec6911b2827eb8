import { OBJECT_NAME } from '../../catalog/model/object-tap.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';

/** Without a window, both times are missing. `since` is also missing if the window has no start. */
export interface WindowTimes {
  readonly since?: string | number;
  readonly until?: string | number;
}

/** Returns undefined if a time or an optional config field has no value. */
export type TemplateValues = (name: string) => unknown;

/**
 * Looks for a variable in the time window, the request variables, the config fields and the object name, in this order.
 * Throws `TapReadError` if the parent record has no value for a variable.
 */
export function templateValues({ tap, variables, config }: TapReading, times: WindowTimes): TemplateValues {
  return (name) => {
    if (name === 'since' || name === 'until') return times[name];
    if (Object.hasOwn(variables, name)) {
      // Without the value, the request could return the records of all parents.
      if (!variables[name]) throw missingParentValue(name);
      return variables[name];
    }
    const other = name === OBJECT_NAME ? tap.objectName : undefined;
    const value = Object.hasOwn(config, name) ? config[name] : other;
    return value === null || value === '' ? undefined : value;
  };
}

export function missingParentValue(name: string): TapReadError {
  return new TapReadError('contract', 'skip_slice', `The parent record has no usable value for {${name}}.`);
}
