import { formatTarget } from '../support/format-target.js';
import type { TrapOutcome, TrapResult } from './run-conversion-trap.js';
import { ASPECTS, type ScoredAspect } from './score-file.js';

export interface SystemResult {
  readonly name: string;
  readonly findings: readonly ScoredAspect[];
  readonly traps: readonly TrapResult[];
  /** Time to detect the dialect, header and types of the whole corpus. */
  readonly seconds: number;
}

const DIALECT: ReadonlySet<string> = new Set(['delimiter', 'quote', 'escape', 'header']);
const LABEL_WIDTH = 34;
const CELL_WIDTH = 20;

export function formatResultTable(results: readonly SystemResult[], baseline: SystemResult): string {
  const line = (label: string, cell: (result: SystemResult) => string): string =>
    label.padEnd(LABEL_WIDTH) + results.map((result) => cell(result).padStart(CELL_WIDTH)).join('');
  const outcomes: readonly (readonly [string, TrapOutcome])[] = [
    ['traps: converted correctly', 'right'],
    ['traps: kept as text', 'kept'],
    ['traps: refused', 'refused'],
    ['traps: converted wrongly without an error', 'wrong'],
  ];
  return [
    line('', ({ name }) => name),
    line('files with correct dialect and header', (result) => share(dialectByFile(result))),
    ...ASPECTS.map((aspect) => line(`  ${aspect}`, ({ findings }) => share(rightOf(findings, aspect)))),
    line('  types in the vocabulary', ({ findings }) => share(typesWithWord(findings, results))),
    ...outcomes.map(([label, outcome]) =>
      line(label, ({ traps }) => `${traps.filter((one) => one.outcome === outcome).length} of ${traps.length}`),
    ),
    line('seconds for the corpus', ({ seconds }) => seconds.toFixed(3)),
    line(`  ratio to ${baseline.name}`, ({ seconds }) => (seconds / baseline.seconds).toFixed(2)),
  ].join('\n');
}

export function listMisses({ findings, traps }: SystemResult): string[] {
  const ofFiles = findings
    .filter(({ right }) => !right)
    .map(({ file, aspect, detail, expected, found }) => {
      const what = detail === undefined ? aspect : `${aspect} (${detail})`;
      return `  ${file}: ${what}: expected ${expected}, found ${found}`;
    });
  const ofTraps = traps
    .filter(({ outcome }) => outcome !== 'right')
    .map(
      ({ trap, outcome, change }) => `  trap ${trap}: ${outcome}${change ? `: ${change[0]} became ${change[1]}` : ''}`,
    );
  return [...ofFiles, ...ofTraps];
}

const TARGETS = { dialect: 0.97, typesAhead: 10 } as const;

export function accuracyTargets(own: SystemResult, baseline: SystemResult): string[] {
  const dialect = ratio(dialectByFile(own));
  const points = (of: (result: SystemResult) => boolean[]): number => (ratio(of(own)) - ratio(of(baseline))) * 100;
  const ahead = points(({ findings }) => typesWithWord(findings, [own, baseline]));
  const aheadOfAll = points(({ findings }) => rightOf(findings, 'types'));
  const wrong = own.traps.filter(({ outcome }) => outcome === 'wrong').length;
  return [
    formatTarget(
      dialect >= TARGETS.dialect,
      `dialect and header are correct for 97 % of the files (${percent(dialect)})`,
    ),
    formatTarget(
      ahead >= TARGETS.typesAhead,
      `the share of correct types, among types in the vocabulary of the manifest, is at least 10 percentage points above ${baseline.name} (${ahead.toFixed(1)}; among all types ${aheadOfAll.toFixed(1)})`,
    ),
    formatTarget(wrong === 0, `no trap is converted wrongly without an error (${wrong})`),
  ];
}

function dialectByFile({ findings }: SystemResult): boolean[] {
  const files = new Map<string, boolean>();
  for (const { file, aspect, right } of findings) {
    if (DIALECT.has(aspect)) files.set(file, (files.get(file) ?? true) && right);
  }
  return [...files.values()];
}

/**
 * Omits a column for all systems if one system detects a kind that the manifest cannot express. All systems are then
 * scored on the same columns.
 */
function typesWithWord(findings: readonly ScoredAspect[], results: readonly SystemResult[]): boolean[] {
  const place = ({ file, detail }: ScoredAspect): string => `${file} ${detail}`;
  const wordless = new Set(results.flatMap((result) => result.findings.filter((one) => one.wordless).map(place)));
  return findings.filter((one) => one.aspect === 'types' && !wordless.has(place(one))).map(({ right }) => right);
}

function rightOf(findings: readonly ScoredAspect[], aspect: string): boolean[] {
  return findings.filter((finding) => finding.aspect === aspect).map(({ right }) => right);
}

function ratio(all: readonly boolean[]): number {
  return all.filter(Boolean).length / all.length;
}

function share(all: readonly boolean[]): string {
  return all.length === 0 ? '-' : `${percent(ratio(all))} (${all.filter(Boolean).length}/${all.length})`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
