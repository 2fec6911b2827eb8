import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { connectRoute } from '../../app/router.js';
import { graphql } from '../../gql/gql.js';
import type { ConnectQuery } from '../../gql/graphql.js';
import { Button, buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Markdown } from '../../ui/markdown.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { TextField } from '../../ui/text-field.js';
import { ConfigFields, type ConfigSchema, readConfigFields } from './config-fields.js';
import { CredentialTest } from './credential-test.js';
import { ProviderSignInStep } from './vendor-sign-in.js';

const connectQuery = graphql(`
  query Connect($vendor: String!) {
    platformVendor(slug: $vendor) {
      id
      name
      slug
      allGroupings(filter: { isLeaf: true }, limit: 250) {
        id
        name
        connector {
          id
          name
          setupDocumentation
        }
        supportedAuthStrategies {
          id
          label
          type
          docs
          configSchema
          ingestionConfigSchema
        }
      }
    }
  }
`);

const createMutation = graphql(`
  mutation CreateConnection(
    $connectorId: Base62Id!
    $groupingId: Base62Id!
    $strategyId: Base62Id!
    $authenticationConfig: JSONObject!
    $ingestionConfig: JSONObject
    $name: String
  ) {
    createConnectorInstance(
      connectorId: $connectorId
      groupingId: $groupingId
      authenticationStrategyId: $strategyId
      authenticationConfig: $authenticationConfig
      ingestionConfig: $ingestionConfig
      name: $name
    ) {
      id
    }
  }
`);

const configureMutation = graphql(`
  mutation ConfigureConnection(
    $instanceId: Base62Id!
    $strategyId: Base62Id!
    $authenticationConfig: JSONObject!
    $ingestionConfig: JSONObject
  ) {
    configureConnectorInstance(
      instanceId: $instanceId
      authenticationStrategyId: $strategyId
      authenticationConfig: $authenticationConfig
      ingestionConfig: $ingestionConfig
    ) {
      id
    }
  }
`);

type Grouping = NonNullable<ConnectQuery['platformVendor']>['allGroupings'][number];

/** Creates a connection, or replaces the credentials of one. */
export function ConnectScreen() {
  const { workspace, grouping: groupingId } = connectRoute.useParams();
  const { vendor: slug, connection } = connectRoute.useSearch();
  const [result, reload] = useQuery({ query: connectQuery, variables: { vendor: slug } });
  const vendor = result.data?.platformVendor;
  const grouping = vendor?.allGroupings.find(({ id }) => id === groupingId);
  const parent = connection
    ? { label: 'Connection', to: `/w/${workspace}/connections/${connection}` }
    : { label: vendor?.name ?? 'Catalog', to: `/w/${workspace}/catalog/${slug}` };
  return (
    <Page title={`${connection ? 'Repair' : 'Connect'} ${grouping?.name ?? slug}`} parent={parent}>
      <QueryView result={result} onRetry={reload}>
        {() =>
          grouping?.connector ? (
            <ConnectForm key={grouping.id} grouping={grouping} workspace={workspace} repairs={connection} />
          ) : (
            <EmptyState title="The catalog has no connector for this product" />
          )
        }
      </QueryView>
    </Page>
  );
}

interface ConnectFormProps {
  grouping: Grouping;
  workspace: string;
  /** The id of the connection whose credentials are replaced. */
  repairs: string | undefined;
}

function ConnectForm({ grouping, workspace, repairs }: ConnectFormProps) {
  const strategies = grouping.supportedAuthStrategies ?? [];
  const [strategyId, setStrategyId] = useState(strategies[0]?.id);
  const strategy = strategies.find(({ id }) => id === strategyId);
  const [created, create] = useMutation(createMutation);
  const [configured, configure] = useMutation(configureMutation);
  const connectionId = repairs ?? created.data?.createConnectorInstance?.id;
  const hasSubmitted = Boolean(created.data?.createConnectorInstance ?? configured.data?.configureConnectorInstance);
  const error = created.error ?? configured.error;
  const { connector } = grouping;
  if (!strategy || !connector) return <EmptyState title="This connector has no authentication methods" />;

  const authentication = strategy.configSchema as ConfigSchema | null;
  const ingestion = strategy.ingestionConfigSchema as ConfigSchema | null;
  const submit = (form: FormData): void => {
    const config = {
      strategyId: strategy.id,
      authenticationConfig: readConfigFields(authentication, form, 'authentication'),
      ingestionConfig: ingestion && readConfigFields(ingestion, form, 'ingestion'),
    };
    const name = String(form.get('name') ?? '') || null;
    if (connectionId) configure({ instanceId: connectionId, ...config });
    else create({ connectorId: connector.id, groupingId: grouping.id, name, ...config });
  };
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="space-y-6">
        <Card title="1. Credentials">
          <form
            className="space-y-5 p-5"
            onSubmit={(event) => {
              event.preventDefault();
              submit(new FormData(event.currentTarget));
            }}
          >
            {strategies.length > 1 && (
              <fieldset>
                <legend className="text-sm font-medium">Authentication method</legend>
                {strategies.map(({ id, label, type }) => (
                  <label key={id} className="mt-2 flex items-center gap-2 text-sm">
                    <input type="radio" checked={id === strategyId} onChange={() => setStrategyId(id)} />
                    {label ?? type}
                  </label>
                ))}
              </fieldset>
            )}
            <ConfigFields
              key={strategy.id}
              schema={authentication}
              prefix="authentication"
              isRepair={Boolean(connectionId)}
            />
            <ConfigFields schema={ingestion} prefix="ingestion" isRepair={Boolean(connectionId)} />
            {!connectionId && <TextField label="Name of the connection" name="name" placeholder={connector.name} />}
            {error && <FailureNotice error={error} />}
            <Button kind="primary" type="submit" isBusy={created.fetching || configured.fetching}>
              {connectionId ? 'Save and test' : 'Connect and test'}
            </Button>
          </form>
        </Card>
        {connectionId && hasSubmitted && (
          <Card title="2. Test">
            <div className="space-y-4 p-5">
              {strategy.type === 'oauth2_auth_code_pkce' && <ProviderSignInStep instanceId={connectionId} />}
              <CredentialTest instanceId={connectionId} />
              <Link
                to="/w/$workspace/connections/$connection"
                params={{ workspace, connection: connectionId }}
                className={buttonClasses('secondary')}
              >
                Open the connection
              </Link>
            </div>
          </Card>
        )}
      </div>
      <aside className="space-y-6">
        {strategy.docs && (
          <Card title={strategy.label ?? 'Authentication method'}>
            <div className="p-5">
              <Markdown text={strategy.docs} />
            </div>
          </Card>
        )}
        {connector.setupDocumentation && (
          <Card title="Setup">
            <div className="p-5">
              <Markdown text={connector.setupDocumentation} />
            </div>
          </Card>
        )}
      </aside>
    </div>
  );
}
