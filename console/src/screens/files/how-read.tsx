import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import type { File } from './file-query.js';

interface Dialect {
  readonly encoding: string;
  readonly encodingConfidence?: number;
  readonly delimiter: string;
  readonly quote: string | null;
  readonly skipLines: number;
  readonly header: boolean;
}

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
  ' ': 'space',
};

const QUOTES: Readonly<Record<string, string>> = { '"': 'double', "'": 'single' };

export function HowRead({ file }: { file: File }) {
  const dialect = (file.dataSchema as { dialect?: Dialect } | null)?.dialect;
  if (!dialect) return null;
  const structure = file.inference?.structure;
  const facts = [
    ['Encoding', describeEncoding(dialect)],
    ['Delimiter', DELIMITERS[dialect.delimiter] ?? dialect.delimiter],
    ['Quotes', QUOTES[dialect.quote ?? ''] ?? 'none'],
    ['Header', dialect.header ? `line ${dialect.skipLines + 1}` : 'none: columns are numbered'],
    ...(structure ? [['Rows read to infer the types', structure.rows.toLocaleString('en')]] : []),
  ];
  return (
    <Card title="How the file was read">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 p-5 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {structure && structure.evidence.length > 0 && (
        <ul
          aria-label={countOf(structure.evidence.length, 'exception')}
          className="space-y-1 border-t border-line px-5 py-4 text-sm"
        >
          {structure.evidence.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function describeEncoding({ encoding, encodingConfidence }: Dialect): string {
  if (encodingConfidence === undefined) return encoding;
  return `${encoding}, which is a guess (confidence ${Math.round(100 * encodingConfidence)} %). If letters are wrong, save the file as UTF-8 and upload it again.`;
}
