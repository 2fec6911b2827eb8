import { type Bounds, findBoundsFault } from '../kernel/entities/field-limits.js';
import { AppError } from '../kernel/errors.js';

/** Includes bidirectional controls, which can make one name look like another. */
const NOT_IN_NAMES = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\\\';

const SEGMENT = `(?!\\.{1,2}(/|$))[^/${NOT_IN_NAMES}]+`;

export const FILE_NAME_LIMITS: Bounds = {
  ...{ minLength: 1, maxLength: 255, pattern: `^${SEGMENT}$` },
  says: 'must not be "." or "..", and must not contain slashes, backslashes, control characters or bidirectional controls',
};

export const FOLDER_LIMITS: Bounds = {
  ...{ minLength: 1, maxLength: 1_024, pattern: `^(/|(/${SEGMENT})+)$` },
  says: 'must be / or a path such as /reports/2026. Names in the path must not be empty, "." or "..", and must not contain backslashes, control characters or bidirectional controls. The path must not end with a slash',
};

export interface ArtifactLocation {
  readonly fileName: string;
  /** Undefined for the root. */
  readonly path: string | undefined;
}

/** Normalizes the name and the folder to NFC. Throws WA-AF-014 if one of them is invalid. */
export function validateArtifactLocation(
  fileName: string | undefined,
  path: string | null | undefined,
): ArtifactLocation {
  const named = { fileName: fileName?.normalize('NFC') ?? '', path: path?.normalize('NFC') ?? '/' };
  const fault = findFault('fileName', named.fileName, FILE_NAME_LIMITS) ?? findFault('path', named.path, FOLDER_LIMITS);
  if (fault) throw new AppError('WA-AF-014', `${fault}.`);
  return { fileName: named.fileName, path: normalizeFolder(named.path) };
}

/** Converts a folder to its stored form: NFC, and undefined for the root. */
export function normalizeFolder(path: string | null | undefined): string | undefined {
  return path === '/' ? undefined : path?.normalize('NFC');
}

function findFault(name: string, value: string, bounds: Bounds): string | undefined {
  const fault = value.isWellFormed() ? findBoundsFault(value, bounds) : 'is not well-formed Unicode';
  return fault && `${name} ${fault}`;
}
