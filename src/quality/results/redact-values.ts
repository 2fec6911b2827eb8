import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeId } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { hasSensitiveKey } from '../contracts/sensitive-columns.js';
import { seriesIdOf, seriesKeyOf } from '../contracts/series-key.js';
import type { TableContract } from '../contracts/table-contract.js';
import type { SeriesValue } from '../spc/series-value.js';
import type { CheckResult } from './table-quality-result.js';

/**
 * Removes values from the evidence of checks. Also removes the messages of external jobs, because a message may contain
 * values. Gives changed results new ids, because `resultsVersion` depends only on the ids.
 */
const REDACT_EVIDENCE = `
update table_quality_result r set id = gen_random_uuid(), checks = (
  select json_agg(case when hidden.part -> 'evidence' = '{}'::jsonb then hidden.part - 'evidence' else hidden.part end order by c.at)
  from json_array_elements(r.checks) with ordinality c (part, at)
  cross join lateral (select c.part::jsonb #- '{evidence,sampleKeys}' #- '{evidence,topViolatingValues}'
    #- case when r.is_reported then '{evidence,message}'::text[] else '{}' end as part) hidden)
where r.tenant_id = ? and r.contract_id = ? and exists (
  select from json_array_elements(r.checks) c
  where coalesce(c -> 'evidence' -> 'sampleKeys', c -> 'evidence' -> 'topViolatingValues') is not null
    or r.is_reported and c -> 'evidence' -> 'message' is not null)`;

/** Removes means, because the mean of a single row is the value of the row. */
const REDACT_MEANS = `
update table_spc_result r set id = gen_random_uuid(), series = (
  select coalesce(json_agg(s.part order by s.at) filter (where s.part ->> 'seriesId' not in (select json_array_elements_text(hidden.ids))), '[]')
  from json_array_elements(r.series) with ordinality s (part, at))
from (select ?::json as ids) hidden
where r.tenant_id = ? and r.contract_id = ? and exists (
  select from json_array_elements(r.series) s where s ->> 'seriesId' in (select json_array_elements_text(hidden.ids)))`;

type ContractReference = Pick<TableContract, 'tenantId' | 'id'>;

/** Redacts the evidence of all stored checks (`REDACT_EVIDENCE`), and removes the mean values of `columns`. */
export async function redactValues(
  em: EntityManager,
  { tenantId, id }: ContractReference,
  columns: readonly string[],
): Promise<void> {
  const contract = [decodeId(tenantId), decodeId(id)];
  const means = meanSeriesKeys(columns).map((key) => seriesIdOf(id, key));
  await em.execute(REDACT_EVIDENCE, contract);
  await em.execute(REDACT_MEANS, [JSON.stringify(means), ...contract]);
}

function meanSeriesKeys(columns: readonly string[]): string[] {
  return columns.map((column) => seriesKeyOf({ kind: 'COLUMN_MEAN', column }));
}

/** Removes the mean values of columns that have become sensitive since the measurement. */
export function redactMeans(
  values: ReadonlyMap<string, SeriesValue>,
  { sensitiveColumns }: Pick<Lean<TableContract>, 'sensitiveColumns'>,
): Map<string, SeriesValue> {
  const hidden = new Set(meanSeriesKeys(sensitiveColumns));
  return new Map([...values].filter(([key]) => !hidden.has(key)));
}

/** Removes the sampled values of columns that have become sensitive since the service checked the rows. */
export function redactChecks(
  checks: readonly CheckResult[],
  contract: Pick<Lean<TableContract>, 'primaryKey' | 'sensitiveColumns'>,
): CheckResult[] {
  const hidesKeys = hasSensitiveKey(contract);
  return checks.map((check) => {
    if (!check.evidence) return check;
    const { sampleKeys, topViolatingValues, ...evidence } = check.evidence;
    const column = check.key.slice(check.key.indexOf(':') + 1);
    const hidesValues = contract.sensitiveColumns.includes(column);
    return {
      ...check,
      evidence: {
        ...evidence,
        ...(sampleKeys && !hidesKeys && { sampleKeys }),
        ...(topViolatingValues && !hidesValues && { topViolatingValues }),
      },
    };
  });
}
