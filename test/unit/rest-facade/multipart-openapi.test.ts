import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STATUS_BY_CODE } from '../../../rest-facade/errors.js';
import { routes } from '../../../rest-facade/routes/index.js';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
const document: any = JSON.parse(readFileSync(join(PROJECT_ROOT, 'schema', 'openapi.json'), 'utf8'));

function responseOf(path: string, method: string, status: number): string {
  const response = document.paths[path][method].responses[status];
  return JSON.stringify(response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response);
}

describe('schema/openapi.json', () => {
  it('lists all codes of an operation, even if several have one status', () => {
    const untold = routes.flatMap(({ path, method, errorCodes: fails = [] }) =>
      fails
        .filter((code) => !responseOf(path, method, STATUS_BY_CODE[code]).includes(`"${code}: `))
        .map((code) => [path, code]),
    );
    expect(untold).toEqual([]);
  });

  it.each([
    [409, ['CONFLICT']],
    [413, ['WA-AF-012']],
    [415, ['UNSUPPORTED_MEDIA_TYPE', 'WA-AF-013']],
    [422, ['IDEMPOTENCY_KEY_REUSED', 'WA-AF-001', 'WA-AF-014', 'WA-AF-015', 'WA-AF-029']],
  ])('explains the status %d of an upload', (status, codes) => {
    const text = responseOf('/api/artifacts/upload-artifact', 'post', status);
    for (const code of codes) expect(text.split(`"${code}: `)).toHaveLength(2);
  });

  it('describes an upload as a form with a required file part and the fields of the other part', () => {
    const { content, required } = document.paths['/api/artifacts/upload-artifact'].post.requestBody;
    const { schema } = content['multipart/form-data'];
    expect([required, Object.keys(content), schema.required]).toEqual([true, ['multipart/form-data'], ['file']]);
    expect(schema.properties.file).toMatchObject({ type: 'string', format: 'binary' });
    expect(schema.properties.data.type).toBe('string');
    for (const field of ['fileName', 'path']) expect(schema.properties.data.description).toContain(`- \`${field}\``);
  });
});
