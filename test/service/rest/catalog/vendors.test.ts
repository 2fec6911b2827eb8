import { describe, expect, it } from 'vitest';
import { aService } from '../../../support/service/service.js';

const service = aService();

interface Grouping {
  name: string;
  isLeaf: boolean;
  breadcrumbs: string[];
  groupingPath: string;
  groupings: Grouping[];
  vendor: { slug: string; groupings: unknown[] };
  parent?: { groupingPath: string; groupings: unknown[] };
  connectorId?: string;
  supportedAuthStrategies?: unknown[];
  supportedInboundAuthStrategies?: unknown[];
}

function flatten(groupings: Grouping[]): Grouping[] {
  return groupings.flatMap((grouping) => [grouping, ...flatten(grouping.groupings)]);
}

describe('GET /api/vendors/platform-vendors', () => {
  const list = (query = '') => service.request(`/api/vendors/platform-vendors${query}`);
  const slugs = async (query: string): Promise<string[]> =>
    (await list(query)).body.data.items.map(({ slug }: { slug: string }) => slug);

  it('requires no authentication, and returns the envelope', async () => {
    const { status, body } = await list('?limit=2');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'meta', 'links']);
    expect(body.data).toMatchObject({ limit: 2, offset: 0, total: body.meta.totalCount });
    expect(body.data.items).toHaveLength(2);
  });

  it('returns 50 vendors by default, by sort order and name', async () => {
    const { items, limit } = (await list()).body.data;
    const sorted = [...items].sort((a, b) => a.sortOrder - b.sortOrder || (a.name < b.name ? -1 : 1));
    expect(limit).toBe(50);
    expect(items).toEqual(sorted);
  });

  it('links the pages with absolute URLs, or null if there is no such page', async () => {
    const { links, meta } = (await list('?limit=3&offset=3&search=a')).body;
    const page = (offset: number): string =>
      `${service.url}/api/vendors/platform-vendors?limit=3&offset=${offset}&search=a`;
    const last = (Math.ceil(meta.totalCount / 3) - 1) * 3;
    expect(links).toEqual({ first: page(0), last: page(last), next: page(6), prev: page(0) });
    expect((await list('?limit=250')).body.links).toMatchObject({ next: null, prev: null });
  });

  it('returns a logo for every included vendor, which the service serves without scripts', async () => {
    for (const { slug, name, logo } of (await list('?limit=250')).body.data.items) {
      expect(logo).toEqual({ url: `/logos/${slug}.svg`, alt: name });
      const response = await fetch(`${service.url}${logo.url}`);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox$/);
      expect(await response.text()).toMatch(
        /^<svg [^<]*<title>[^<]*<\/title>(<(path|rect|text) [^<]*(<\/text>|\/>))+<\/svg>\s*$/,
      );
    }
  });

  it('pages through every vendor once', async () => {
    const seen: string[] = [];
    let next: string | null = `${service.url}/api/vendors/platform-vendors?limit=7`;
    while (next) {
      const { body } = await service.request(next.slice(service.url.length));
      seen.push(...body.data.items.map(({ slug }: { slug: string }) => slug));
      next = body.links.next;
    }
    expect(seen).toEqual(await slugs('?limit=250'));
  });

  it.each([
    ['the name', 'gitHUB', 'github'],
    ['the slug', 'google-work', 'google-workspace'],
    ['the description', 'REPOSITOR', 'github'],
  ])('searches %s case-insensitively', async (_, search, expected) => {
    expect(await slugs(`?search=${encodeURIComponent(search)}`)).toContain(expected);
  });

  it.each(['%', '_', '\\', "'", '%25%25'])('matches %s in a search literally', async (search) => {
    expect(await slugs(`?search=${encodeURIComponent(search)}`)).toEqual([]);
  });

  it.each([
    ['limit=0', 'limit must be 1 or more'],
    ['limit=251', 'limit must be 250 or less'],
    ['limit=-1', 'limit must be 1 or more'],
    ['limit=abc', 'limit is not a valid Int'],
    ['limit=1.5', 'limit is not a valid Int'],
    ['limit=', 'limit is not a valid Int'],
    ['limit=99999999999', 'limit is not a valid Int'],
    ['limit=1&limit=2', 'limit is given more than once'],
    ['offset=-1', 'offset must be 0 or more'],
    [`search=${'a'.repeat(101)}`, 'search must have 100 or fewer characters'],
    ['page=1', '"page" is not a parameter of this URL'],
    ['__proto__=1', '"__proto__" is not a parameter of this URL'],
  ])('rejects ?%s', async (query, sentence) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.error]).toEqual([400, `BAD_REQUEST: ${sentence}.`]);
  });
});

describe('GET /api/vendors/platform-vendors/{slug}', () => {
  it('returns the vendor with its whole tree', async () => {
    const { body } = await service.request('/api/vendors/platform-vendors/atlassian');
    expect(body.data.slug).toBe('atlassian');
    expect(body.meta.totalCount).toBeNull();
    expect(body).not.toHaveProperty('links');
    expect(flatten(body.data.groupings).length).toBeGreaterThan(2);
  });

  it('is 404 for a vendor that does not exist', async () => {
    const { status, body } = await service.request('/api/vendors/platform-vendors/none');
    expect([status, body]).toEqual([404, { error: 'NOT_FOUND: The vendor does not exist.' }]);
  });
});

describe('GET /api/vendors/platform-vendor-groupings/{vendorSlug}', () => {
  const tree = async (slug: string): Promise<Grouping[]> =>
    (await service.request(`/api/vendors/platform-vendor-groupings/${slug}`)).body.data;

  it.each(['atlassian', 'google-workspace', 'microsoft'])('nests the full hierarchy of %s', async (slug) => {
    for (const { groupings, breadcrumbs, groupingPath, isLeaf } of flatten(await tree(slug))) {
      expect(isLeaf).toBe(groupings.length === 0);
      expect(breadcrumbs).toHaveLength(groupingPath.split('/').length + 1);
      for (const child of groupings) expect(child.parent).toMatchObject({ groupingPath, groupings: [] });
    }
  });

  it('omits groupings in the vendor of a grouping', async () => {
    for (const { vendor } of flatten(await tree('github'))) {
      expect(vendor).toMatchObject({ slug: 'github', groupings: [] });
    }
  });

  it('returns the known strategies of a planned leaf, but no connector', async () => {
    const { body } = await service.request('/api/vendors/platform-vendor-groupings/github');
    const leaf = (path: string): Grouping =>
      flatten(body.data).find(({ groupingPath }) => groupingPath === path) as Grouping;
    const planned = leaf('enterprise-server');
    expect(planned).toMatchObject({ releaseStage: 'planned', isLeaf: true });
    expect(planned.connectorId).toBeUndefined();
    expect(planned.supportedAuthStrategies).toMatchObject([{ type: 'bearer' }, {}]);
    expect(planned.supportedAuthStrategies).toEqual(leaf('cloud/api').supportedAuthStrategies);
  });

  it('returns strategies or inbound strategies for every leaf with a connector', async () => {
    const { items } = (await service.request('/api/vendors/platform-vendors?limit=250')).body.data;
    const leaves = items.flatMap((vendor: { groupings: Grouping[] }) =>
      flatten(vendor.groupings).filter(({ connectorId }) => connectorId),
    );
    expect(leaves.length).toBeGreaterThan(20);
    for (const { groupingPath, supportedAuthStrategies = [], supportedInboundAuthStrategies = [] } of leaves)
      expect([groupingPath, supportedAuthStrategies.length + supportedInboundAuthStrategies.length > 0]).toEqual([
        ...[groupingPath, true],
      ]);
  });

  it('returns the strategies of leaves, without fields that have no value', async () => {
    const leaves = flatten(await tree('github')).filter(({ connectorId }) => connectorId);
    expect(leaves.length).toBeGreaterThan(0);
    for (const leaf of leaves) expect(leaf).toHaveProperty('supportedAuthStrategies');
    expect(JSON.stringify(leaves).replaceAll(/"(default|const)":null/g, '')).not.toContain(':null');
  });

  it('is 404 for a vendor that does not exist', async () => {
    expect((await service.request('/api/vendors/platform-vendor-groupings/none')).status).toBe(404);
  });
});

describe('the public catalog', () => {
  const addresses = ['platform-vendors?limit=2', 'platform-vendors/github', 'platform-vendor-groupings/github'];

  it.each(addresses)('returns 304 while %s is unchanged', async (address) => {
    const path = `/api/vendors/${address}`;
    const first = await service.request(path);
    const etag = first.headers.get('etag') as string;
    expect(etag).toMatch(/^(W\/)?"[\w-]+"$/);
    const again = await service.request(path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await service.request(path, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('responds to HEAD with the length of GET and no body', async () => {
    const path = '/api/vendors/platform-vendors/github';
    const headers = { 'accept-encoding': 'identity' };
    const [get, head] = await Promise.all([
      service.request(path, { headers }),
      service.request(path, { headers, method: 'HEAD' }),
    ]);
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
  });
});
