import type { ArtifactColumnInput, ArtifactColumnType } from '../../gql/graphql.js';

/** If the user leaves one of these fields empty, the service detects its value. */
const TEXTS = ['format', 'language', 'decimalSeparator', 'groupSeparator', 'unit'] as const;

export function changeOf(name: string, type: ArtifactColumnType, form: FormData): ArtifactColumnInput {
  const textOf = (field: string): string => String(form.get(field) ?? '');
  const texts = TEXTS.filter((field) => textOf(field) !== '').map((field) => [field, textOf(field)]);
  const words = wordsOf(textOf('booleans'), '/');
  const nullTokens = wordsOf(textOf('nullTokens'), ',');
  return {
    ...{ name, type, ...Object.fromEntries(texts) },
    ...(textOf('scale') !== '' && { scale: Number(textOf('scale')) }),
    ...(form.has('negativeInParentheses') && { negativeInParentheses: true }),
    ...(words.length > 0 && { booleans: words }),
    ...(form.has('nullable') && { nullable: true }),
    ...(nullTokens.length > 0 && { nullTokens }),
  };
}

function wordsOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
