import type { DemoClient } from './demo-client.js';
import { printDetail } from './demo-output.js';

interface Result {
  readonly tapContractId?: string;
  readonly overallStatus: string;
}

interface SpcResult extends Result {
  readonly series: readonly {
    readonly seriesId: string;
    readonly status: string;
    readonly latestValue: number;
    readonly lowerControl3Sigma?: number;
    readonly upperControl3Sigma?: number;
    readonly violations: readonly { readonly ruleId: string; readonly description: string }[];
  }[];
}

interface QualityResult extends Result {
  readonly checks: readonly {
    readonly spec: { readonly id: string };
    readonly status: string;
    readonly evidence?: { readonly message?: string; readonly sampleKeys?: readonly string[] };
  }[];
}

export async function printControlCharts(client: DemoClient, contractId: string): Promise<void> {
  const { overallStatus, series } = await latestOf<SpcResult>(client, '/api/catalog/table-spc-results', contractId);
  printDetail(`control charts: ${overallStatus}`);
  for (const { seriesId, status, latestValue, violations, ...limits } of series) {
    const [lower, upper] = [limits.lowerControl3Sigma, limits.upperControl3Sigma].map(round);
    printDetail(`  ${seriesId.slice(contractId.length + 1)} ${round(latestValue)} (${lower} to ${upper}): ${status}`);
    for (const { ruleId, description } of violations) printDetail(`    ${ruleId}: ${description}`);
  }
}

export async function printChecks(client: DemoClient, contractId: string): Promise<void> {
  const path = '/api/catalog/table-quality-results';
  const { overallStatus, checks } = await latestOf<QualityResult>(client, path, contractId);
  printDetail(`checks: ${overallStatus}`);
  for (const { spec, status, evidence } of checks) {
    printDetail(`  ${spec.id}: ${status}`);
    if (status !== 'FAIL') continue;
    printDetail(`    ${evidence?.message}`);
    printDetail(`    keys of failed rows: ${evidence?.sampleKeys?.join(', ')}`);
  }
}

/** The endpoint returns the latest results of all contracts of the workspace. */
async function latestOf<Found extends Result>(client: DemoClient, path: string, contractId: string): Promise<Found> {
  const { results } = await client.get<{ results: Found[] }>(path);
  const found = results.find(({ tapContractId }) => tapContractId === contractId);
  if (!found) throw new Error(`${path} contains no result of contract ${contractId}.`);
  return found;
}

function round(value: number | undefined): string {
  return value === undefined ? '-' : String(Number(value.toPrecision(4)));
}
