import { describe, expect, it } from '@jest/globals';
import { aService } from '../support/service.js';

const service = aService();

describe('GET /api/vendors/platform-vendors', () => {
  const list = (query = '') => service.request(`/api/vendors/platform-vendors${query}`);

  it('answers anybody, in the envelope', async () => {
    const { status, body } = await list('?limit=2');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'meta', 'links']);
    expect(body.data).toMatchObject({ limit: 2, offset: 0, total: body.meta.totalCount });
    expect(body.data.items).toHaveLength(2);
  });

  it('is ordered by sort order, then name', async () => {
    const { items } = (await list('?limit=250')).body.data;
    const sorted = [...items].sort((a, b) => a.sortOrder - b.sortOrder || (a.name < b.name ? -1 : 1));
    expect(items.map(({ slug }: { slug: string }) => slug)).toEqual(sorted.map(({ slug }) => slug));
  });
});
