import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ArtifactColumnInput } from '../gql/graphql.js';
import type { StatusGroup } from '../screens/connections/connection-status.js';
import type { ConsoleContext } from '../session/console-context.js';
import { NotFound } from './not-found.js';
import { PageFailure } from './page-failure.js';

/** Page numbers start at 1. The URL of the first page contains no number. */
function pageOf({ page }: Record<string, unknown>): { page?: number } {
  return Number.isSafeInteger(page) && (page as number) > 1 ? { page: page as number } : {};
}

const STATUS_GROUP_NAMES: readonly StatusGroup[] = ['attention', 'working', 'paused'];

const root = createRootRouteWithContext<ConsoleContext>()({ component: Outlet });

const start = createRoute({
  ...{ getParentRoute: () => root, path: '/' },
  beforeLoad: ({ context }) => {
    const session = context.sessions.current;
    if (!session) throw redirect({ to: '/sign-in' });
    throw redirect({ to: '/w/$workspace', params: { workspace: session.workspace } });
  },
});

/** Accepts only paths of the console as `next`, so that a link cannot lead to another site. */
const signInRoute = createRoute({
  ...{ getParentRoute: () => root, path: 'sign-in' },
  validateSearch: ({ next }): { next?: string } =>
    typeof next === 'string' && /^\/w\/[^/\\]/.test(next) ? { next } : {},
  component: lazyRouteComponent(() => import('../session/sign-in-page.js'), 'SignInPage'),
});

const callback = createRoute({
  ...{ getParentRoute: () => root, path: 'sign-in/callback' },
  component: lazyRouteComponent(() => import('../session/callback-page.js'), 'CallbackPage'),
});

const workspaceRoute = createRoute({
  ...{ getParentRoute: () => root, path: 'w/$workspace' },
  beforeLoad: ({ context, location }) => {
    if (!context.sessions.current) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./workspace-layout.js'), 'WorkspaceLayout'),
});

const home = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: '/' },
  component: lazyRouteComponent(() => import('../screens/home/home-screen.js'), 'HomeScreen'),
});

const catalogRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'catalog' },
  validateSearch: ({ search }): { search?: string } => (typeof search === 'string' && search ? { search } : {}),
  component: lazyRouteComponent(() => import('../screens/catalog/catalog-screen.js'), 'CatalogScreen'),
});

const vendorRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'catalog/$vendor' },
  component: lazyRouteComponent(() => import('../screens/catalog/vendor-screen.js'), 'VendorScreen'),
});

const connectorRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'connectors/$connector' },
  component: lazyRouteComponent(() => import('../screens/catalog/connector-screen.js'), 'ConnectorScreen'),
});

/** If `connection` is set, the page replaces the credentials of this connection. */
const connectRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'connect/$grouping' },
  validateSearch: ({ vendor, connection }): { vendor: string; connection?: string } => ({
    vendor: String(vendor),
    ...(typeof connection === 'string' && { connection }),
  }),
  component: lazyRouteComponent(() => import('../screens/connect/connect-screen.js'), 'ConnectScreen'),
});

const connectionsRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'connections' },
  validateSearch: ({ name, status, ...search }): { name?: string; status?: StatusGroup; page?: number } => ({
    ...(typeof name === 'string' && name && { name }),
    ...(STATUS_GROUP_NAMES.includes(status as StatusGroup) && { status: status as StatusGroup }),
    ...pageOf(search),
  }),
  component: lazyRouteComponent(() => import('../screens/connections/connections-screen.js'), 'ConnectionsScreen'),
});

const connectionRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'connections/$connection' },
  component: lazyRouteComponent(() => import('../screens/connections/connection-screen.js'), 'ConnectionScreen'),
});

const syncRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'syncs/$sync' },
  component: lazyRouteComponent(() => import('../screens/sync/sync-screen.js'), 'SyncScreen'),
});

/** `state` is a key of `FILE_STATES`. */
const filesRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'files' },
  validateSearch: ({ name, state, ...search }): { name?: string; state?: string; page?: number } => ({
    ...(name !== undefined && name !== '' && { name: String(name) }),
    ...(typeof state === 'string' && { state }),
    ...pageOf(search),
  }),
  component: lazyRouteComponent(() => import('../screens/files/files-screen.js'), 'FilesScreen'),
});

/** `columns` are the types that the user has changed. They are part of the URL, so that a reload preserves them. */
const fileRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'files/$file' },
  validateSearch: ({ columns }): { columns?: ArtifactColumnInput[] } =>
    Array.isArray(columns) && columns.length > 0 ? { columns } : {},
  component: lazyRouteComponent(() => import('../screens/files/file-screen.js'), 'FileScreen'),
});

const tablesRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'tables' },
  validateSearch: ({ name, ...search }): { name?: string; page?: number } => ({
    ...(typeof name === 'string' && name && { name }),
    ...pageOf(search),
  }),
  component: lazyRouteComponent(() => import('../screens/tables/tables-screen.js'), 'TablesScreen'),
});

const tableRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'tables/$table' },
  validateSearch: ({ tab, ...search }): { tab?: string; page?: number } => ({
    ...(typeof tab === 'string' && { tab }),
    ...pageOf(search),
  }),
  component: lazyRouteComponent(() => import('../screens/tables/table-screen.js'), 'TableScreen'),
});

const qualityRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'quality' },
  validateSearch: ({ view, status, ...search }): { view?: 'checks' | 'charts'; status?: string; page?: number } => ({
    ...((view === 'checks' || view === 'charts') && { view }),
    ...(typeof status === 'string' && { status }),
    ...pageOf(search),
  }),
  component: lazyRouteComponent(() => import('../screens/quality/quality-screen.js'), 'QualityScreen'),
});

const tableQualityRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'quality/$table' },
  validateSearch: ({ scope }): { scope?: string } => (typeof scope === 'string' ? { scope } : {}),
  component: lazyRouteComponent(() => import('../screens/quality/table-quality-screen.js'), 'TableQualityScreen'),
});

const contractRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'quality/$table/contracts/$contract' },
  component: lazyRouteComponent(() => import('../screens/quality/contract/contract-screen.js'), 'ContractScreen'),
});

/** By default, the page shows only the taps that receive pushed records. */
const ingestRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'ingest' },
  validateSearch: ({ name, show, ...search }): { name?: string; show?: 'all'; page?: number } => ({
    ...(typeof name === 'string' && name && { name }),
    ...(show === 'all' && { show }),
    ...pageOf(search),
  }),
  component: lazyRouteComponent(() => import('../screens/ingest/ingest-screen.js'), 'IngestScreen'),
});

/** `reject` is the search text of the list of rejects. */
const ingestTapRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'ingest/$tap' },
  validateSearch: ({ reject }): { reject?: string } => (reject === undefined ? {} : { reject: String(reject) }),
  component: lazyRouteComponent(() => import('../screens/ingest/ingest-tap-screen.js'), 'IngestTapScreen'),
});

const SETTINGS_TEXTS = ['tab', 'name', 'action', 'actor', 'object', 'request', 'from', 'until'] as const;
type SettingsSearch = { [Name in (typeof SETTINGS_TEXTS)[number]]?: string | undefined } & { page?: number };

const settingsRoute = createRoute({
  ...{ getParentRoute: () => workspaceRoute, path: 'settings' },
  validateSearch: (search: Record<string, unknown>): SettingsSearch => {
    const given = SETTINGS_TEXTS.filter((name) => search[name] !== undefined && search[name] !== '');
    return { ...Object.fromEntries(given.map((name) => [name, String(search[name])])), ...pageOf(search) };
  },
  component: lazyRouteComponent(() => import('../screens/settings/settings-screen.js'), 'SettingsScreen'),
});

const routes = root.addChildren([
  start,
  signInRoute,
  callback,
  workspaceRoute.addChildren([
    home,
    catalogRoute,
    vendorRoute,
    connectorRoute,
    connectRoute,
    connectionsRoute,
    connectionRoute,
    syncRoute,
    filesRoute,
    fileRoute,
    tablesRoute,
    tableRoute,
    qualityRoute,
    tableQualityRoute,
    contractRoute,
    ingestRoute,
    ingestTapRoute,
    settingsRoute,
  ]),
]);

export function createConsoleRouter(context: ConsoleContext) {
  return createRouter({
    routeTree: routes,
    context,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: PageFailure,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
