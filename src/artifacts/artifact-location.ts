import { type Bounds, findBoundsFault } from '../kernel/entities/field-limits.js';
import { AppError } from '../kernel/errors.js';

/** Control characters, what turns the direction of writing so that a name looks like another, and slashes. */
const NOT_IN_NAMES = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\\\';

const SEGMENT = `(?!\\.{1,2}(/|$))[^/${NOT_IN_NAMES}]+`;

/** A name without a path. */
export const FILE_NAME_LIMITS: Bounds = {
  ...{ minLength: 1, maxLength: 255, pattern: `^${SEGMENT}$` },
  says: 'may not hold a slash, a backslash, control characters or signs that turn the direction of writing, nor be . or ..',
};

/** `/` is the root. */
export const FOLDER_LIMITS: Bounds = {
  ...{ minLength: 1, maxLength: 1_024, pattern: `^(/|(/${SEGMENT})+)$` },
  says: 'must be / or such as /reports/2026, each part of it a name without control characters and other than . and ..',
};

/** Where somebody wants to see a file. */
export interface ArtifactLocation {
  readonly fileName: string;
  /** Undefined: the root. */
  readonly path: string | undefined;
}

/** Name and folder of an upload, in NFC. Throws WA-AF-014. */
export function validateArtifactLocation(
  fileName: string | undefined,
  path: string | null | undefined,
): ArtifactLocation {
  const named = { fileName: fileName?.normalize('NFC') ?? '', path: path?.normalize('NFC') ?? '/' };
  const fault = faultIn('fileName', named.fileName, FILE_NAME_LIMITS) ?? faultIn('path', named.path, FOLDER_LIMITS);
  if (fault) throw new AppError('WA-AF-014', `${fault}.`);
  return { fileName: named.fileName, path: normalizeFolder(named.path) };
}

/** As it is kept. */
export function normalizeFolder(path: string | null | undefined): string | undefined {
  return path === '/' ? undefined : path?.normalize('NFC');
}

function faultIn(name: string, value: string, bounds: Bounds): string | undefined {
  const fault = value.isWellFormed() ? findBoundsFault(value, bounds) : 'is not well-formed Unicode';
  return fault && `${name} ${fault}`;
}
