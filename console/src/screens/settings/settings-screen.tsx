import { type ComponentType, lazy, Suspense, use } from 'react';
import { Permissions } from '../../session/permissions.js';
import { Loading } from '../../ui/loading.js';
import { Page } from '../../ui/page.js';
import { Tabs } from '../../ui/tabs.js';
import { settingsRoute } from './settings-route.js';

interface Tab {
  readonly key: string;
  readonly label: string;
  /** Permission that the service requires for the data of the tab. */
  readonly needs?: string;
  readonly Content: ComponentType;
}

const TABS: readonly Tab[] = [
  {
    ...{ key: 'people', label: 'People' },
    Content: lazy(() => import('./people-tab.js').then(({ PeopleTab }) => ({ default: PeopleTab }))),
  },
  {
    ...{ key: 'roles', label: 'Roles' },
    Content: lazy(() => import('./roles-tab.js').then(({ RolesTab }) => ({ default: RolesTab }))),
  },
  {
    ...{ key: 'keys', label: 'API keys', needs: 'api_keys:write' },
    Content: lazy(() => import('./keys-tab.js').then(({ KeysTab }) => ({ default: KeysTab }))),
  },
  {
    ...{ key: 'redirects', label: 'Redirect addresses' },
    Content: lazy(() => import('./redirects-tab.js').then(({ RedirectsTab }) => ({ default: RedirectsTab }))),
  },
  {
    ...{ key: 'audit', label: 'Audit trail', needs: 'audit:read' },
    Content: lazy(() => import('./audit-tab.js').then(({ AuditTab }) => ({ default: AuditTab }))),
  },
  {
    ...{ key: 'requests', label: 'Connector requests', needs: 'connector_requests:read' },
    Content: lazy(() => import('./requests-tab.js').then(({ RequestsTab }) => ({ default: RequestsTab }))),
  },
];

export function SettingsScreen() {
  const { tab } = settingsRoute.useSearch();
  const navigate = settingsRoute.useNavigate();
  const permissions = use(Permissions);
  const tabs = TABS.filter(({ needs }) => needs === undefined || permissions.has(needs));
  const { key, label, Content } = tabs.find(({ key }) => key === tab) ?? (tabs[0] as Tab);
  return (
    <Page title="Settings" lead={`${label} of this workspace.`}>
      <Tabs
        label="Settings"
        tabs={tabs}
        current={key}
        onChange={(next) => navigate({ search: { tab: next }, replace: true })}
      />
      <Suspense fallback={<Loading />}>
        <Content />
      </Suspense>
    </Page>
  );
}
