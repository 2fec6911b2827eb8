import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql } from '../../../gql/gql.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { FailureNotice } from '../../../ui/failure-notice.js';
import { Page } from '../../../ui/page.js';
import { QueryView } from '../../../ui/query-view.js';
import { SCOPE_LABELS } from '../checks/check-words.js';
import { ChartSettings } from './chart-settings.js';
import { ContractColumns } from './contract-columns.js';
import { changesOf, type Draft, draftOf, type Terms } from './contract-draft.js';
import { ContractPreview } from './contract-preview.js';
import { RuleEditor } from './rule-editor.js';

const contractRoute = getRouteApi('/w/$workspace/quality/$table/contracts/$contract');

const termsQuery = graphql(`
  query ContractTerms($id: Base62Id!) {
    catalogTable(id: $id) {
      id
      name
      schema
      contracts(limit: 2) {
        id
        version
        scope
        primaryKey
        timestampColumn
        sensitiveColumns
        windowSize
        minHistoryForViolation
        sigmaMethod
        extraSpcRules
        series {
          kind
          column
          baseline
        }
        rules {
          type
          column
          maxRate
          minimum
          maximum
          maxSeconds
          values
          pattern
        }
      }
    }
  }
`);

const updateMutation = graphql(`
  mutation UpdateContract($input: TableContractInput!) {
    updateTableContract(input: $input) {
      id
      version
    }
  }
`);

export function ContractScreen() {
  const { workspace, table: id, contract: contractId } = contractRoute.useParams();
  const [result, reload] = useQuery({ query: termsQuery, variables: { id }, requestPolicy: 'network-only' });
  const table = result.data?.catalogTable;
  return (
    <Page
      title={table ? `Contract of ${table.name}` : 'Contract'}
      lead="Settings for the checks and control charts of each run. Changes take effect with the next run."
      parent={{ label: table?.name ?? 'Quality', to: `/w/${workspace}/quality/${id}` }}
    >
      <QueryView result={result} onRetry={reload}>
        {({ catalogTable }) => {
          const terms = catalogTable?.contracts?.find((one) => one.id === contractId);
          if (!terms || !catalogTable) return <EmptyState title="This contract does not exist" />;
          const { fields = [] } = catalogTable.schema as { fields?: { name: string }[] };
          return <ContractForm key={terms.version} terms={terms} columns={fields.map(({ name }) => name)} />;
        }}
      </QueryView>
    </Page>
  );
}

function ContractForm({ terms, columns }: { terms: Terms; columns: readonly string[] }) {
  const { workspace, table } = contractRoute.useParams();
  const navigate = contractRoute.useNavigate();
  const [draft, setDraft] = useState<Draft>(() => draftOf(terms));
  const [saved, save] = useMutation(updateMutation);
  const change = (part: Partial<Draft>): void => setDraft((former) => ({ ...former, ...part }));
  const input = changesOf(terms, draft);
  const leave = (): void => {
    navigate({ to: '/w/$workspace/quality/$table', params: { workspace, table }, search: { scope: terms.scope } });
  };
  const submit = async (): Promise<void> => {
    if (input && !(await save({ input })).error) leave();
  };
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[1fr_24rem]">
      <div className="space-y-6">
        <p className="text-sm text-muted">
          Applies to: <span className="font-medium text-ink">{SCOPE_LABELS[terms.scope]}</span>, version {terms.version}
        </p>
        <RuleEditor rules={draft.rules} scope={terms.scope} columns={columns} onChange={(rules) => change({ rules })} />
        <ChartSettings draft={draft} columns={columns} onChange={change} />
        <ContractColumns draft={draft} columns={columns} onChange={change} />
      </div>
      <div className="space-y-4 xl:sticky xl:top-6">
        <ContractPreview input={input} />
        {saved.error && <FailureNotice error={saved.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={leave}>Cancel</Button>
          <Button kind="primary" disabled={!input} isBusy={saved.fetching} onClick={submit}>
            Save the contract
          </Button>
        </div>
      </div>
    </div>
  );
}
