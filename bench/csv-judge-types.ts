import type { Answer, Kind, TypedValue } from './csv-answer.js';
import type { Truth } from './csv-corpus.js';
import { type Judged, judge, type Reading, shown } from './csv-judge.js';
import { agree, isBeyond, kindOf, type StatedType, VOCABULARIES } from './csv-kinds.js';
import { sameText } from './csv-same-text.js';

export function judgeTypes(truth: Truth, { answer }: Reading): Judged[] {
  if (truth.csvwResult !== undefined && truth.csvwResult !== 'valid') return []; // its own values do not fit the types
  return Object.keys(VOCABULARIES).flatMap((vocabulary) =>
    ((truth[vocabulary] ?? []) as readonly StatedType[]).flatMap((type, column) => {
      const stated = kindOf(vocabulary, type);
      const found = answer instanceof Error ? undefined : answer.kinds[column];
      if (!stated) return [];
      const detail = `${vocabulary}, column ${column + 1}`;
      const isRight = (): boolean => found !== undefined && agree(stated, found);
      const wordless = found !== undefined && isBeyond(vocabulary, stated, found);
      return [{ ...judge<Answer, Kind | undefined>(stated, answer, () => found, isRight), detail, wordless }];
    }),
  );
}

export function judgeValues(truth: Truth, { answer, typed }: Reading): Judged[] {
  return statedValues(truth).map(({ column, kind, values }) => {
    const detail = String(column);
    if (answer instanceof Error || typed instanceof Error) {
      return {
        ...judge<never, unknown>(values, (answer instanceof Error ? answer : typed) as Error, () => []),
        detail,
      };
    }
    const index = typeof column === 'number' ? column : answer.names.indexOf(column);
    const found = typed.slice(-values.length).map((row) => row[index] ?? null); // a header that was not seen is the first row
    const isRight = (value: TypedValue | undefined, text: string): boolean =>
      value != null && value.kind !== 'text' && sameText(text, value.text, kind);
    const right = values.every((text, i) => isRight(found[i], text));
    return { detail, expected: shown(values), found: shown(found.map((value) => value?.text)), right };
  });
}

interface StatedValues {
  /** Its position where a number, else its name. */
  readonly column: number | string;
  readonly kind: Kind;
  readonly values: readonly string[];
}

function statedValues(truth: Truth): StatedValues[] {
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
