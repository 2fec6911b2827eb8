import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, parse } from 'graphql';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'console/src');

export async function generateConsoleTypes() {
  const sdl = readFileSync(join(ROOT, 'schema/schema.graphql'), 'utf8');
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: 'gql/',
    presetConfig: { fragmentMasking: false },
    config: {
      enumType: 'string-literal',
      strictScalars: true,
      useTypeImports: true,
      scalars: {
        ...{ Base62Id: 'string', DateTime: 'string', SafeInt: 'number' },
        ...{ JSON: 'unknown', JSONObject: 'Record<string, unknown>', Upload: 'File' },
      },
    },
    documents: readDocuments(),
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    ...{ plugins: [], pluginMap: {} },
  });
  mkdirSync(join(SOURCES, 'gql'), { recursive: true });
  for (const section of sections) writeFileSync(join(SOURCES, section.filename), await codegen(section));
}

function readDocuments() {
  return readdirSync(SOURCES, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('gql'))
    .flatMap((location) =>
      [...readFileSync(join(SOURCES, location), 'utf8').matchAll(/graphql\(`([^`]*)`\)/g)].map(([, rawSDL]) => ({
        ...{ location, rawSDL, document: parse(rawSDL) },
      })),
    );
}

if (process.argv[1] === import.meta.filename) await generateConsoleTypes();
