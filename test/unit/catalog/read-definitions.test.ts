import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DefinitionError,
  parseDefinition,
  readDefinitions,
} from '../../../src/catalog/definitions/read-definitions.js';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';
import {
  aConfigSchema,
  aConnector,
  aGrouping,
  aStrategy,
  aTap,
  aVendor,
  definitionFaultsOf,
  yamlOf,
} from '../../support/catalog/definition-builders.js';

const ACME = `slug: acme
name: Acme
sortOrder: 10
groupings:
  - slug: issues
    name: Issues
    releaseStage: planned
`;

describe('a definition', () => {
  it('has the values of the file', () => {
    const vendor = aVendor({ description: 'A: "b"\n# c', logo: { url: 'https://acme.test/logo.svg', 404: [1, null] } });
    expect(parseDefinition(yamlOf(vendor), 'catalog/acme.yaml')).toEqual(vendor);
  });

  it.each([
    ['a byte order mark', `\uFEFF${ACME}`],
    ['Windows line endings', ACME.replaceAll('\n', '\r\n')],
    ['a comment and a document start', `# Acme\n---\n${ACME}`],
    ['no final line break', ACME.trimEnd()],
  ])('may have %s', (_, text) => {
    expect(parseDefinition(text, 'acme.yaml').name).toBe('Acme');
  });

  it.each([
    ['no content', '', '1:1 schema/type: definition: must be object'],
    ['a text instead of fields', 'acme', '1:1 schema/type: definition: must be object'],
    ['a second document', `${ACME}---\n${ACME}`, /^8:1 yaml: Source contains multiple documents/],
    ['a bracket that is not closed', `${ACME}logo: {`, /^8:8 yaml: Flow map .* end with a }/],
    ['a tab', ACME.replace('  -', '\t-'), /^5:1 yaml: Tabs are not allowed as indentation/],
    ['a key twice', `${ACME}name: Acme\n`, /^8:1 yaml: Map keys must be unique/],
    ['a key twice, deep inside', `${ACME}    name: Issues\n`, /^8:5 yaml: Map keys must be unique/],
    ['an alias', ACME.replace('name: Acme', 'name: &a Acme\ndescription: *a'), /^3:14 yaml: .*alias/i],
    ['an alias without an anchor', ACME.replace('name: Acme', 'name: *a'), /^2:7 yaml: .*alias/i],
    ['an alias bomb', `${ACME}logo:\n${aBomb()}`, /^10:10 yaml: .*alias/i],
    ['a tag', ACME.replace('Acme', '!secret Acme'), /^2:15 yaml: .*tag/i],
    ['a tag of YAML 1.1', `${ACME}logo: !!set { a, b }\n`, /^8:13 yaml: .*tag/i],
    ['an unknown field', ACME.replace('name: Acme', 'nmae: Acme'), /^2:\d+ schema\/additional.*: unknown field nmae/],
    [
      'an unknown field, deep inside',
      `${ACME}    colour: red\n`,
      /^8:\d+ schema\/additionalProperties: groupings.0: unknown field colour/,
    ],
    [
      'a prototype property as a field',
      `${ACME}__proto__: {}\n`,
      /^8:\d+ schema\/additional.*: unknown field __proto__/,
    ],
    ['a derived field', `${ACME}    isLeaf: true\n`, /^8:\d+ schema\/additional.*: unknown field isLeaf/],
    [
      'a missing field',
      ACME.replace('sortOrder: 10\n', ''),
      "1:1 schema/required: definition: must have required property 'sortOrder'",
    ],
    [
      'a missing field, deep inside',
      ACME.replace('    name: Issues\n', ''),
      "5:5 schema/required: groupings.0: must have required property 'name'",
    ],
    ['a wrong type', ACME.replace('10', 'ten'), '3:12 schema/type: sortOrder: must be integer'],
    [
      'a wrong type, deep inside',
      ACME.replace('Issues', '[Issues]'),
      '6:11 schema/type: groupings.0.name: must be string',
    ],
    ['null instead of a string', ACME.replace(' Acme', ''), '2:6 schema/type: name: must be string'],
    ['a fraction instead of an integer', ACME.replace('10', '1.5'), '3:12 schema/type: sortOrder: must be integer'],
    [
      'an unknown value',
      ACME.replace('planned', 'soon'),
      /^7:19 schema\/enum: groupings.0.releaseStage: .*: planned, private_preview, alpha,/,
    ],
    [
      'a slug with invalid characters',
      ACME.replace('issues', 'Is_sues'),
      /^5:11 schema\/pattern: groupings.0.slug: must match/,
    ],
    [
      'a slug that is too long',
      ACME.replace('issues', 'a'.repeat(65)),
      /^5:11 schema\/maxLength: groupings.0.slug: must NOT have more than 64/,
    ],
  ])('with %s is rejected with file, line, column and rule', (_, text, fault) => {
    expect(definitionFaultsOf(text)).toContainEqual(
      typeof fault === 'string' ? `acme.yaml:${fault}` : expect.stringMatching(under('acme.yaml:', fault)),
    );
  });

  it.each([
    ['a number above 32 bits', ACME.replace('10', '2147483648'), /^3:12 schema\/maximum: sortOrder: /],
    ['a number below 32 bits', ACME.replace('10', '-2147483649'), /^3:12 schema\/minimum: sortOrder: /],
    ['a number that is not finite', `${ACME}logo: { width: .nan }\n`, /^8:16 yaml: /],
    ['a string with a NUL', ACME.replace(' Acme', ' "A\\0"'), /^2:7 yaml: /],
    ['a string with an unpaired surrogate', ACME.replace(' Acme', ' "A\\uD800"'), /^2:7 yaml: /],
    ['a second that does not exist', enabledSince('2016-12-31T23:59:60Z'), /^\d+:23 schema\/format: /],
    ['a day that does not exist', enabledSince('2023-02-29T00:00:00Z'), /^\d+:23 schema\/format: /],
    ['a time zone without minutes', enabledSince('2016-12-31T23:59:00+05'), /^\d+:23 schema\/format: /],
    ['a time without a zone', enabledSince('2016-12-31T23:59:00'), /^\d+:23 schema\/format: /],
    ['a date alone', enabledSince('2016-12-31'), /^\d+:23 schema\/format: /],
  ])('with %s, which PostgreSQL cannot store, is rejected with its position', (_, text, fault) => {
    expect(definitionFaultsOf(text)).toEqual([expect.stringMatching(under('acme.yaml:', fault))]);
  });

  it.each(['2016-12-31T23:59:59Z', '2024-02-29T12:00:00.123+05:30'])('accepts %s as enabledSince', (time) => {
    expect(definitionFaultsOf(enabledSince(time))).toEqual([]);
  });

  it('with an empty field in a config schema is rejected without a crash', () => {
    const strategy = aStrategy({ configSchema: aConfigSchema({ token: null }) });
    const text = yamlOf(aVendor({ connectors: [aConnector({ supportedAuthStrategies: [strategy] })] }));
    expect(definitionFaultsOf(text)).toContainEqual(expect.stringMatching(/^acme\.yaml:\d+:\d+ secrets-are-marked: /));
  });

  it('is read as YAML 1.2, regardless of its YAML directive', () => {
    const text = `%YAML 1.1\n---\n${ACME}logo: { a: yes, b: 2020-01-01 }\n`;
    expect(parseDefinition(text, 'acme.yaml').logo).toEqual({ a: 'yes', b: '2020-01-01' });
  });

  it('lists all faults of its fields', () => {
    const text = ACME.replace('sortOrder: 10', 'sortOrder: ten\nhello: 1').replace('planned', 'soon');
    expect(
      definitionFaultsOf(text)
        .map((fault) => fault.split(' ')[1])
        .sort(),
    ).toEqual(['schema/additionalProperties:', 'schema/enum:', 'schema/type:']);
  });

  it('lists all violated rules', () => {
    const vendor = aVendor({
      slug: 'other',
      connectors: [aConnector(), aConnector({ key: 'spare' })],
      groupings: [aGrouping(), aGrouping({ connector: 'none' })],
    });
    expect(
      definitionFaultsOf(yamlOf(vendor))
        .map((fault) => fault.split(' ')[1])
        .sort(),
    ).toEqual(['connector-exists:', 'connector-is-offered:', 'named-once:', 'slug-is-file-name:']);
  });

  it('lists all YAML errors', () => {
    expect(definitionFaultsOf(`${ACME}name: Acme\nslug: acme\n`)).toHaveLength(2);
  });
});

describe('a folder of definitions', () => {
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'taproot-definitions-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function aFolder(files: Record<string, string>): Promise<string> {
    const path = join(folder, String(count++));
    await mkdir(path);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
    }
    return path;
  }

  const good = (slug: string): string => yamlOf(aVendor({ slug }));

  it('is read in the order of file names, after the previous folders', async () => {
    const first = await aFolder({ 'm.yaml': good('m'), 'b.yaml': good('b') });
    const second = await aFolder({ 'a.yaml': good('a') });
    expect((await readDefinitions([first, second])).map(({ slug }) => slug)).toEqual(['b', 'm', 'a']);
  });

  it('may be empty or contain other files', async () => {
    const other = await aFolder({ 'README.md': '# Definitions', 'definition.schema.json': '{}' });
    expect(await readDefinitions([await aFolder({}), other])).toEqual([]);
  });

  it('reads subfolders, ordered by slug, without hidden folders', async () => {
    const path = await aFolder({ 'b.yaml': good('b'), 'z/a.yaml': good('a'), '..data/b.yaml': good('b') });
    expect((await readDefinitions([path])).map(({ slug }) => slug)).toEqual(['a', 'b']);
  });

  it('fails as a whole if one file is invalid', async () => {
    const path = await aFolder({ 'a.yaml': good('a'), 'b.yaml': 'name: [', 'c.yaml': good('c') });
    const { faults } = await errorOf([path]);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(under(`${path}/b.yaml:`, /^\d+:\d+ yaml: /));
  });

  it.each([
    ['an alias bomb', `a:\n${aBomb()}`],
    [
      'an empty field in a config schema',
      yamlOf(aVendor({ slug: 'b' })).replace(/token:\n +type.*\n +secret.*/, 'token:'),
    ],
  ])('names the file that has %s', async (_, text) => {
    const path = await aFolder({ 'a.yaml': good('a'), 'b.yaml': text });
    expect((await errorOf([path])).message).toContain(`${path}/b.yaml:`);
  });

  it('reports the faults of all invalid files in all folders', async () => {
    const first = await aFolder({ 'a.yaml': '', 'b.yaml': good('b'), 'c.yaml': good('d') });
    const second = await aFolder({ 'e.yaml': '', 'f.yaml': `${ACME}name: Acme\nslug: acme\n` });
    expect(await errorOf([first, second])).toHaveProperty('faults', [
      `${first}/a.yaml:1:1 schema/type: definition: must be object`,
      `${first}/c.yaml:1:7 slug-is-file-name: the slug is d, but the file is c.yaml`,
      `${second}/e.yaml:1:1 schema/type: definition: must be object`,
      expect.stringContaining(`${second}/f.yaml:8:1 yaml: `),
      expect.stringContaining(`${second}/f.yaml:9:1 yaml: `),
    ]);
  });

  it('must not define a vendor of another folder', async () => {
    const first = await aFolder({ 'acme.yaml': good('acme') });
    const second = await aFolder({ 'acme.yaml': good('acme'), 'b.yaml': good('b') });
    expect(await errorOf([first, second])).toHaveProperty('faults', [
      `${second}/acme.yaml:1:1 vendor-defined-once: ${first}/acme.yaml also defines this vendor`,
    ]);
  });

  it('must not define an included vendor', async () => {
    const path = await aFolder({ 'acme.yaml': good('acme') });
    await expect(readDefinitions([path], [aVendor({ slug: 'acme' })])).rejects.toHaveProperty('faults', [
      `${path}/acme.yaml:1:1 vendor-defined-once: the bundled catalog also defines this vendor`,
    ]);
  });

  it('rejects a .yml file, which would otherwise be ignored', async () => {
    const path = await aFolder({ 'acme.yml': good('acme') });
    expect(await errorOf([path])).toHaveProperty('faults', [
      `${path}/acme.yml:1:1 file-name: the file must be named <slug>.yaml`,
    ]);
  });

  it('is named in the error if it does not exist', async () => {
    await expect(readDefinitions([join(folder, 'none')])).rejects.toMatchObject({
      code: 'ENOENT',
      path: join(folder, 'none'),
    });
  });

  it('is valid in the shipped catalog', async () => {
    const shipped = join(PROJECT_ROOT, 'catalog');
    const folders = (await readdir(shipped, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const slugs = (await readDefinitions([shipped])).map(({ slug }) => slug);
    expect(slugs).toEqual(folders.map(({ name }) => name).sort());
  });

  async function errorOf(folders: string[]): Promise<DefinitionError> {
    const outcome = await readDefinitions(folders).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(DefinitionError);
    return outcome as DefinitionError;
  }
});

function enabledSince(time: string): string {
  return yamlOf(aVendor({ connectors: [aConnector({ taps: [aTap({ enabledSince: time })] })] }));
}

/**
 * Nine nested levels of nine items each: 387,420,489 items if the parser resolves the aliases. The first alias is at
 * line 2, column 10.
 */
function aBomb(): string {
  const lines = ['  a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [before, name] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi']) {
    lines.push(`  ${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
  }
  return `${lines.join('\n')}\n`;
}

function under(start: string, { source }: RegExp): RegExp {
  return new RegExp(`^${start.replaceAll('.', '\\.')}${source.replace('^', '')}`);
}
