import { join, relative } from 'node:path';
import ts from 'typescript';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';

/**
 * Rejects `{ ...row }` and `const { id, ...rest } = row`. If code reads a column that the operation did not select, a
 * row reports an error, but a copy of the row does not.
 */
const { config } = ts.readConfigFile(join(PROJECT_ROOT, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, PROJECT_ROOT);
const files = ts.sys.readDirectory(join(PROJECT_ROOT, 'src'), ['.ts']);
const program = ts.createProgram(files, options);
const checker = program.getTypeChecker();
let copies = 0;

function findCopies(node: ts.Node): void {
  if (isCopy(node)) {
    const source = node.getSourceFile();
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    console.error(
      `${relative(PROJECT_ROOT, source.fileName)}:${line + 1} copies a row; use overrideRow, or name the columns`,
    );
    copies += 1;
  }
  ts.forEachChild(node, findCopies);
}

function isCopy(node: ts.Node): boolean {
  if (ts.isSpreadAssignment(node)) return isRow(checker.getTypeAtLocation(node.expression));
  return (
    ts.isBindingElement(node) &&
    node.dotDotDotToken !== undefined &&
    ts.isObjectBindingPattern(node.parent) &&
    isRow(checker.getTypeAtLocation(node.parent))
  );
}

function isRow(type: ts.Type): boolean {
  return type.isUnionOrIntersection() ? type.types.some(isRow) : type.aliasSymbol?.name === 'Lean';
}

for (const file of files) {
  const source = program.getSourceFile(file);
  if (source) findCopies(source);
}
if (copies > 0) process.exitCode = 1;
