import { type AspectScore, compareTruth, formatValue, type SystemOutput } from './compare-truth.js';
import type { GroundTruth } from './corpus.js';
import type { SniffedCsv, TypedValue, ValueKind } from './csv-system.js';
import { isSameValue } from './same-value.js';
import { exceedsVocabulary, kindsMatch, type StatedType, statedKindOf, VOCABULARIES } from './type-vocabularies.js';

export function scoreTypes(truth: GroundTruth, { sniffed }: SystemOutput): AspectScore[] {
  // The values of an invalid file violate the types in the manifest.
  if (truth.csvwResult !== undefined && truth.csvwResult !== 'valid') return [];
  return Object.keys(VOCABULARIES).flatMap((vocabulary) =>
    ((truth[vocabulary] ?? []) as readonly StatedType[]).flatMap((type, column) => {
      const stated = statedKindOf(vocabulary, type);
      const found = sniffed instanceof Error ? undefined : sniffed.kinds[column];
      if (!stated) return [];
      const detail = `${vocabulary}, column ${column + 1}`;
      const isRight = (): boolean => found !== undefined && kindsMatch(stated, found);
      const wordless = found !== undefined && exceedsVocabulary(vocabulary, stated, found);
      return [
        { ...compareTruth<SniffedCsv, ValueKind | undefined>(stated, sniffed, () => found, isRight), detail, wordless },
      ];
    }),
  );
}

export function scoreValues(truth: GroundTruth, { sniffed, typed }: SystemOutput): AspectScore[] {
  return statedValues(truth).map(({ column, kind, values }) => {
    const detail = String(column);
    if (sniffed instanceof Error || typed instanceof Error) {
      return {
        ...compareTruth<never, unknown>(values, (sniffed instanceof Error ? sniffed : typed) as Error, () => []),
        detail,
      };
    }
    const index = typeof column === 'number' ? column : sniffed.names.indexOf(column);
    // If the system did not detect the header, `typed` starts with the header.
    const found = typed.slice(-values.length).map((row) => row[index] ?? null);
    const isRight = (value: TypedValue | undefined, text: string): boolean =>
      value != null && value.kind !== 'text' && isSameValue(text, value.text, kind);
    const right = values.every((text, i) => isRight(found[i], text));
    return { detail, expected: formatValue(values), found: formatValue(found.map((value) => value?.text)), right };
  });
}

interface StatedValues {
  readonly column: number | string;
  readonly kind: ValueKind;
  readonly values: readonly string[];
}

function statedValues(truth: GroundTruth): StatedValues[] {
  const stated: StatedValues[] = [];
  const { expectedDatesInColumnD: dates, valuesWithThousandsComma, valuesWithDecimalComma } = truth;
  if (dates) stated.push({ column: 'd', kind: 'date', values: dates });
  for (const numbers of [valuesWithThousandsComma, valuesWithDecimalComma]) {
    if (Array.isArray(numbers)) stated.push({ column: 0, kind: 'number', values: numbers.map(String) });
    else if (numbers) {
      for (const [column, values] of Object.entries(numbers))
        stated.push({ column, kind: 'number', values: values.map(String) });
    }
  }
  return stated;
}
