import type { CursorPagination } from '../../catalog/model/pagination.js';
import { evaluateJmesPath, matchesJmesPath } from '../../kernel/formats/jmespath.js';
import type { PageToken } from '../page-token.js';
import { rawNumberOf } from '../responses/parse-lossless-json.js';
import type { TapPage } from '../tap-page.js';
import { TapReadError } from '../tap-read-error.js';

/**
 * Returns undefined after the last page. Throws `TapReadError` if the response announces another page, but has no
 * cursor.
 */
export function nextCursor(
  settings: CursorPagination,
  token: PageToken,
  { document, headers }: Pick<TapPage, 'document' | 'headers'>,
): PageToken | undefined {
  const { cursorIsFullUrl, cursorIsNumber, cursorLinkParam, cursorHeader, hasMorePath } = settings;
  const path = (token.cursor !== undefined && settings.nextCursorPath) || settings.cursorPath;
  const inBody = path ? evaluateJmesPath(path, document) : null;
  const found = cursorHeader ? headers.get(cursorHeader) : inBody;
  const cursor = cursorLinkParam ? linkParameter(found, cursorLinkParam) : found;
  const isMissing = isNoCursor(cursor);
  if (hasMorePath) {
    const hasMore = evaluateJmesPath(hasMorePath, document);
    // A negation is also true if its field is missing, so it does not prove that another page follows.
    if (hasMore === true && isMissing && !hasMorePath.startsWith('!'))
      throw new TapReadError('contract', 'fail_tap', 'The response says that another page follows, but has no cursor.');
    const isOtherShape = hasMore === null && path === settings.nextCursorPath;
    if (!isOtherShape && !matchesJmesPath(hasMorePath, document)) return undefined;
  }
  if (isMissing) return undefined;
  if (cursorIsFullUrl) return { url: `${cursor}` };
  return { cursor: cursorIsNumber ? numberOf(cursor) : cursor };
}

function numberOf(cursor: unknown): number {
  const number = Number(cursor);
  if (Number.isSafeInteger(number)) return number;
  throw new TapReadError('contract', 'fail_tap', 'The cursor in the header of the response is not a number.');
}

function isNoCursor(cursor: unknown): boolean {
  if (cursor === undefined || cursor === null || cursor === '' || typeof cursor === 'boolean') return true;
  return typeof cursor === 'object' && rawNumberOf(cursor) === undefined && Object.keys(cursor).length === 0;
}

/** The link may be relative. */
function linkParameter(link: unknown, name: string): string | null {
  return typeof link === 'string' ? (URL.parse(link, 'https://host.invalid')?.searchParams.get(name) ?? null) : null;
}
