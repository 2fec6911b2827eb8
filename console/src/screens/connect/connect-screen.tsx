import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { Button, buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Markdown } from '../../ui/markdown.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { TextField } from '../../ui/text-field.js';
import { ConfigFields, readConfigFields } from './config-fields.js';
import { type Grouping, type Method, methodsOf } from './connect-methods.js';
import { CredentialTest } from './credential-test.js';
import { ProviderSignInStep } from './vendor-sign-in.js';

const connectRoute = getRouteApi('/w/$workspace/connect/$grouping');

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
        supportedInboundAuthStrategies {
          id
          label
          verificationType
          configSchema
        }
      }
    }
  }
`);

const createMutation = graphql(`
  mutation CreateConnection(
    $connectorId: Base62Id!
    $groupingId: Base62Id!
    $strategyId: Base62Id
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
  /** Id of the connection whose credentials the form replaces. Undefined for a new connection. */
  repairs: string | undefined;
}

function ConnectForm({ grouping, workspace, repairs }: ConnectFormProps) {
  const methods = methodsOf(grouping);
  const [methodId, setMethodId] = useState(methods[0]?.id);
  const method = methods.find(({ id }) => id === methodId);
  const [created, create] = useMutation(createMutation);
  const [configured, configure] = useMutation(configureMutation);
  const connectionId = repairs ?? created.data?.createConnectorInstance?.id;
  const hasSubmitted = Boolean(created.data?.createConnectorInstance ?? configured.data?.configureConnectorInstance);
  const error = created.error ?? configured.error;
  const { connector } = grouping;
  if (!connector) return null;

  const submit = (form: FormData): void => {
    const ingestion = method?.ingestionConfigSchema;
    const config = {
      authenticationConfig: readConfigFields(method?.configSchema, form, 'authentication'),
      ingestionConfig: ingestion && readConfigFields(ingestion, form, 'ingestion'),
    };
    const name = String(form.get('name') ?? '') || null;
    if (connectionId && method) configure({ instanceId: connectionId, strategyId: method.id, ...config });
    else create({ connectorId: connector.id, groupingId: grouping.id, strategyId: method?.id, name, ...config });
  };
  const action = method && !method.isInbound ? 'and test' : '';
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
            {methods.length > 1 && <MethodChoice methods={methods} chosen={methodId} onChange={setMethodId} />}
            {!method && <p className="text-sm text-muted">The service needs no credentials for this connection.</p>}
            <ConfigFields
              key={method?.id}
              schema={method?.configSchema}
              prefix="authentication"
              isRepair={Boolean(connectionId)}
            />
            <ConfigFields schema={method?.ingestionConfigSchema} prefix="ingestion" isRepair={Boolean(connectionId)} />
            {!connectionId && <TextField label="Name of the connection" name="name" placeholder={connector.name} />}
            {error && <FailureNotice error={error} />}
            <Button kind="primary" type="submit" isBusy={created.fetching || configured.fetching}>
              {connectionId ? 'Save' : 'Connect'} {action}
            </Button>
          </form>
        </Card>
        {connectionId && hasSubmitted && <NextStep method={method} connectionId={connectionId} workspace={workspace} />}
      </div>
      <aside className="space-y-6">
        {method?.docs && <Notes title={method.label} text={method.docs} />}
        {connector.setupDocumentation && <Notes title="Setup" text={connector.setupDocumentation} />}
      </aside>
    </div>
  );
}

interface MethodChoiceProps {
  methods: readonly Method[];
  chosen: string | undefined;
  onChange: (id: string) => void;
}

function MethodChoice({ methods, chosen, onChange }: MethodChoiceProps) {
  return (
    <fieldset>
      <legend className="text-sm font-medium">Authentication method</legend>
      {methods.map(({ id, label }) => (
        <label key={id} className="mt-2 flex items-center gap-2 text-sm">
          <input type="radio" checked={id === chosen} onChange={() => onChange(id)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function Notes({ title, text }: { title: string; text: string }) {
  return (
    <Card title={title}>
      <div className="p-5">
        <Markdown text={text} />
      </div>
    </Card>
  );
}

interface NextStepProps {
  method: Method | undefined;
  connectionId: string;
  workspace: string;
}

/** For pushed records, shows a link to the URLs of the taps instead of the test. */
function NextStep({ method, connectionId, workspace }: NextStepProps) {
  const tests = method && !method.isInbound;
  return (
    <Card title={tests ? '2. Test' : '2. Addresses'}>
      <div className="space-y-4 p-5">
        {tests && method.needsSignIn && <ProviderSignInStep instanceId={connectionId} />}
        {tests && <CredentialTest instanceId={connectionId} />}
        {!tests && (
          <p className="text-sm">
            The connection is ready. Create an address for each tap that receives records from the sender. The first
            delivery shows whether the sender is set up correctly.
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {!tests && (
            <Link to="/w/$workspace/ingest" params={{ workspace }} className={buttonClasses('primary')}>
              Create addresses
            </Link>
          )}
          <Link
            to="/w/$workspace/connections/$connection"
            params={{ workspace, connection: connectionId }}
            className={buttonClasses('secondary')}
          >
            Open the connection
          </Link>
        </div>
      </div>
    </Card>
  );
}
