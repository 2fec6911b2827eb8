import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMBINED_SETTINGS, SETTINGS } from '../../src/config-variables.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { BUILT_IN_ROLES, hasPermission, PERMISSIONS, type Permission } from '../../src/tenancy/permissions.js';

const read = (path: string): string => readFileSync(join(PROJECT_ROOT, path), 'utf8');

function linksOf(page: string): { target: string; heading: string }[] {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)];
  return links.map(([, path, heading = '']) => ({ target: path ? join(dirname(page), path) : page, heading }));
}

function hasHeading(page: string, anchor: string): boolean {
  if (!anchor) return true;
  const headings = read(page).match(/^#+ .*$/gm) ?? [];
  const anchors = headings.map((text) => text.replace(/^#+ /, '').toLowerCase());
  return anchors.some((text) => text.replace(/[^\w\s-]/g, '').replace(/\s/g, '-') === anchor);
}

describe('docs', () => {
  it('access.md lists the permissions of each built-in role', () => {
    const roles = Object.values(BUILT_IN_ROLES).map(({ permissions }) => new Set<string>(permissions));
    const rows = (Object.keys(PERMISSIONS) as Permission[]).map((permission) => {
      const marks = roles.map((grants) => (hasPermission(grants, permission) ? 'x' : ''));
      return `| \`${permission}\` | ${marks.join(' | ')} |`;
    });
    const shown = read('docs/access.md').match(/^\| `\w+:.*$/gm);
    expect(shown).toEqual(rows);
  });

  it('configuration.md lists every variable that the configuration reads', () => {
    const names = Object.values({ ...SETTINGS, ...COMBINED_SETTINGS }).map(({ name }) => name);
    expect(names.filter((name) => !read('docs/configuration.md').includes(`\`${name}`))).toEqual([]);
  });

  it('files.md explains exactly the WA-AF codes that the code uses', () => {
    const sources = ['src/csv', 'src/artifacts', 'src/tables', 'rest-facade'].flatMap((folder) =>
      readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => read(join(folder, name))),
    );
    const used = new Set(sources.flatMap((text) => text.match(/WA-AF-\d{3}/g) ?? []));
    const explained = [...read('docs/files.md').matchAll(/^\| `(WA-AF-\d{3})`/gm)].map(([, code]) => code as string);
    expect([...used].sort()).toEqual(explained);
  });

  it('links point to existing files and headings', () => {
    const pages = ['README.md', ...readdirSync(join(PROJECT_ROOT, 'docs')).map((name) => `docs/${name}`)];
    const broken = pages
      .filter((page) => page.endsWith('.md'))
      .flatMap((page) => linksOf(page).map((link) => ({ page, ...link })))
      .filter(({ target, heading }) => !existsSync(join(PROJECT_ROOT, target)) || !hasHeading(target, heading));
    expect(broken).toEqual([]);
  });

  it('operations.md lists log messages that the service writes', () => {
    const [, logs = ''] = /^## Logs\n([\s\S]*?)^##/m.exec(read('docs/operations.md')) ?? [];
    const messages = [...logs.matchAll(/^\| `([^`]+)`/gm)].map(([, message]) => message as string);
    const sources = readdirSync(join(PROJECT_ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(join('src', name)));
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message) => !sources.some((text) => text.includes(`'${message}'`)))).toEqual([]);
  });

  it('operations.md shows how to create a workspace in the image, which lacks the development tools', () => {
    expect(read('docs/operations.md')).toContain('node dist/scripts/create-workspace.js');
  });
});

describe('the image', () => {
  const image = read('Dockerfile')
    .split(/^FROM /m)
    .at(-1) as string;

  it('installs the optional packages that the service requires, such as the DuckDB binary', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const drivers = Object.keys(packages).filter((path) => path.startsWith('node_modules/@duckdb/node-bindings-linux'));
    expect(drivers.every((path) => packages[path].optional)).toBe(true);
    expect(image).toMatch(/^RUN npm ci --omit=dev /m);
    expect(image).not.toContain('--omit=optional');
  });

  it('stays healthy while its database is unreachable, because a restart would not help', () => {
    const [health] = image.match(/^HEALTHCHECK .*$/m) ?? [];
    expect(health).toContain('/healthz');
  });
});
