import type {
  ContractRuleInput,
  ContractSeriesInput,
  ContractTermsQuery,
  TableContractInput,
} from '../../../gql/graphql.js';

type Terms = NonNullable<NonNullable<NonNullable<ContractTermsQuery['catalogTable']>['contracts']>[number]>;

export interface Draft
  extends Pick<
    Terms,
    'primaryKey' | 'sensitiveColumns' | 'windowSize' | 'minHistoryForViolation' | 'sigmaMethod' | 'extraSpcRules'
  > {
  readonly rules: ContractRuleInput[];
  readonly series: ContractSeriesInput[];
  readonly timestampColumn: string | null;
}

export type { Terms };

export function draftOf(terms: Terms): Draft {
  const { rules, series, primaryKey, sensitiveColumns, windowSize, minHistoryForViolation } = terms;
  const { sigmaMethod, extraSpcRules, timestampColumn = null } = terms;
  return {
    ...{
      rules: rules.map(withoutTypeName),
      series: series.map(withoutTypeName),
      primaryKey,
      sensitiveColumns,
      windowSize,
      minHistoryForViolation,
    },
    ...{ sigmaMethod, extraSpcRules, timestampColumn },
  };
}

/** Returns undefined if the draft changes no field. */
export function changesOf(terms: Terms, draft: Draft): TableContractInput | undefined {
  const former = draftOf(terms);
  const changed = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name as keyof Draft]),
  );
  if (changed.length === 0) return undefined;
  return { id: terms.id, version: terms.version, ...Object.fromEntries(changed) };
}

/** The GraphQL client adds the type name to each object, but inputs do not have this field. */
function withoutTypeName<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => name !== '__typename')) as Part;
}
