import { gzipSync } from 'node:zlib';
import { getIntrospectionQuery } from 'graphql';

interface ExpensiveRequest {
  readonly path: string;
  readonly init?: RequestInit;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const NEWLINES = '\n'.repeat(60_000);

const many = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const posted = (body: string | Buffer, headers = {}): ExpensiveRequest => ({
  path: '/graphql',
  init: { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: body as BodyInit },
});

const queried = (query: string): ExpensiveRequest => posted(JSON.stringify({ query }));

const packed = (query: string): ExpensiveRequest =>
  posted(gzipSync(JSON.stringify({ query })), { 'content-encoding': 'gzip' });

const withVariables = (variables: string): ExpensiveRequest =>
  posted(
    `{"query":"query($search:String){platformVendors(search:$search){total}}","variables":{"search":"",${variables}}}`,
  );

/**
 * Returns a query that follows a cycle. Each level multiplies the rows by the vendor's number of groupings. The cost
 * check assumes a smaller number.
 */
export const cycle = (depth: number, fields = ''): string =>
  `{platformVendor(slug:"microsoft"){${`allGroupings{${fields}vendor{`.repeat(depth)}name description${'}}'.repeat(depth)}}}`;

const OF_TYPES = 'fields{name description args{name description type{name ofType{name}}} type{name ofType{name}}}';

/** Unauthenticated requests that are cheap to send, but could be expensive to process. */
export const EXPENSIVE_REQUESTS: Readonly<Record<string, ExpensiveRequest>> = {
  'unknown fields behind half a million line ends': packed(`${'\n'.repeat(500_000)}{${many(110, (n) => `x${n}`)}}`),
  'unknown fields behind line ends': queried(`${NEWLINES}{${many(110, (n) => `x${n}`)}}`),
  'unknown fields behind line ends in the address': {
    path: `/graphql?query=${'%0A'.repeat(4_500)}${encodeURIComponent(`{${many(110, (n) => `x${n}`)}}`)}`,
    init: { headers: { 'apollo-require-preflight': '1' } },
  },
  'one root field 600 times': queried(`{${'connectors{items{name}} '.repeat(600)}}`),
  'one leaf 1,000 times': queried(`{platformVendors{${'total '.repeat(997)}}}`),
  'fields that are as often repeated as they may be': queried(`{${'platformVendors{items{name}} '.repeat(81)}}`),
  'fields in conflict': queried(
    `{platformVendors{${many(200, (n) => `total(a:${n})`)}} platformVendors{${many(200, (n) => `total(b:${n})`)}}}`,
  ),
  '4,900 unknown fields': queried(`{${many(4_900, (n) => `platformVendorz${n}`)}}`),
  'unknown types': queried(`{${many(99, (n) => `...F${n}`)}}${many(99, (n) => `fragment F${n} on Vendor${n} {a}`)}`),
  'one variable 1,000 times': queried(`${NEWLINES.slice(10_000)}query(${'$a:Int '.repeat(1_000)}){__typename}`),
  'one argument 1,600 times': queried(`{platformVendors(${'limit:1 '.repeat(1_600)}){total}}`),
  'operations that share fragments': queried(
    `${many(50, (n) => `query Q${n}($v:Int!){...F0}`)}${many(49, (n) => `fragment F${n} on Query{...F${n + 1} ${many(12, (k) => `a${k}:platformVendors(limit:$v){total}`)}}`)}`,
  ),
  'fragments in circles': queried(
    `{...F0}${many(40, (n) => `fragment F${n} on Query{${many(40, (k) => `...F${k}`)}}`)}`,
  ),
  'fragments that double': queried(
    `{...F0}${many(60, (n) => `fragment F${n} on Query{${`...F${n + 1} `.repeat(2)}}`)}`,
  ),
  'a deep literal': queried(`{platformVendors(limit:${'['.repeat(2_400)}${']'.repeat(2_400)}){total}}`),
  'a long literal': queried(`{platformVendors(limit:[${'1 '.repeat(4_900)}]){total}}`),
  'a long block string': packed(`{platformVendors(search:"""${'\n a'.repeat(21_000)}"""){total}}`),
  introspection: queried(getIntrospectionQuery()),
  'introspection of aliases': queried(`{__schema{types{${many(19, (n) => `a${n}:${OF_TYPES}`)}}}}`),
  'introspection many times': queried(`{${many(20, (n) => `a${n}:__schema{types{${OF_TYPES}}}`)}}`),
  'rows in circles': queried(cycle(3)),
  'rows beyond their limit': queried(cycle(7)),
  'pages beyond the cost limit': queried(cycle(9)),
  'all vendors ten times': queried(
    `{${many(10, (n) => `a${n}:platformVendors(limit:250){items{name description groupings{name slug docs vendor{name}}}}`)}}`,
  ),
  'fields that need a caller in each row': queried(cycle(3, 'connector{name} ')),
  'many variables': withVariables(
    many(24_000, (n) => `"a${n}":1,`)
      .replace(/,$/, '')
      .replaceAll(' ', ''),
  ),
  'deep variables': withVariables(`"a":${'['.repeat(130_000)}${']'.repeat(130_000)}`),
  'a gzip bomb': posted(gzipSync(Buffer.alloc(200 * 1024 * 1024)), { 'content-encoding': 'gzip' }),
  'a Content-Type of blanks': posted('{"query":"{__typename}"}', {
    'content-type': `application/json${' '.repeat(12_000)};a`,
  }),
  'one parameter 7,500 times': { path: `/api/vendors/platform-vendors?${'a&'.repeat(7_500)}` },
  'one parameter of the callback 7,500 times': { path: `/oauth/callback/demo/x?${'a&'.repeat(7_500)}` },
};
