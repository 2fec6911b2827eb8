import { ModelProposer, type ModelSettings } from '../../../src/artifacts/model-proposer.js';
import { CsvError } from '../../../src/csv/model/csv-error.js';
import type { SampleRow, SchemaField } from '../../../src/csv/model/data-schema.js';
import type { ModelServer } from '../servers/model-server.js';

export function aProposer(
  { url, name, apiKey, outbound: ownOutbound }: ModelServer,
  settings: Partial<ModelSettings> = {},
  { outbound = ownOutbound, timeout = 5_000 } = {},
): ModelProposer {
  return new ModelProposer({ url, name, apiKey, tokenBudget: 20_000, ...settings }, outbound, timeout);
}

export function aSample(row: Record<string, string | null> = { id: '7', day: '24.12.2026' }) {
  const fields = Object.keys(row).map((name): SchemaField => ({ name, type: 'String', nullable: false }));
  const rows = Array.from({ length: 3 }, (): SampleRow => Object.assign(Object.create(null), row));
  return { fields, rows };
}

export async function faultOf(call: Promise<unknown>): Promise<[code: string, message: string]> {
  const fault = await call.catch((error: unknown) => error);
  if (!(fault instanceof CsvError)) throw new Error('no fault', { cause: fault });
  return [fault.code, fault.message];
}
