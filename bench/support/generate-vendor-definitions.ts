import type { GroupingDefinition, VendorDefinition } from '../../src/catalog/definitions/definition.js';
import { generateConnectorDefinition } from './generate-connector-definition.js';

/** Groupings by slug. The key of a leaf's connector is the path of the leaf, joined with hyphens. */
type Tree = { [slug: string]: Tree } | 'leaf';

/** Trees of five successive vendors: 20 groupings, of which 15 are leaves. */
const TREES: readonly Record<string, Tree>[] = [
  { suite: { cloud: { eu: 'leaf', us: 'leaf', gov: 'leaf' }, onsite: { server: 'leaf', datacenter: 'leaf' } } },
  { platform: { api: 'leaf', webhooks: 'leaf' } },
  { platform: { api: 'leaf', files: 'leaf' } },
  { api: 'leaf', export: 'leaf', audit: 'leaf' },
  { api: 'leaf', warehouse: 'leaf', events: 'leaf' },
];

const TRADES = [
  'Analytics',
  'Billing',
  'Calendar',
  'Chat',
  'Design',
  'Helpdesk',
  'Hosting',
  'Identity',
  'Payroll',
  'Tasks',
];

export const DEEPEST_VENDOR_SLUG = slugOf(0);

/** One in ten vendors has this text in its description. */
export const SEARCH_TERM = 'payroll';

/** The vendors have the numbers `from` to `from + count - 1`. */
export function generateVendorDefinitions(count: number, from = 0): VendorDefinition[] {
  return Array.from({ length: count }, (_, index) => vendorDefinition(from + index));
}

function slugOf(number: number): string {
  return `vendor-${String(number).padStart(4, '0')}`;
}

function vendorDefinition(number: number): VendorDefinition {
  const slug = slugOf(number);
  const trade = TRADES[Math.floor(number / TREES.length) % TRADES.length] as string;
  const tree = TREES[number % TREES.length] as Record<string, Tree>;
  const name = `${trade} Works ${number}`;
  return {
    slug,
    name,
    sortOrder: 10 + (number % 97) * 10,
    description: `${trade} for teams of every size, with an interface for everything that its own pages show.`,
    logo: logo(slug, name),
    connectors: leavesOf(tree).map((key) => generateConnectorDefinition(slug, name, key)),
    groupings: groupingsOf(tree, slug, name),
  };
}

function leavesOf(tree: Tree, path: readonly string[] = []): string[] {
  if (tree === 'leaf') return [path.join('-')];
  return Object.entries(tree).flatMap(([slug, below]) => leavesOf(below, [...path, slug]));
}

function groupingsOf(tree: Tree, vendor: string, name: string, path: readonly string[] = []): GroupingDefinition[] {
  if (tree === 'leaf') return [];
  return Object.entries(tree).map(([slug, below], place): GroupingDefinition => {
    const own = [...path, slug];
    const common = {
      slug,
      name: `${name} ${slug}`,
      description: `The services of ${name} under ${own.join(' and ')}, for their operators.`,
      releaseStage: 'ga' as const,
      priority: 'recommended' as const,
      sortOrder: (place + 1) * 10,
      logo: logo(`${vendor}/${own.join('/')}`, name),
    };
    if (below !== 'leaf') return { ...common, groupings: groupingsOf(below, vendor, name, own) };
    return {
      ...common,
      docs: guide(name),
      externalVersion: '2026-01',
      platformVersion: '1.0.0',
      connector: own.join('-'),
    };
  });
}

function logo(path: string, alt: string): Record<string, unknown> {
  return { url: `https://assets.example.com/logos/${path}.svg`, alt };
}

function guide(name: string): string {
  return `1. Sign in to ${name} as an administrator.\n2. Open **Settings > Integrations** and add a client for this service.\n3. Copy the values that are shown once, enter them here, and test the connection.`;
}
