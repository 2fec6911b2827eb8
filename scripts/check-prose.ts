import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';

interface Passage {
  readonly start: number;
  readonly text: string;
}

interface Rule {
  readonly pattern: RegExp;
  readonly suggestion: string;
}

/** Strings with fewer words are mostly names and codes. */
const MIN_STRING_WORDS = 4;

const WORDS_FILE = 'scripts/prose-words.txt';

const read = (file: string): string => readFileSync(join(PROJECT_ROOT, file), 'utf8');

const entries = read(WORDS_FILE)
  .split('\n')
  .filter((line) => line.trim() && !line.startsWith('#'))
  .map((line) => line.split(' -> ') as [left: string, right: string]);
const allowed = new Set(entries.filter(([left]) => left.startsWith('allow ')).map((entry) => entry.join(' -> ')));
const rules = entries
  .filter(([left]) => !left.startsWith('allow '))
  .map(([left, suggestion]): Rule => ({ pattern: new RegExp(`\\b(?:${left})\\b`, 'gi'), suggestion }));

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md', '*.graphql'], {
  cwd: PROJECT_ROOT,
  encoding: 'utf8',
});
let findings = 0;
for (const file of files.trim().split('\n')) {
  const text = read(file);
  for (const passage of passagesOf(file, text)) {
    for (const { pattern, suggestion } of rules) {
      for (const { 0: word, index } of passage.text.matchAll(pattern)) {
        if (allowed.has(`allow ${file} -> ${word.toLowerCase()}`)) continue;
        const line = text.slice(0, passage.start + index).split('\n').length;
        console.error(`${file}:${line} "${word}": ${suggestion}`);
        findings += 1;
      }
    }
  }
}
if (findings) {
  console.error(`${findings} findings. ${WORDS_FILE} lists the words and the exceptions.`);
  process.exitCode = 1;
}

function passagesOf(file: string, text: string): Passage[] {
  if (/\.tsx?$/.test(file)) return sourcePassages(file, text);
  if (file.endsWith('.md')) return [{ start: 0, text: text.replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, blank) }];
  return [...text.matchAll(/"""[\s\S]*?"""|#.*/g)].map(({ 0: found, index }) => ({ start: index, text: found }));
}

function sourcePassages(file: string, text: string): Passage[] {
  const passages = new Map<number, Passage>();
  const add = (start: number, end: number): void => {
    passages.set(start, { start, text: text.slice(start, end).replace(/\$\{[^}]*\}|`[^`\n]*`/g, blank) });
  };
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) add(pos, end);
    for (const { pos, end } of ts.getTrailingCommentRanges(text, node.end) ?? []) add(pos, end);
    const start = node.getStart(source);
    const isText = ts.isStringLiteral(node) || ts.isTemplateLiteral(node) || ts.isJsxText(node);
    if (isText && isProse(text.slice(start, node.end)))
      passages.set(start, { start, text: text.slice(start, node.end).replace(/\$\{[^}]*\}/g, blank) });
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  visit(source);
  return [...passages.values()];
}

function isProse(literal: string): boolean {
  return literal.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word)).length >= MIN_STRING_WORDS;
}

/** Returns spaces and line ends of the same length, so that the offsets of the following text do not change. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
