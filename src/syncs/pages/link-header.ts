/** One link: a URL in angle brackets, then parameters, whose values can be quoted (RFC 8288). */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** Returns undefined on the last page. */
export function nextLink(header: string | null): string | undefined {
  for (const [, url, parameters = ''] of (header ?? '').matchAll(LINK)) {
    const relation = [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === 'rel');
    const relations = (relation?.[2] ?? relation?.[3] ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return url || undefined;
  }
  return undefined;
}
