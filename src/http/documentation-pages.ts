import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import type Router from '@koa/router';
import { serveStaticBody } from './static-body.js';

/** Pages load all resources from this service, so they work without internet access. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'";

const MEDIA_TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.png': 'image/png' };

interface Page {
  readonly path: string;
  readonly title: string;
  /** Files of npm packages. The service serves them below the path of the page, by their base names. */
  readonly assets: readonly string[];
  /** Starts the page. The script is a separate file, because the content security policy forbids inline scripts. */
  readonly script: string;
}

/** GraphiQL does not store headers, so the token is lost when the page closes. */
const HEADERS_TEMPLATE = `{
  "Authorization": "Bearer TOKEN",
  "X-Tenant": "demo"
}`;

const explorer: Page = {
  path: '/graphql',
  title: 'Taproot GraphQL',
  assets: [
    'graphiql/graphiql.min.css',
    'react-umd/umd/react.production.min.js',
    'react-dom-umd/umd/react-dom.production.min.js',
    'graphiql/graphiql.min.js',
  ],
  script: `const tabs = ${JSON.stringify(readExamples())};
const headers = ${JSON.stringify(HEADERS_TEMPLATE)};
ReactDOM.createRoot(document.getElementById('page')).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: '/graphql' }),
    defaultTabs: tabs.map((query) => ({ query, headers })),
    defaultHeaders: headers,
    defaultEditorToolsVisibility: 'headers',
  }),
);
`,
};

const reference: Page = {
  path: '/api/docs',
  title: 'Taproot REST reference',
  assets: ['swagger-ui-dist/swagger-ui.css', 'swagger-ui-dist/swagger-ui-bundle.js'],
  script: `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#page', deepLinking: true, validatorUrl: null });
`,
};

/** A browser that requests `/graphql` as HTML receives the explorer. */
export function addDocumentationPages(router: Router): void {
  for (const page of [explorer, reference]) {
    const { path, script } = page;
    const files = page.assets.map((file) => ({ name: basename(file), body: readAsset(file) }));
    const html = render(
      page,
      files.map(({ name }) => `${path}/${name}`),
    );
    for (const { name, body } of files)
      router.get(`${path}/${name}`, serveStaticBody(MEDIA_TYPES[extname(name)] as string, body));
    router.get(`${path}/start.js`, serveStaticBody('text/javascript', script));
    const sendPage = serveStaticBody('text/html', html);
    router.get(path, (ctx, next) => {
      ctx.vary('Accept');
      const wantsPage = path !== explorer.path || ctx.accepts('application/json', 'text/html') === 'text/html';
      if (!wantsPage) return next();
      ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      return sendPage(ctx);
    });
  }
}

/** The explorer opens one tab per example, in the order of the file names. */
function readExamples(): string[] {
  const folder = join(import.meta.dirname, 'explorer-examples');
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** Reads the file even if its package does not export it. */
function readAsset(file: string): Buffer {
  const [name = '', ...path] = file.split('/');
  return readFileSync(join(dirname(findPackageJSON(name, import.meta.url) as string), ...path));
}

function render({ title, path }: Page, urls: readonly string[]): string {
  const styles = urls.filter((url) => url.endsWith('.css')).map((url) => `<link rel="stylesheet" href="${url}">`);
  const scripts = [...urls.filter((url) => url.endsWith('.js')), `${path}/start.js`].map(
    (url) => `<script src="${url}" defer></script>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body { margin: 0 } #page { height: 100vh }</style>
${[...styles, ...scripts].join('\n')}
</head>
<body><div id="page"></div></body>
</html>
`;
}
