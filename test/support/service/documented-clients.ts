import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, parse } from 'graphql';
import ts from 'typescript';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';

type Files = Record<string, string>;

/** Returns the TypeScript files in docs/graphql.md, by the path in their first line. */
export async function documentedFiles(): Promise<Files> {
  const page = await readFile(join(PROJECT_ROOT, 'docs/graphql.md'), 'utf8');
  const blocks = page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm);
  return Object.fromEntries([...blocks].map(([, path, text]) => [path as string, text as string]));
}

/**
 * Writes the documented files and `others` into a new folder, generates their types with the documented
 * configuration, and compiles them. Returns the folder. Its subfolder `dist` contains the compiled files.
 */
export async function buildDocumentedClients(sdl: string, others: Files): Promise<string> {
  const { 'codegen.ts': config = '', ...documented } = await documentedFiles();
  const sources = { ...documented, ...others };
  const files = { ...sources, ...(await generate(sdl, config, sources)), 'package.json': '{ "type": "module" }' };
  const folder = await mkdtemp(join(PROJECT_ROOT, 'dist', '.clients-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const strict = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck', '--types', 'node'];
  const reading = ['--allowJs', '--maxNodeModuleJsDepth', '10', '--rootDir', join(folder, 'src')];
  const compile = [...strict, ...reading, '--outDir', join(folder, 'dist'), join(folder, 'src/program.ts')];
  await promisify(execFile)('tsc', compile).catch(({ stdout }) => {
    throw new Error(stdout);
  });
  return folder;
}

/** Replaces the command-line tool of GraphQL Code Generator, which would install 200 more packages. */
async function generate(sdl: string, configText: string, sources: Files): Promise<Files> {
  const { outputText } = ts.transpileModule(configText, { compilerOptions: { module: ts.ModuleKind.ESNext } });
  const { default: settings } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
  const [[baseOutputDir, { presetConfig, config }]] = Object.entries<{ presetConfig: object; config: object }>(
    settings.generates,
  ) as [[string, { presetConfig: object; config: object }]];
  const documents = Object.entries(sources).flatMap(([location, text]) =>
    [...text.matchAll(/graphql\(`([^`]*)`\)/g)].map(([, rawSDL = '']) => ({
      location,
      rawSDL,
      document: parse(rawSDL),
    })),
  );
  const sections = await preset.buildGeneratesSection({
    ...{ baseOutputDir, presetConfig, config, documents },
    ...{ schema: parse(sdl), schemaAst: buildSchema(sdl), plugins: [], pluginMap: {} },
  } as never);
  const made = sections.map(async (section) => [section.filename, await codegen(section as never)]);
  return Object.fromEntries(await Promise.all(made));
}
